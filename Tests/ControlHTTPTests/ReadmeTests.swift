import Control
import ControlClient
import FakeServiceSupport
import Foundation
import Testing

/// The Swift example of the article on the HTTP interface, compiled as it is there.
@Suite struct ReadmeTests {
  // Article: begin
  func ring(_ client: PlacardClient) async throws {
    let lit = try await client.displays().filter { $0.state == .lit }
    guard !lit.isEmpty else { return }
    // The key makes it one message, however often the network fails and this is called again.
    let report = try await client.once("ring-2026-11-21T20:45").post(
      MessageRequest(text: "A visitor is at the door", name: "bell", priority: 50, seconds: 30, wait: true))
    for showing in report.shown { print("\(showing.display) after \(showing.milliseconds) ms") }
    for try await event in try await client.events() where event.kind == .messageEnded {
      return print("\(event.detail ?? "The message") is over")
    }
  }
  // Article: end

  @Test func `The article has the example as it is here`() throws {
    let lines = try String(contentsOfFile: #filePath, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let begin = try #require(lines.firstIndex(of: "  // Article: begin"))
    let end = try #require(lines.firstIndex(of: "  // Article: end"))
    let example = lines[(begin + 1)..<end].map { $0.dropFirst(2) }.joined(separator: "\n")
    let folder = URL(filePath: "\(#filePath)/../../..").standardized
    let file = folder.appending(path: "Sources/Documentation.docc/HTTPInterface.md")
    let article = try String(contentsOf: file, encoding: .utf8)
    #expect(article.contains("\n\(example)\n"))
  }

  @Test func `The example posts its message once and waits until it ends`() async throws {
    try await Serving.run { (serving: Serving) async throws in
      let client = serving.client
      let ringing = Task { try await ring(client) }
      await serving.service.readers.wait(for: 1)
      serving.service.readers.send(ControlEvent(id: 1, kind: .messageEnded, display: "", time: 0, detail: "5"))
      try await ringing.value
      let message = MessageRequest(
        text: "A visitor is at the door", name: "bell", priority: 50, seconds: 30, wait: true)
      #expect(serving.service.calls == [.post(message), .events(nil)])
    }
  }
}
