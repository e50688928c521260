/// The address that the TCP listener binds: one of the machine's addresses, or all of them, and a port.
package struct ListenAddress: Hashable, Sendable {
  /// The IP address.
  package var address: IPAddress
  /// The port, 0...65535; with 0, the kernel chooses a free one.
  package var port: Int

  /// Creates a listen address from an IP address and a port.
  package init(_ address: IPAddress, port: Int) {
    self.address = address
    self.port = port
  }

  /// Parses `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080` or `*:8080` (all addresses); returns nil for any other
  /// text.
  package init?(parsing text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let port = UInt16(digits), let address = Self.address(text[..<colon])
    else { return nil }
    self.init(address, port: Int(port))
  }

  private static func address(_ host: Substring) -> IPAddress? {
    switch host {
    case "localhost": return IPAddress(parsing: "127.0.0.1")
    case "*": return IPAddress(parsing: "::")
    default: break
    }
    guard host.hasPrefix("["), host.hasSuffix("]") else {
      return IPAddress(parsing: host).flatMap { $0.isIPv4 ? $0 : nil }
    }
    return IPAddress(parsing: host.dropFirst().dropLast()).flatMap { $0.isIPv4 ? nil : $0 }
  }
}

extension ListenAddress {
  /// Checks whether the daemon can and may listen on the address, before it opens anything.
  ///
  /// - Parameters:
  ///   - hasToken: Whether clients must present a token.
  ///   - firstPort: The lowest port that the process may bind: see `Machine.firstPort()`.
  /// - Returns: The reason for a refusal, with the next step, or nil if the address can be used. Port 0 is never below
  ///   `firstPort`: the kernel chooses a port that is allowed.
  package func refusal(hasToken: Bool, firstPort: Int) -> String? {
    if port != 0, port < firstPort {
      return "the process can listen only on ports from \(firstPort): choose such a port, or give the service "
        + "CAP_NET_BIND_SERVICE (capabilities(7))"
    }
    return hasToken || address.isLoopback ? nil : "\(OpenListenerError(listen: self))"
  }
}

extension ListenAddress: CustomStringConvertible {
  /// The address as text, such as `127.0.0.1:8080`.
  package var description: String { "\(address.inURL):\(port)" }
}
