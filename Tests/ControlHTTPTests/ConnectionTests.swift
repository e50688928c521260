import Access
import Control
import ControlClient
import ControlHTTP
import Testing

@Suite struct ConnectionTests {
  @Test func `Pipelined requests are answered in order, and the connection stays open`() async throws {
    try await Serving.run { serving in
      let answer = try await serving.answer(
        to: "GET /v1/status HTTP/1.1\r\nhost: x\r\n\r\n"
          + "PUT /v1/message HTTP/1.1\r\nhost: x\r\ncontent-length: 12\r\n\r\n{\"text\":\"a\"}"
          + "HEAD /v1/status HTTP/1.1\r\nhost: x\r\n\r\n"
          + "GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n"
          + "GET /v1/message HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
      let statuses = answer.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
      #expect(statuses == ["200", "200", "200", "404", "200"])
      #expect(answer.hasSuffix("{\"notShown\":[],\"shown\":[],\"text\":\"a\",\"warnings\":[]}"))
    }
  }

  @Test func `A body with a Content-Length above the limit is rejected before it is sent`() async throws {
    try await Serving.run { serving in
      let answer = try await serving.answer(
        to: "PUT /v1/message HTTP/1.1\r\nhost: x\r\ncontent-length: 1048577\r\nexpect: 100-continue\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
      #expect(answer.contains("connection: close\r\n") && answer.contains("more than 524288 bytes"))
    }
  }

  @Test func `A Content-Length beyond the range of integers is rejected`() async throws {
    try await Serving.run { serving in
      let answer = try await serving.answer(
        to: "PUT /v1/message HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999999999999999\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 4"))
    }
  }

  @Test func `A chunked body is rejected at the limit, even if the client keeps sending`() async throws {
    try await Serving.run { serving in
      let chunk = "20000\r\n" + String(repeating: "a", count: 0x20000) + "\r\n"
      let answer = try await serving.answer(
        to: "PUT /v1/message HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
          + String(repeating: chunk, count: 20) + "0\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
      #expect(serving.service.requests.isEmpty)
    }
  }

  @Test func `A body of exactly the limit is accepted, chunked or not`() async throws {
    try await Serving.run { serving in
      let text = String(repeating: "a", count: (1 << 19) - 11)
      let chunks =
        "8\r\n{\"text\":\r\n1\r\n\"\r\n" + String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n2\r\n\"}\r\n0\r\n\r\n"
      let answer = try await serving.answer(
        to: "PUT /v1/message HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n" + chunks)
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
      #expect(serving.service.requests.map(\.text?.utf8.count) == [(1 << 19) - 11])
    }
  }

  @Test func `A client that sends Expect: 100-continue gets 100 Continue`() async throws {
    try await Serving.run { serving in
      let connection = try await RawConnection.open(serving.socket)
      connection.send(
        "PUT /v1/message HTTP/1.1\r\nhost: x\r\ncontent-length: 12\r\nconnection: close\r\nexpect: 100-continue\r\n\r\n"
      )
      #expect(await connection.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      connection.send("{\"text\":\"a\"}")
      #expect(await connection.readToEnd().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test func `Bytes that are not UTF-8 are rejected`() async throws {
    try await Serving.run { serving in
      let connection = try await RawConnection.open(serving.socket)
      let head = "PUT /v1/message HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 12\r\n\r\n"
      connection.send(Array(head.utf8) + Array("{\"text\":\"".utf8) + [0xff] + Array("\"}".utf8))
      let answer = await connection.readToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("The body is not UTF-8"))
    }
  }

  @Test(
    "Bytes that are not HTTP get a 400, and the connection is closed",
    arguments: ["hello\r\n\r\n", "GET /v1/status HTTP/9.9\r\n\r\n", "GET /v1/status HTTP/1.1\r\nbad header\r\n\r\n"])
  func garbage(bytes: String) async throws {
    try await Serving.run { serving in
      let answer = try await serving.answer(to: bytes)
      #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("urn:placard:problem:malformed"))
    }
  }

  @Test func `A head without an end is rejected`() async throws {
    try await Serving.run { serving in
      let header = "x: " + String(repeating: "a", count: 100_000) + "\r\n"
      let answer = try await serving.answer(to: "GET /v1/status HTTP/1.1\r\n\(header)\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 431 "))
    }
  }

  @Test func `A connection above the limit is rejected with a response, and the others stay open`() async throws {
    var limits = ControlServer.Limits.patient
    limits.connections = 1
    try await Serving.run(limits: limits) { serving in
      let first = try await RawConnection.open(serving.socket)
      first.send("GET /v1/status HTTP/1.1\r\nhost: x\r\n\r\n")
      #expect(await first.read(until: "}").hasPrefix("HTTP/1.1 200 "))
      #expect(try await serving.request("GET", "/v1/status").hasPrefix("HTTP/1.1 503 "))
      first.send("GET /v1/status HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
      #expect(await first.readToEnd().hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func `A request is cancelled when its client disconnects`() async throws {
    try await Serving.run { serving in
      let connection = try await RawConnection.open(serving.socket)
      connection.send(
        "PUT /v1/message HTTP/1.1\r\nhost: x\r\ncontent-length: 27\r\n\r\n{\"text\":\"hold\",\"wait\":true}")
      for await _ in serving.service.waits { break }
      connection.close()
      for await _ in serving.service.cancellations { break }
      #expect(try await serving.client.status().pid == 7)
    }
  }

  @Test func `A client of HTTP/1.0 gets its response, and the connection is closed`() async throws {
    try await Serving.run { serving in
      let answer = try await serving.answer(to: "GET /v1/status HTTP/1.0\r\n\r\n")
      #expect(answer.contains(" 200 OK\r\n") && answer.hasSuffix("}"))
    }
  }
}
