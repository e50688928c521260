/// Where a service is.
public enum ServiceAddress: Hashable, Sendable {
  /// The path of its Unix socket on this machine.
  case socket(String)
  /// A host's name or address, and its port, on which it speaks HTTP.
  case tcp(host: String, port: Int)

  /// Reads `http://lobby.example:8080`; the port is 80 where none is named. The error says how to write it.
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

  /// The host, without the brackets of an IPv6 address, and the port.
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

  /// What a request names as its host.
  var authority: String {
    switch self {
    case .socket: "placard"
    case .tcp(let host, let port): (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }
  }
}

extension ServiceAddress: CustomStringConvertible {
  /// The path, or the URL.
  public var description: String {
    switch self {
    case .socket(let path): path
    case .tcp: "http://\(authority)"
    }
  }
}
