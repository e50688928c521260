import Access
import Control
import ControlClient
import ControlHTTP
import FakeServiceSupport
import Testing

/// Requests that another server in between could parse differently are rejected with a response.
@Suite struct StrictnessTests {
  private static let end = "host: x\r\nconnection: close\r\n\r\n"

  @Test(
    "A request line whose parts are not separated by exactly one space is rejected",
    arguments: [
      "GET  /v1/status HTTP/1.1", "GET /v1/status  HTTP/1.1", " GET /v1/status HTTP/1.1", "GET\t/v1/status HTTP/1.1",
      "GET /v1/status HTTP/1.1 ", "GET   HTTP/1.1",
    ])
  func spaces(line: String) async throws {
    try await Serving.run { (serving: Serving) async throws in
      let answer = try await serving.answer(to: "\(line)\r\n\(Self.end)")
      #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("urn:placard:problem:malformed"))
    }
  }

  @Test func `A request line that arrives byte by byte, and empty lines before it, are accepted`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let connection = try await RawConnection.open(serving.socket)
      for letter in "\r\n\r\nGET /v1/status HTTP/1.1\r\n\(Self.end)" { connection.send(String(letter)) }
      #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func `The request lines of all pipelined requests are checked, and no line of a body`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let body = "\n{\"text\":\"a\"}\nGET  /v1/status HTTP/1.1\n"
      let put = "PUT /v1/message HTTP/1.1\r\nhost: x\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)"
      let get = "GET /v1/status HTTP/1.1\r\nhost: x\r\n\r\n"
      let answer = try await serving.answer(to: get + put + get + "GET  /v1/status HTTP/1.1\r\n\(Self.end)")
      #expect(answer.split(separator: "HTTP/1.1 ").map { $0.prefix(3) } == ["200", "400", "200", "400"])
      #expect(answer.contains("The body is not JSON"))
    }
  }

  @Test func `A chunked request is the last one of its connection`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let put = "PUT /v1/message HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
      let chunks = "c\r\n{\"text\":\"a\"}\r\n0\r\n\r\n"
      let answer = try await serving.answer(to: put + chunks + "GET /v1/status HTTP/1.1\r\nhost: x\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("connection: close\r\n"))
      #expect(answer.split(separator: "HTTP/1.1 ").count == 1)
    }
  }

  @Test(
    "A transfer coding other than chunked is rejected",
    arguments: ["gzip", "gzip, chunked", "identity", "chunked;q=1", "xchunked"])
  func codings(coding: String) async throws {
    try await Serving.run { (serving: Serving) async throws in
      let head = "PUT /v1/message HTTP/1.1\r\ntransfer-encoding: \(coding)\r\n\(Self.end)"
      let answer = try await serving.answer(to: head + "c\r\n{\"text\":\"a\"}\r\n0\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 501 ") && answer.contains("urn:placard:problem:transfer-coding"))
      #expect(serving.service.requests.isEmpty)
    }
  }

  @Test func `Two Transfer-Encoding headers are one list`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let head = "PUT /v1/message HTTP/1.1\r\ntransfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n\(Self.end)"
      #expect(try await serving.answer(to: head).hasPrefix("HTTP/1.1 501 "))
    }
  }

  @Test("An expectation other than 100-continue is rejected", arguments: ["200-ok", "100-continue, more", ""])
  func expectations(value: String) async throws {
    try await Serving.run { (serving: Serving) async throws in
      let head = "PUT /v1/message HTTP/1.1\r\ncontent-length: 12\r\nexpect: \(value)\r\n\(Self.end)"
      let answer = try await serving.answer(to: head + "{\"text\":\"a\"}")
      #expect(answer.hasPrefix("HTTP/1.1 417 ") && serving.service.requests.isEmpty)
    }
  }

  @Test func `An expectation in HTTP/1.0 is ignored`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let head = "PUT /v1/message HTTP/1.0\r\ncontent-length: 12\r\nexpect: 100-continue\r\n\(Self.end)"
      #expect(try await serving.answer(to: head + "{\"text\":\"a\"}").contains(" 200 OK\r\n"))
    }
  }

  @Test(
    "A Content-Length above all limits is rejected as too large",
    arguments: ["9223372036854775807", "9223372036854775808", "18446744073709551615"])
  func lengths(length: String) async throws {
    try await Serving.run { (serving: Serving) async throws in
      let answer = try await serving.answer(
        to: "PUT /v1/message HTTP/1.1\r\ncontent-length: \(length)\r\n\(Self.end){\"text\":\"a\"}")
      #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("more than 524288 bytes"))
    }
  }

  @Test("A head of five megabytes gets a response", arguments: ["x: ", "x: y\r\n", ""])
  func head(part: String) async throws {
    try await Serving.run { (serving: Serving) async throws in
      let count = 5_000_000 / max(part.utf8.count, 1)
      let filling = part.hasSuffix("\n") ? String(repeating: part, count: count) : String(repeating: "a", count: count)
      let start = part.isEmpty ? "GET /" : "GET /v1/status HTTP/1.1\r\nx: "
      let answer = try await serving.answer(to: "\(start)\(filling)\r\n\(Self.end)")
      #expect(answer.hasPrefix("HTTP/1.1 431 ") && answer.contains("urn:placard:problem:head-too-large"))
    }
  }

  @Test("An ID has only one valid form", arguments: ["+1", "-1", "01", "1.0", "0x1", "%2B1"])
  func ids(id: String) async throws {
    try await Serving.run { (serving: Serving) async throws in
      for path in ["/v1/sessions/\(id)", "/v1/messages/\(id)"] {
        let answer = try await serving.answer(to: "DELETE \(path) HTTP/1.1\r\n\(Self.end)")
        #expect(answer.hasPrefix("HTTP/1.1 404 ") && answer.contains("is not the ID of a"))
      }
      #expect(serving.service.calls.isEmpty)
    }
  }

  @Test func `The host of an absolute target is compared with Host, whatever the scheme`() async throws {
    try await WebServing.run(hosts: ["sign.example"]) { (web: WebServing) async throws in
      for (target, host, status) in [
        ("https://other/v1/status", "sign.example", 400), ("http://other/v1/status", "sign.example", 400),
        ("HTTPS://other/v1/status", "sign.example", 400), ("https://sign.example@other/", "sign.example", 400),
        ("https://other/v1/status", "other", 421), ("https:///v1/status", "sign.example", 400),
        ("https://sign.example/v1/status", "sign.example", 200),
        ("HTTP://SIGN.example:80/v1/status", "sign.example", 200),
        ("https://sign.example:443/v1/status", "sign.example", 200),
        ("https://sign.example:8443/v1/status", "sign.example", 400),
      ] {
        #expect(try await web.status("GET", target, ["host: \(host)"]) == status, "\(target) to \(host)")
      }
    }
  }

  @Test func `An absolute target needs the token like any other`() async throws {
    try await WebServing.run(token: WebServing.token, hosts: ["sign.example"]) { (web: WebServing) async throws in
      for target in ["https://sign.example/v1/status", "HTTPS://sign.example/v1/status", "https://sign.example?/login"]
      {
        let status = try await web.status("GET", target, ["host: sign.example"])
        #expect(status == 401, "\(target)")
      }
      #expect(try await web.status("GET", "https://sign.example/login", ["host: sign.example"]) == 200)
    }
  }
}
