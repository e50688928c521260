import Control
import Director
import Displays
import Scenes
import Testing
import VirtualDisplays

/// Texts that are edited while they are on screen.
struct EditingTests {
  @Test func `300 edits during a pending flip cause two frames: the pending one and the newest`() async throws {
    // On a busy machine, 300 requests take longer than a flip may.
    let harness = Harness(patience: .init(flip: 86_400_000_000_000))
    await harness.start()
    try await harness.plug(640, 480)
    _ = try await harness.show("Start", on: "Virtual-1")
    let before = harness.card.journal.count
    let events = await harness.director.events()
    harness.card.holdFlips()
    try await edit(harness, "Draft 1")
    await harness.waitWhile { director in !director.awaitsFlip("Virtual-1") }
    for number in 2...300 { try await edit(harness, "Draft \(number)") }
    #expect(harness.card.journal.count - before == 1, "the next frame waits for the flip of the last")
    harness.card.releaseFlips()
    for await event in events where event.kind == .messageShown && event.detail == "Draft 300" { break }
    #expect(harness.card.journal.dropFirst(before) == ["flip Virtual-1", "flip Virtual-1"])
    #expect(await harness.display("Virtual-1")?.message == "Draft 300")
    #expect(await harness.director.sessions().count == 1)
  }

  @Test func `at most two frames follow the last of 300 edits`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    let events = await harness.director.events()
    for number in 1...300 { try await edit(harness, "Draft \(number)") }
    let before = harness.card.journal.count
    for await event in events where event.kind == .messageShown && event.detail == "Draft 300" { break }
    #expect(harness.card.journal.count - before <= 2)
    #expect(await harness.display("Virtual-1")?.message == "Draft 300")
  }

  private func edit(_ harness: Harness, _ text: String) async throws {
    let request = OpenRequest(scene: Scene.banner(text).document, display: "Virtual-1", tag: "draft")
    _ = try await harness.director.open(request)
  }
}
