import Access
import ControlHTTP
import Testing

/// Malformed and ambiguous requests.
private enum Hostile {
  static let put = "PUT /v1/message HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
  static let json = "{\"text\":\"a\"}"
  static let chunks = "c\r\n{\"text\":\"a\"}\r\n0\r\n\r\n"
  static let next = "DELETE /v1/message HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"

  static let bodies = [
    "content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n\(chunks)",
    "transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n\(chunks)",
    "content-length: 12\r\ncontent-length: 13\r\n\r\n\(json)",
    "content-length: 12\r\ncontent-length: 12\r\n\r\n\(json)",
    "content-length: 12, 12\r\n\r\n\(json)", "content-length: +12\r\n\r\n\(json)", "content-length: -1\r\n\r\n\(json)",
    "content-length: 0xc\r\n\r\n\(json)", "content-length:\r\n\r\n\(json)",
    "transfer-encoding: chunked, identity\r\n\r\n\(chunks)",
    "transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n\(chunks)",
    "transfer-encoding : chunked\r\n\r\n\(chunks)", "transfer-encoding: \u{b}chunked\r\n\r\n\(chunks)",
    "transfer-encoding: chunked\r\n\r\nzz\r\n\(json)\r\n0\r\n\r\n",
    "transfer-encoding: chunked\r\n\r\n-c\r\n\(json)\r\n0\r\n\r\n",
    "transfer-encoding: chunked\r\n\r\n0xc\r\n\(json)\r\n0\r\n\r\n",
    "transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n\(json)\r\n0\r\n\r\n",
    "transfer-encoding: chunked\r\n\r\nc \r\n\(json)\r\n0\r\n\r\n",
    "transfer-encoding: chunked\r\n\r\n4\r\n\(json)\r\n0\r\n\r\n",
    "transfer-encoding: chunked\r\n\r\nc\n\(json)\n0\n\n",
  ]

  static let heads = [
    "GET /v1/status HTTP/1.1\r\nhost: localhost\r\nx: a\r\n b\r\n\r\n", "GET /v1/status HTTP/1.1\nhost: localhost\n\n",
    "GET /v1/status HTTP/1.1\r\nhost: localhost\nx: y\r\n\r\n",
    "GET /v1/status HTTP/1.1\r\nhost: localhost\rx: y\r\n\r\n",
    "GET /v1/status HTTP/1.1\r\nhost: localhost\r\nx: a\0b\r\n\r\n",
    "GET /v1/sta\0tus HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "GET /v1/status x HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "GET /v1/status HTTP/1.1\r\nhost: localhost\r\nx y: z\r\n\r\n",
    "GET /v1/status HTTP/1.1\r\nhost: localhost\r\n: z\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET /v1/status\r\n\r\n", "GET /v1/ä HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "PUT /v1/message HTTP/1.0\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n\(chunks)",
  ]

  static let requests = bodies.map { put + $0 } + heads

  /// Returns the number of responses in the received bytes.
  static func answers(in text: String) -> Int {
    text.split(separator: "\r\n").count { $0.hasPrefix("HTTP/1.") }
  }
}

/// If two servers disagree about the end of a request, one client's request can become another's (request smuggling,
/// RFC 9112, section 11.2). Such requests are rejected on both listeners, and the bytes after them are ignored.
@Suite struct HygieneTests {
  @Test(arguments: Hostile.requests)
  func `An ambiguous request is rejected, and the connection is closed`(request: String) async throws {
    try await WebServing.run { web async throws in
      for answer in [
        try await web.answer(to: request + Hostile.next), try await web.serving.answer(to: request + Hostile.next),
      ] {
        #expect(answer.contains(" 400 Bad Request\r\n") && Hostile.answers(in: answer) == 1)
      }
      #expect(web.serving.service.requests.isEmpty)
    }
  }

  @Test(
    "An upgrade to another protocol is ignored: the request is answered as HTTP/1.1, and the connection is closed",
    arguments: [
      ("GET /v1/status", "upgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: AAMAAABk", "200"),
      ("GET /v1/status", "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: x", "200"),
      ("CONNECT localhost:80", "x: y", "404"), ("OPTIONS *", "connection: close", "404"),
    ])
  func upgrades(line: String, headers: String, status: String) async throws {
    try await WebServing.run { web async throws in
      let request = "\(line) HTTP/1.1\r\nhost: localhost\r\n\(headers)\r\n\r\n"
      for answer in [
        try await web.answer(to: request + Hostile.next), try await web.serving.answer(to: request + Hostile.next),
      ] {
        #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && Hostile.answers(in: answer) == 1)
      }
    }
  }

  @Test(
    "A head above the limits is rejected and counted",
    arguments: [
      ("headers", String(repeating: "a: b\r\n", count: 120), "/v1/status"),
      ("list", String(repeating: "a: \(String(repeating: "b", count: 1000))\r\n", count: 40), "/v1/status"),
      ("line", "a: \(String(repeating: "b", count: 40_000))\r\n", "/v1/status"),
      ("target", "", "/\(String(repeating: "a", count: 40_000))"),
    ])
  func heads(name: String, headers: String, target: String) async throws {
    try await WebServing.run { web async throws in
      let answer = try await web.answer(to: "GET \(target) HTTP/1.1\r\nhost: localhost\r\n\(headers)\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 431 "))
      #expect(try await web.request("GET", "/v1/health").contains("\"head\":1"))
    }
  }

  @Test func `A client that disconnects in the middle of a request leaves nothing behind`() async throws {
    var limits = AccessLimits.patient
    limits.connections = 1
    try await WebServing.run(limits: limits) { web async throws in
      for bytes in [
        "", "GET /v1", Hostile.put + "content-length: 12\r\n\r\n{",
        "GET /v1/events HTTP/1.1\r\nhost: localhost\r\n\r\n",
      ] {
        let connection = try await web.connect()
        connection.send(bytes)
        connection.close()
        while try await web.status("GET", "/v1/status") != 200 {}
      }
    }
  }

  @Test func `An absolute target is accepted if its host equals the Host header`() async throws {
    try await WebServing.run { web async throws in
      let headers = ["host: localhost:\(web.port)"]
      #expect(try await web.status("GET", "http://localhost:\(web.port)/v1/status", headers) == 200)
    }
  }
}
