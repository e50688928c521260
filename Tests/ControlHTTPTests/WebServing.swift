import Access
import ControlHTTP
import NIOCore
import Testing

/// A fake service that listens on a free TCP port of the loopback address.
struct WebServing {
  static let token = "0123456789abcdef+/="

  let serving: Serving
  let port: Int

  /// Serves for the duration of a test, with or without the token.
  static func run(
    token: String? = nil, hosts: Set<String> = [], origins: Set<String> = [], proxies: [String] = [],
    limits: AccessLimits = .patient, _ body: (WebServing) async throws -> Void
  ) async throws {
    let rules = AccessRules(
      token: token.flatMap { Token(Array($0.utf8)) }, hosts: hosts,
      origins: Set(origins.compactMap { WebOrigin(parsing: $0) }),
      proxies: proxies.compactMap { AddressRange(parsing: $0) })
    let door = try WebListenerSettings(listen: try #require(ListenAddress(parsing: "127.0.0.1:0")), rules: rules)
    try await Serving.run(limits: limits, web: door) { serving in
      let bound = try #require(await serving.server.webAddress())
      try await body(WebServing(serving: serving, port: bound.port))
    }
  }

  func connect(reads: Bool = true) async throws -> RawConnection {
    try await RawConnection.open(SocketAddress(ipAddress: "127.0.0.1", port: port), reads: reads)
  }

  /// Sends bytes; returns the server's bytes up to the end of the connection.
  func answer(to bytes: String) async throws -> String {
    let connection = try await connect()
    connection.send(bytes)
    return await connection.readToEnd()
  }

  /// Sends a request on a new connection and returns its response. The Host is 127.0.0.1 unless a header sets it.
  func request(
    _ method: String, _ path: String, _ headers: [String] = [], body: String? = nil
  ) async throws -> String {
    let hasHost = headers.contains { $0.lowercased().hasPrefix("host:") }
    let hasType = headers.contains { $0.lowercased().hasPrefix("content-type:") }
    let lines =
      ["\(method) \(path) HTTP/1.1", "connection: close"] + (hasHost ? [] : ["host: 127.0.0.1:\(port)"]) + headers
      + (body.map { ["content-length: \($0.utf8.count)"] + (hasType ? [] : ["content-type: application/json"]) } ?? [])
    return try await answer(to: lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
  }

  /// Returns the status of the response to a request.
  func status(_ method: String, _ path: String, _ headers: [String] = [], body: String? = nil) async throws -> Int? {
    Int(try await request(method, path, headers, body: body).dropFirst("HTTP/1.1 ".count).prefix(3))
  }
}

/// Returns the value of a response header, or nil.
func header(_ name: String, of answer: String) -> String? {
  let head = answer.components(endingAt: "\r\n\r\n")
  return head.split(separator: "\r\n").lazy.compactMap { line -> String? in
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == name else { return nil }
    return String(parts[1].drop { $0 == " " })
  }.first
}

extension String {
  /// Returns the part before the first occurrence of a text.
  fileprivate func components(endingAt end: String) -> Substring {
    ranges(of: end).first.map { self[..<$0.lowerBound] } ?? self[...]
  }
}
