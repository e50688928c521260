import Control
import JSON
import Scenes
import Testing

@testable import Director

/// The limits of texts and messages. A request above a limit is refused with the next step, and changes nothing.
struct BoundsTests {
  private func refusal(_ body: () async throws -> Void) async -> ControlError? {
    do {
      try await body()
      return nil
    } catch { return error as? ControlError }
  }

  @Test func `a text of more than 64 KiB is refused, whether it is plain or in a scene`() async throws {
    let harness = Harness()
    await harness.start()
    let text = String(repeating: "x", count: SceneBounds.text + 1)
    let scene: JSONValue = ["kind": "markdown", "text": .string(text)]
    for request in [MessageRequest(text: text), MessageRequest(scene: scene)] {
      let refused = try #require(await refusal { _ = try await harness.director.post(request) })
      #expect(refused.kind == .invalid)
      #expect(refused.message == "the scene cannot be used: `text` has 65537 bytes: it may have at most 65536")
      #expect(await refusal { _ = try await harness.director.setMessage(request) } == refused)
    }
    #expect(await harness.director.messages().isEmpty)
    _ = try await harness.director.post(MessageRequest(text: String(text.dropLast())))
  }

  @Test func `a message above the limit on their number is refused, and the existing ones remain`() async throws {
    let harness = Harness()
    await harness.start()
    for number in 0..<SessionModel.mostMessages {
      _ = try await harness.director.post(MessageRequest(text: "\(number)"))
    }
    let refused = try #require(
      await refusal { _ = try await harness.director.post(MessageRequest(text: "more", priority: 100)) })
    #expect(refused.kind == .conflict && refused.message.contains("withdraw"))
    #expect(await harness.director.messages().count == SessionModel.mostMessages)
    #expect(harness.persistence.records.count { $0.kind == "message" } == SessionModel.mostMessages)
  }

  @Test func `a message above the limit of 16 MiB is refused with the limit, and a small one fits`() async throws {
    let harness = Harness()
    await harness.start()
    let text = String(repeating: "x", count: SceneBounds.text)
    let count = SessionModel.mostBytes / SceneBounds.text - 1
    for _ in 0..<count { _ = try await harness.director.post(MessageRequest(text: text)) }
    // It is plugged in now, because the layout of each of these messages would take seconds.
    try await harness.plug(320, 240)
    let large = MessageRequest(text: text, display: "Virtual-1")
    let refused = try #require(await refusal { _ = try await harness.director.setMessage(large) })
    #expect(refused.kind == .conflict && refused.message.contains("16 MiB"))
    #expect(await harness.director.sessions().compactMap(\.id).isEmpty)
    _ = try await harness.show("small", on: "Virtual-1")
  }
}
