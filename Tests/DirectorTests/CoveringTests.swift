import Control
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// A message covers what is open on a display, and gives it back.
struct CoveringTests {
  private func open(_ text: String, on display: String, _ rig: Rig) async throws -> Int {
    let request = OpenRequest(scene: Scene.banner(text).document, display: display, wait: true)
    return try #require(try await rig.director.open(request).id)
  }

  private func rig(_ displays: Int = 1) async throws -> Rig {
    let rig = Rig()
    await rig.start()
    for _ in 0..<displays { try await rig.plug(320, 240) }
    await rig.rest()
    return rig
  }

  @Test func `a message for one display covers its session, which is seen again once it is cleared`() async throws {
    let rig = try await rig(2)
    let session = try await open("Notes", on: "Virtual-1", rig)
    let report = try await rig.show("Closed", on: "Virtual-1")
    #expect(report.shown.map(\.display) == ["Virtual-1"])
    #expect(await rig.director.session(session)?.covered == true)
    let cleared = try await rig.director.removeMessage("Virtual-1")
    #expect(cleared.removed.map(\.summary) == ["Closed"] && cleared.remaining.isEmpty)
    #expect(await rig.director.session(session)?.covered == false)
    await rig.wait { await rig.display("Virtual-1")?.message == "Notes" }
  }

  @Test func `clearing names the messages that displays show all the same`() async throws {
    let rig = try await rig(2)
    let fire = MessageRequest(text: "Fire drill", priority: 5, seconds: 600, acknowledge: true, wait: true)
    let id = try #require(try await rig.director.post(fire).id)
    _ = try await rig.show("Hello")
    let cleared = try await rig.director.removeMessage(nil)
    #expect(cleared.removed.map(\.summary) == ["Hello"])
    let remaining = try #require(cleared.remaining.first)
    #expect(cleared.remaining.count == 1 && remaining.id == id && remaining.summary == "Fire drill")
    #expect(remaining.displays == ["Virtual-1", "Virtual-2"] && remaining.acknowledge)
    #expect(remaining.expires == Timestamp(milliseconds: rig.clock.now + 600_000))
    #expect(try await rig.director.removeMessage("Virtual-2").removed.isEmpty)
    let all = await rig.director.removeAllMessages()
    #expect(all.removed.map(\.id) == [id] && all.remaining.isEmpty)
    #expect(await rig.director.messages().isEmpty)
  }

  @Test func `a session that another one replaced opens again, also after a restart`() async throws {
    let rig = try await rig()
    let first = try await open("First", on: "Virtual-1", rig)
    let second = try await open("Second", on: "Virtual-1", rig)
    #expect(await rig.director.closedSessions().map(\.id) == [first])
    let again = Rig(keeper: KeptRecords(rig.keeper.records))
    await again.start()
    #expect(await again.director.closedSessions().map(\.summary) == ["First"])
    let report = try await rig.director.reopen(first)
    #expect(report.id == first && report.display == "Virtual-1" && report.summary == "First")
    #expect(await rig.director.closedSessions().map(\.id) == [second])
    await #expect(throws: ControlError.self) { try await rig.director.reopen(first) }
  }
}
