import Configuration
import Control
import Displays
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// Identify screens, which cover everything else for a limited time.
struct IdentifyTests {
  private func harness(_ settings: Settings = Settings(message: "Hello")) async throws -> Harness {
    let start = Harness.now()
    let harness = Harness(settings, now: { start })
    await harness.start()
    try await harness.plug(640, 480)
    try await harness.plug(320, 240)
    await harness.rest()
    return harness
  }

  private func ask(_ harness: Harness, _ display: String? = nil, seconds: Int? = nil) async throws(ControlError)
    -> [DisplayReport]
  {
    try await harness.director.identify(IdentifyRequest(display: display, seconds: seconds))
  }

  @Test func `all displays show their names, monitors, modes and the address`() async throws {
    let harness = try await harness()
    await harness.director.setAddress("http://192.0.2.7:8080")
    let reports = try await ask(harness)
    #expect(reports.map(\.name) == ["Virtual-1", "Virtual-2"])
    #expect(reports.map(\.message) == ["identify screen", "identify screen"])
    let panel = try #require(await harness.director.identity(on: "Virtual-2"))
    #expect(panel.name == "Virtual-2" && panel.mode == "320x240@60" && panel.role == "external")
    #expect(panel.monitor == reports[1].monitor && panel.address == "http://192.0.2.7:8080")
    #expect(await harness.director.identity(on: "Virtual-1")?.name == "Virtual-1")
  }

  @Test func `an identify screen covers even an urgent message, and the session remains`() async throws {
    let harness = try await harness()
    let session = try await harness.director.open(
      OpenRequest(scene: Scene.banner("Mine").document, display: "Virtual-1"))
    _ = try await harness.director.post(MessageRequest(text: "Urgent", priority: 100))
    let reports = try await ask(harness, "Virtual-1", seconds: 5)
    #expect(reports.map(\.message) == ["identify screen"])
    #expect(await harness.display("Virtual-2")?.message == "Urgent")
    let message = try #require(await harness.director.messages().first)
    #expect(message.name == "identify" && message.priority == 100 && message.target == "display:Virtual-1")
    #expect(message.expires == Timestamp(milliseconds: harness.clock.now + 5000))
    let after = await harness.director.sessions().first { $0.display == "Virtual-1" }
    #expect(after?.id == session.id && after?.summary == "Mine" && after?.opened == session.opened)
  }

  @Test func `an identify screen ends after ten seconds, and the displays show their messages again`() async throws {
    let harness = try await harness()
    _ = try await ask(harness)
    #expect(await harness.director.timerDue == harness.clock.now + 10_000)
    harness.clock.now += 10_000
    await harness.director.momentCame()
    await harness.rest()
    #expect(await harness.director.displays().map(\.message) == ["Hello", "Hello"])
    #expect(await harness.director.messages().isEmpty)
  }

  @Test func `a second identify request replaces the first one`() async throws {
    let harness = try await harness()
    _ = try await ask(harness, seconds: 3)
    _ = try await ask(harness, "Virtual-2", seconds: 60)
    #expect(await harness.director.messages().count == 1)
    await harness.rest()
    #expect(await harness.display("Virtual-1")?.message == "Hello")
  }

  @Test func `a sleeping display is not woken, and its report says how to wake it`() async throws {
    let harness = try await harness()
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-2"))
    let reports = try await ask(harness)
    #expect(reports.map(\.state) == [.lit, .asleep])
    #expect(reports[1].reason?.contains("placard wake Virtual-2") ?? false)
    #expect(harness.card.scanout("Virtual-2") == nil)
  }

  @Test func `a mirror shows the identify screen of the display that it mirrors`() async throws {
    let harness = try await harness()
    _ = try await harness.director.open(
      OpenRequest(scene: Scene(.mirror(of: "Virtual-1")).document, display: "Virtual-2"))
    _ = try await ask(harness, "Virtual-1")
    await harness.rest()
    let mirror = try #require(await harness.director.mirror("Virtual-2"))
    guard case .identify(let panel) = mirror.view.content else { throw ControlError(.failed, "\(mirror)") }
    #expect(panel.name == "Virtual-1")
  }

  @Test func `a new address changes the identify screens immediately, and the same one does not`() async throws {
    let harness = try await harness()
    _ = try await ask(harness)
    #expect(await harness.director.identity(on: "Virtual-1")?.address == nil)
    await harness.rest()
    let before = harness.card.journal.count
    await harness.director.setAddress("http://192.0.2.7:8080")
    await harness.rest()
    #expect(harness.card.journal.dropFirst(before).sorted() == ["flip Virtual-1", "flip Virtual-2"])
    await harness.director.setAddress("http://192.0.2.7:8080")
    #expect(harness.card.journal.count == before + 2, "the same address causes no frame")
  }

  @Test func `invalid identify requests are refused, and no message is posted`() async throws {
    let harness = try await harness()
    for (display, seconds, kind): (String?, Int?, ControlError.Kind) in [
      (nil, 0, .invalid), (nil, 601, .invalid), ("DP-9", nil, .notFound),
    ] {
      let error = await #expect(throws: ControlError.self) { try await ask(harness, display, seconds: seconds) }
      #expect(error?.kind == kind)
    }
    try await harness.director.unplug("Virtual-2")
    let error = await #expect(throws: ControlError.self) { try await ask(harness, "Virtual-2") }
    #expect(error?.kind == .conflict)
    #expect(await harness.director.messages().isEmpty)
  }

  @Test func `an identify request without a display posts no message`() async throws {
    let harness = Harness()
    await harness.start()
    #expect(try await ask(harness).isEmpty)
    #expect(await harness.director.messages().isEmpty)
  }
}
