import Control
import JSON
import Scenes
import Testing

@testable import Director

/// What does not fit is refused with the bound and the next step, and nothing is changed.
struct BoundsTests {
  private func refusal(_ body: () async throws -> Void) async -> ControlError? {
    do {
      try await body()
      return nil
    } catch { return error as? ControlError }
  }

  @Test func `a text of more than 64 KiB is refused, as a message and as a scene`() async throws {
    let rig = Rig()
    await rig.start()
    let text = String(repeating: "x", count: SceneBounds.text + 1)
    let scene: JSONValue = ["kind": "markdown", "text": .string(text)]
    for request in [MessageRequest(text: text), MessageRequest(scene: scene)] {
      let refused = try #require(await refusal { _ = try await rig.director.post(request) })
      #expect(refused.kind == .invalid)
      #expect(refused.message == "the scene cannot be used: `text` has 65537 bytes: it may have at most 65536")
      #expect(await refusal { _ = try await rig.director.setMessage(request) } == refused)
    }
    #expect(await rig.director.messages().isEmpty)
    _ = try await rig.director.post(MessageRequest(text: String(text.dropLast())))
  }

  @Test func `the thousand and first message is refused, and all before it live`() async throws {
    let rig = Rig()
    await rig.start()
    for number in 0..<SessionModel.mostMessages { _ = try await rig.director.post(MessageRequest(text: "\(number)")) }
    let refused = try #require(
      await refusal { _ = try await rig.director.post(MessageRequest(text: "more", priority: 100)) })
    #expect(refused.kind == .conflict && refused.message.contains("withdraw"))
    #expect(await rig.director.messages().count == SessionModel.mostMessages)
    #expect(rig.keeper.records.count { $0.kind == "message" } == SessionModel.mostMessages)
  }

  @Test func `messages and sessions share one bound in bytes, and the refusal names it`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(320, 240)
    let text = String(repeating: "x", count: SceneBounds.text)
    let count = SessionModel.mostBytes / SceneBounds.text - 1
    for _ in 0..<count { _ = try await rig.director.post(MessageRequest(text: text)) }
    let large = MessageRequest(text: text, display: "Virtual-1")
    let refused = try #require(await refusal { _ = try await rig.director.setMessage(large) })
    #expect(refused.kind == .conflict && refused.message.contains("16 MiB"))
    #expect(await rig.director.sessions().compactMap(\.id).isEmpty)
    _ = try await rig.show("small", on: "Virtual-1")
  }
}
