/// The address of a service.
public enum ServiceAddress: Hashable, Sendable {
  /// The path of a Unix socket on this machine.
  case socket(String)
  /// A host name or IP address, and the port on which the service speaks HTTP.
  case tcp(host: String, port: Int)

  /// Parses a URL.
  ///
  /// - Parameter url: A URL such as `http://lobby.example:8080`. The default port is 80.
  /// - Throws: `ClientError.badAddress`, whose description shows the format.
  public init(url: String) throws(ClientError) {
    guard url.hasPrefix("http://") else { throw .badAddress(url) }
    var rest = url.dropFirst("http://".count)
    while rest.hasSuffix("/") { rest.removeLast() }
    let (host, port) = Self.split(rest)
    guard let host, !host.isEmpty, host.utf8.allSatisfy(Self.isOfHost), let port, (1...65535).contains(port) else {
      throw .badAddress(url)
    }
    self = .tcp(host: String(host), port: port)
  }

  /// Returns the host, without the brackets of an IPv6 address, and the port; nil for a malformed part.
  private static func split(_ text: Substring) -> (Substring?, Int?) {
    let isBracketed = text.hasPrefix("[")
    guard let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") ?? text.endIndex else {
      return (nil, nil)
    }
    let host = isBracketed ? text[..<end].dropFirst() : text[..<end]
    let rest = isBracketed ? text[text.index(after: end)...] : text[end...]
    guard !rest.isEmpty else { return (host, 80) }
    return (host, rest.hasPrefix(":") ? Int(rest.dropFirst()) : nil)
  }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "!")...UInt8(ascii: "~")).contains(byte) && !"/?#@".utf8.contains(byte)
  }

  /// The value of the `Host` header.
  var authority: String {
    switch self {
    case .socket: "placard"
    case .tcp(let host, let port): (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }
  }
}

extension ServiceAddress: CustomStringConvertible {
  /// The socket path or the URL.
  public var description: String {
    switch self {
    case .socket(let path): path
    case .tcp: "http://\(authority)"
    }
  }
}
