/// The origin of a web page as browsers send it in `Origin`: a scheme, a host and a port (RFC 6454).
package struct WebOrigin: Hashable, Sendable {
  /// The scheme, `http` or `https`.
  package let scheme: String
  /// The host and the port, without a port that the scheme implies.
  package let authority: Authority

  /// Creates the origin of a page that was requested from an authority.
  package init(scheme: String, authority: Authority) {
    self.scheme = scheme
    let usual = scheme == "https" ? 443 : 80
    self.authority = Authority(host: authority.host, port: authority.port == usual ? nil : authority.port)
  }

  /// Parses an origin without a path, such as `https://sign.example:8443`; returns nil for any other text, including
  /// `null`.
  package init?(parsing text: some StringProtocol) {
    let text = text.lowercased()
    for scheme in ["http", "https"] where text.hasPrefix("\(scheme)://") {
      guard let authority = Authority(parsing: text.dropFirst(scheme.count + 3)) else { return nil }
      self.init(scheme: scheme, authority: authority)
      return
    }
    return nil
  }
}

extension WebOrigin: CustomStringConvertible {
  /// The origin as text, such as `https://sign.example:8443`.
  package var description: String { "\(scheme)://\(authority)" }
}

/// The content of a `Host` header: a name or an address, with an optional port.
package struct Authority: Hashable, Sendable {
  /// The host in lowercase, without a trailing dot; an IPv6 address has no brackets.
  package let host: String
  /// The port; nil if none is given.
  package let port: Int?

  /// Creates an authority from a host and a port in normalized form.
  package init(host: String, port: Int?) {
    self.host = host
    self.port = port
  }

  /// Parses `sign.example`, `sign.example:8080`, `192.0.2.1` or `[2001:db8::1]:8080`; returns nil for any other text.
  package init?(parsing text: some StringProtocol) {
    let text = text.lowercased()
    guard text.utf8.count <= 300 else { return nil }
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]"), let address = IPAddress(parsing: text[..<end].dropFirst()),
        let port = Self.port(text[text.index(after: end)...])
      else { return nil }
      self.init(host: address.description, port: port.number)
    } else {
      let end = text.firstIndex(of: ":") ?? text.endIndex
      guard let host = Self.name(text[..<end]), let port = Self.port(text[end...]) else { return nil }
      self.init(host: host, port: port.number)
    }
  }

  /// The host as an IP address; nil if it is a name.
  package var address: IPAddress? { IPAddress(parsing: host) }

  /// Returns a host name in the form in which names are compared.
  ///
  /// Underscores are accepted besides letters, digits, hyphens and dots, because some hosts in the field have them.
  ///
  /// - Parameter text: The name, in lowercase.
  /// - Returns: The name without a trailing dot, or nil if it is not valid.
  static func name(_ text: Substring) -> String? {
    let name = text.hasSuffix(".") ? text.dropLast() : text
    let isFine = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
      }
    }
    return isFine && !name.isEmpty ? String(name) : nil
  }

  /// Parses `:8080` or an empty text, which has no port number; returns nil for any other text.
  private static func port(_ text: Substring) -> (number: Int?, Void)? {
    if text.isEmpty { return (nil, ()) }
    let digits = text.dropFirst()
    guard text.first == ":", !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return UInt16(digits).map { (Int($0), ()) }
  }
}

extension Authority: CustomStringConvertible {
  /// The authority as text, such as `sign.example:8080`.
  package var description: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port.map { "\(host):\($0)" } ?? host
  }
}
