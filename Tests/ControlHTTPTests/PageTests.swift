import Control
import ControlClient
import FakeServiceSupport
import JSON
import NIOCore
import NIOEmbedded
import Testing

@testable import ControlHTTP

/// Lists in pages, and tables in parts.
@Suite struct PageTests {
  private static let began = Timestamp(milliseconds: 0)

  private static func messages(_ count: Int, of text: String = "a") -> [LiveMessage] {
    (1...count).map { id in
      LiveMessage(
        id: id, text: text, scene: ["kind": "banner", "text": .string(text)], kind: "banner", summary: "a",
        target: "all", created: began, changed: began)
    }
  }

  private static func history(_ count: Int) -> [HistoryLine] {
    (1...count).reversed().map { id in
      HistoryLine(id: "\(id)", display: "DP-1", monitor: "M", kind: "banner", what: "Number \(id)", began: began)
    }
  }

  @Test func `A page links to the next one, and the last page has no link`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      serving.service.messagesToList = Self.messages(5)
      let first = try await serving.request("GET", "/v1/messages?limit=2")
      #expect(header("link", of: first) == "</v1/messages?after=2.2&limit=2>; rel=\"next\"")
      let second = try await serving.request("GET", "/v1/messages?after=2.2&limit=2")
      #expect(second.contains("\"id\":3") && second.contains("\"id\":4") && !second.contains("\"id\":5"))
      let last = try await serving.request("GET", "/v1/messages?after=4.4&limit=2")
      #expect(last.contains("\"id\":5") && header("link", of: last) == nil)
      #expect(header("link", of: try await serving.request("GET", "/v1/messages")) == nil)
    }
  }

  @Test func `A short list does not wait for another client's page`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let (begun, begin) = AsyncStream.makeStream(of: Void.self)
      let (allowed, allow) = AsyncStream.makeStream(of: Void.self)
      serving.service.beforeMessages = {
        begin.yield()
        for await _ in allowed { break }
      }
      async let page = serving.request("GET", "/v1/messages")
      for await _ in begun { break }
      #expect(try await serving.request("GET", "/v1/displays").hasPrefix("HTTP/1.1 200 "))
      allow.finish()
      #expect(try await page.hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func `A page continues after its last item, even if the list has changed`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      serving.service.messagesToList = Array(Self.messages(5).dropFirst(2))
      #expect(try await serving.request("GET", "/v1/messages?after=3.3&limit=1").contains("\"id\":4"))
      let gone = try await serving.request("GET", "/v1/messages?after=1.1&limit=1")
      #expect(gone.contains("\"id\":4"), "if the item is gone, the number of items before it counts")
      #expect(try await serving.request("GET", "/v1/messages?after=99.99").hasSuffix("\r\n\r\n[]"))
    }
  }

  @Test(
    "A position with any key is accepted",
    arguments: ["", ".", "1", "%CC%81", "%F3%A0%80%A4%3B", "%0C", "%E2%80%8D"])
  func accepted(key: String) async throws {
    try await Serving.run { (serving: Serving) async throws in
      for path in ["/v1/messages", "/v1/sessions", "/v1/displays", "/v1/images"] {
        #expect(try await serving.request("GET", "\(path)?after=9.\(key)").hasPrefix("HTTP/1.1 200 "))
      }
    }
  }

  @Test(
    "An invalid position is rejected",
    arguments: ["limit=0", "limit=1001", "limit=+1", "after=1", "after=+1.1", "after=."])
  func refused(query: String) async throws {
    try await Serving.run { (serving: Serving) async throws in
      for path in ["/v1/messages", "/v1/sessions", "/v1/displays", "/v1/images"] {
        #expect(try await serving.request("GET", "\(path)?\(query)").hasPrefix("HTTP/1.1 400 "))
      }
    }
  }

  @Test func `A list of 16 MB is split into pages of 256 KB, and the client reads all of them`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let messages = Self.messages(1000, of: String(repeating: "word ", count: 3277))
      serving.service.messagesToList = messages
      let page = try await serving.request("GET", "/v1/messages")
      #expect(page.utf8.count < 320_000 && header("link", of: page) != nil)
      #expect(try await serving.client.messages() == messages)
    }
  }

  @Test func `A response has at most 1,000 history entries, and the client reads the requested number`()
    async throws
  {
    try await Serving.run { (serving: Serving) async throws in
      let history = Self.history(2500)
      serving.service.historyToList = history
      let page = try await serving.request("GET", "/v1/history?limit=100000")
      #expect(serving.service.calls == [.history(HistoryQuery(limit: 1000))])
      #expect(header("link", of: page) == "</v1/history?after=1501&limit=100000>; rel=\"next\"")
      #expect(try await serving.client.history(HistoryQuery(limit: 2200)) == Array(history.prefix(2200)))
      #expect(try await serving.client.history(HistoryQuery(limit: 9999)) == history)
      #expect(try await serving.client.history() == Array(history.prefix(100)))
    }
  }

  @Test func `A table has all lines, or the requested number`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      serving.service.historyToList = Self.history(1234)
      for (query, count) in [(HistoryQuery(), 1234), (HistoryQuery(limit: 700), 700), (HistoryQuery(limit: 500), 500)] {
        let table = String(decoding: try await serving.client.historyTable(query), as: UTF8.self)
        let lines = table.split(separator: "\r\n")
        #expect(lines.count == count + 1 && lines.first?.hasPrefix("display,") == true)
        #expect(Set(lines).count == count + 1 && lines.last?.contains("Number \(1235 - count),") == true)
      }
      #expect(try await serving.request("HEAD", "/v1/history?format=csv").hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test func `A table is generated no faster than the client reads it`() throws {
    let wire = Wire()
    wire.service.historyToList = Self.history(100_000)
    let channel = try wire.connect()
    let dam = Dam()
    try channel.pipeline.syncOperations.addHandler(dam, position: .first)
    try wire.send("GET /v1/history?format=csv HTTP/1.1\r\nhost: x\r\n\r\n", on: channel)
    wire.letPagesBeMade()
    #expect(wire.service.calls.count == 1)
    for _ in 0..<4 {
      dam.takeOne()
      wire.letPagesBeMade()
    }
    #expect(wire.service.calls.count <= 4)
    channel.close(promise: nil)
    wire.loop.run()
  }
}
