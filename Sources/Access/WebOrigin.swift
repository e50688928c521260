/// Where a page comes from, as browsers write it into `Origin`: a scheme, a host and a port (RFC 6454).
public struct WebOrigin: Hashable, Sendable {
  /// `http` or `https`.
  public let scheme: String
  /// The host and the port, without one that the scheme implies.
  public let authority: Authority

  /// The origin of a page that was asked for at this authority.
  public init(scheme: String, authority: Authority) {
    self.scheme = scheme
    let usual = scheme == "https" ? 443 : 80
    self.authority = Authority(host: authority.host, port: authority.port == usual ? nil : authority.port)
  }

  /// Reads `https://sign.example:8443`, which has no path; nil for anything else, and for `null`.
  public init?(parsing text: some StringProtocol) {
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
  /// `https://sign.example:8443`.
  public var description: String { "\(scheme)://\(authority)" }
}

/// What stands in `Host`: a name or an address, and perhaps a port.
public struct Authority: Hashable, Sendable {
  /// In small letters, without a closing point; an address of IPv6 without its brackets.
  public let host: String
  /// The port; nil where none is named.
  public let port: Int?

  /// A host and a port, in the form that reading gives them.
  public init(host: String, port: Int?) {
    self.host = host
    self.port = port
  }

  /// Reads `sign.example`, `sign.example:8080`, `192.0.2.1` or `[2001:db8::1]:8080`; nil for anything else.
  public init?(parsing text: some StringProtocol) {
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

  /// The address that the host is; nil where it is a name.
  public var address: IPAddress? { IPAddress(parsing: host) }

  /// A host's name as it is compared; nil where it is none. Letters, digits, hyphens, and underscores, which are seen in
  /// the wild.
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

  /// `:8080`, or nothing at all; nil for anything else.
  private static func port(_ text: Substring) -> (number: Int?, Void)? {
    if text.isEmpty { return (nil, ()) }
    let digits = text.dropFirst()
    guard text.first == ":", !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return UInt16(digits).map { (Int($0), ()) }
  }
}

extension Authority: CustomStringConvertible {
  /// `sign.example:8080`.
  public var description: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port.map { "\(host):\($0)" } ?? host
  }
}
