import Control
import JSON
import Testing

@testable import Director

/// Refusals of unknown displays, sessions and messages, which have the same words in each call.
struct UnknownNameTests {
  private typealias Call = @Sendable (Director) async throws -> Void

  /// The calls that take the name of a display, by the operation of the interface.
  private static let displayCalls: [(String, Call)] = [
    ("why", { _ = try await $0.why("DP-9") }),
    ("displayMessage", { _ = try await $0.message("DP-9") }),
    ("setDisplayMessage", { _ = try await $0.setMessage(MessageRequest(text: "a", display: "DP-9")) }),
    ("removeDisplayMessage", { _ = try await $0.removeMessage("DP-9") }),
    ("setAsleep", { _ = try await $0.setAsleep(SleepRequest(asleep: true, display: "DP-9")) }),
    ("open", { _ = try await $0.open(OpenRequest(scene: ["kind": "blank"], display: "DP-9")) }),
    ("move", { _ = try await $0.move(1, to: "DP-9") }),
    ("post", { _ = try await $0.post(MessageRequest(text: "a", display: "DP-9")) }),
    ("history", { _ = try await $0.history(HistoryQuery(display: "DP-9")) }),
    ("screenshot", { _ = try await $0.screenshot("DP-9", ScreenshotRequest()) }),
    ("preview", { _ = try await $0.preview("DP-9", PreviewRequest(width: 480)) }),
    ("setMode", { _ = try await $0.setMode("DP-9", ModeRequest(mode: "native")) }),
    ("confirmMode", { _ = try await $0.confirmMode("DP-9") }),
    ("resetMode", { _ = try await $0.resetMode("DP-9") }),
    ("identify", { _ = try await $0.identify(IdentifyRequest(display: "DP-9")) }),
    ("unplug", { _ = try await $0.unplug("DP-9") }),
  ]

  @Test func `each call refuses an unknown display in the same words`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    let refusal = ControlError.unknownDisplay("DP-9", known: await harness.director.displays().map(\.name))
    #expect(refusal.message.hasPrefix("there is no display DP-9; the displays are Virtual-1"))
    for (operation, call) in Self.displayCalls {
      await #expect(throws: refusal, "\(operation)") { try await call(harness.director) }
    }
  }

  @Test func `each call refuses an unknown session or message in the same words`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    let session = ControlError(.notFound, "there is no session 7; `placard sessions` lists them")
    await #expect(throws: session) { try await harness.director.close(7) }
    await #expect(throws: session) { try await harness.director.refresh(7) }
    await #expect(throws: session) { try await harness.director.move(7, to: "Virtual-1") }
    await #expect(throws: session) { try await harness.director.scroll(7, .position(0)) }
    await #expect(throws: session) { try await harness.director.edit(7, SceneEdit(scene: ["kind": "blank"])) }
    let message = ControlError(.notFound, "there is no message 7; `placard messages` lists them")
    await #expect(throws: message) { try await harness.director.acknowledge(7) }
    await #expect(throws: message) { try await harness.director.withdraw(7) }
  }
}
