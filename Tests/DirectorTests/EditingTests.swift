import Control
import Director
import Scenes
import Testing
import VirtualDisplays

/// Texts that somebody types while they are shown.
struct EditingTests {
  @Test func `three hundred edits while a frame is on its way are two frames: that one, and the newest`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    _ = try await rig.show("Start", on: "Virtual-1")
    let before = rig.card.journal.count
    let events = await rig.director.events()
    rig.card.holdFlips()
    try await edit(rig, "Draft 1")
    await rig.waitWhile { director in !director.awaitsFlip("Virtual-1") }
    for number in 2...300 { try await edit(rig, "Draft \(number)") }
    #expect(rig.card.journal.count - before == 1, "the next frame waits for the flip of the last")
    rig.card.releaseFlips()
    for await event in events where event.kind == .messageShown && event.detail == "Draft 300" { break }
    #expect(rig.card.journal.dropFirst(before) == ["flip Virtual-1", "flip Virtual-1"])
    #expect(await rig.display("Virtual-1")?.message == "Draft 300")
    #expect(await rig.director.sessions().count == 1)
  }

  @Test func `after the last of many edits there are at most two more frames`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    let events = await rig.director.events()
    for number in 1...300 { try await edit(rig, "Draft \(number)") }
    let before = rig.card.journal.count
    for await event in events where event.kind == .messageShown && event.detail == "Draft 300" { break }
    #expect(rig.card.journal.count - before <= 2)
    #expect(await rig.display("Virtual-1")?.message == "Draft 300")
  }

  private func edit(_ rig: Rig, _ text: String) async throws {
    let request = OpenRequest(scene: Scene.banner(text).document, display: "Virtual-1", tag: "draft")
    _ = try await rig.director.open(request)
  }
}
