import Control
import ControlClient
import ControlHTTP
import FakeServiceSupport
import Testing

/// Requests with an Idempotency-Key.
@Suite struct OnceOnlyTests {
  private static func post(_ key: String, _ body: String = "{\"text\":\"a\"}") -> String {
    "POST /v1/messages HTTP/1.1\r\nhost: x\r\nconnection: close\r\nidempotency-key: \(key)\r\n"
      + "content-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test func `A repeated request gets the same response and is not executed again`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let first = try await serving.answer(to: Self.post("k"))
      #expect(first.hasPrefix("HTTP/1.1 201 "))
      #expect(try await serving.answer(to: Self.post("k")) == first)
      #expect(serving.service.calls.count == 1)
      _ = try await serving.answer(to: Self.post("other"))
      #expect(serving.service.calls.count == 2)
    }
  }

  @Test func `A key that was used for a different request is rejected`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      _ = try await serving.answer(to: Self.post("k"))
      let answer = try await serving.answer(to: Self.post("k", "{\"text\":\"b\"}"))
      #expect(answer.hasPrefix("HTTP/1.1 422 ") && answer.contains("was used for another request"))
      #expect(serving.service.calls.count == 1)
    }
  }

  @Test func `A rejected request may be repeated with the same key`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let refused = try await serving.answer(to: Self.post("k", "{\"text\":\"a\",\"seconds\":0}"))
      #expect(refused.hasPrefix("HTTP/1.1 422 ") && refused.contains("seconds is 0"))
      #expect(try await serving.answer(to: Self.post("k")).hasPrefix("HTTP/1.1 201 "))
    }
  }

  @Test func `A request of a disconnected client is completed, and its repetition waits for the result`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let body = "{\"text\":\"slow\"}"
      let first = try await RawConnection.open(serving.socket)
      first.send(Self.post("k", body))
      for await _ in serving.service.waits { break }
      first.close()
      let client = serving.client.once("k")
      let again = Task { try await client.post(MessageRequest(text: "slow")) }
      // The service receives the second request before the first one may end.
      _ = try await serving.client.status()
      serving.service.letGo()
      #expect(try await again.value.text == "slow")
      #expect(serving.service.calls.count == 1)
    }
  }

  @Test func `The number of stored keys is limited, and the oldest are removed first`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      for number in 0...256 { try await serving.client.once("\(number)").post(MessageRequest(text: "a")) }
      try await serving.client.once("256").post(MessageRequest(text: "a"))
      #expect(serving.service.calls.count == 257)
      try await serving.client.once("0").post(MessageRequest(text: "a"))
      #expect(serving.service.calls.count == 258)
    }
  }

  @Test(
    "An invalid key is rejected", arguments: ["", "ü", String(repeating: "a", count: 256), "a\r\nidempotency-key: b"])
  func noKey(key: String) async throws {
    try await Serving.run { (serving: Serving) async throws in
      #expect(try await serving.answer(to: Self.post(key)).hasPrefix("HTTP/1.1 400 "))
      #expect(serving.service.calls.isEmpty)
    }
  }
}
