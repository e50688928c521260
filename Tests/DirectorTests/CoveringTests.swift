import Control
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// Messages that cover the session of a display until they end.
struct CoveringTests {
  private func open(_ text: String, on display: String, _ harness: Harness) async throws -> Int {
    let request = OpenRequest(scene: Scene.banner(text).document, display: display, wait: true)
    return try #require(try await harness.director.open(request).id)
  }

  private func harness(_ displays: Int = 1) async throws -> Harness {
    let harness = Harness()
    await harness.start()
    for _ in 0..<displays { try await harness.plug(320, 240) }
    await harness.rest()
    return harness
  }

  @Test func `a message for one display covers its session until it is cleared`() async throws {
    let harness = try await harness(2)
    let session = try await open("Notes", on: "Virtual-1", harness)
    let report = try await harness.show("Closed", on: "Virtual-1")
    #expect(report.shown.map(\.display) == ["Virtual-1"])
    #expect(await harness.director.session(session)?.covered == true)
    let cleared = try await harness.director.removeMessage("Virtual-1")
    #expect(cleared.removed.map(\.summary) == ["Closed"] && cleared.remaining.isEmpty)
    #expect(await harness.director.session(session)?.covered == false)
    await harness.wait { await harness.display("Virtual-1")?.message == "Notes" }
  }

  @Test func `clearing reports the messages that remain on screen, and clearing all removes them`() async throws {
    let harness = try await harness(2)
    let fire = MessageRequest(text: "Fire drill", priority: 5, seconds: 600, acknowledge: true, wait: true)
    let id = try #require(try await harness.director.post(fire).id)
    _ = try await harness.show("Hello")
    let cleared = try await harness.director.removeMessage(nil)
    #expect(cleared.removed.map(\.summary) == ["Hello"])
    let remaining = try #require(cleared.remaining.first)
    #expect(cleared.remaining.count == 1 && remaining.id == id && remaining.summary == "Fire drill")
    #expect(remaining.displays == ["Virtual-1", "Virtual-2"] && remaining.acknowledge)
    #expect(remaining.expires == Timestamp(milliseconds: harness.clock.now + 600_000))
    #expect(try await harness.director.removeMessage("Virtual-2").removed.isEmpty)
    let all = await harness.director.removeAllMessages()
    #expect(all.removed.map(\.id) == [id] && all.remaining.isEmpty)
    #expect(await harness.director.messages().isEmpty)
  }

  @Test func `a replaced session is listed as closed, even after a restart, and can be reopened`() async throws {
    let harness = try await harness()
    let first = try await open("First", on: "Virtual-1", harness)
    let second = try await open("Second", on: "Virtual-1", harness)
    #expect(await harness.director.closedSessions().map(\.id) == [first])
    let again = Harness(persistence: KeptRecords(harness.persistence.records))
    await again.start()
    #expect(await again.director.closedSessions().map(\.summary) == ["First"])
    let report = try await harness.director.reopen(first)
    #expect(report.id == first && report.display == "Virtual-1" && report.summary == "First")
    #expect(await harness.director.closedSessions().map(\.id) == [second])
    await #expect(throws: ControlError.self) { try await harness.director.reopen(first) }
  }
}
