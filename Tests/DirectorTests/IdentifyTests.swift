import Configuration
import Control
import Displays
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// Displays tell which they are, above all else, and for a while.
struct IdentifyTests {
  private func rig(_ settings: Settings = Settings(message: "Hello")) async throws -> Rig {
    let start = Rig.now()
    let rig = Rig(settings, now: { start })
    await rig.start()
    try await rig.plug(640, 480)
    try await rig.plug(320, 240)
    await rig.rest()
    return rig
  }

  private func ask(_ rig: Rig, _ display: String? = nil, seconds: Int? = nil) async throws(ControlError)
    -> [DisplayReport]
  {
    try await rig.director.identify(IdentifyRequest(display: display, seconds: seconds))
  }

  @Test func `all displays tell their own names, monitors, modes and the address`() async throws {
    let rig = try await rig()
    await rig.director.setAddress("http://192.0.2.7:8080")
    let reports = try await ask(rig)
    #expect(reports.map(\.name) == ["Virtual-1", "Virtual-2"])
    #expect(reports.map(\.message) == ["identify screen", "identify screen"])
    let panel = try #require(await rig.director.identity(on: "Virtual-2"))
    #expect(panel.name == "Virtual-2" && panel.mode == "320x240@60" && panel.role == "external")
    #expect(panel.monitor == reports[1].monitor && panel.address == "http://192.0.2.7:8080")
    #expect(await rig.director.identity(on: "Virtual-1")?.name == "Virtual-1")
  }

  @Test func `one display tells its name, over whatever covers its session, and the session stays`() async throws {
    let rig = try await rig()
    let session = try await rig.director.open(
      OpenRequest(scene: Scene.banner("Mine").document, display: "Virtual-1"))
    _ = try await rig.director.post(MessageRequest(text: "Urgent", priority: 100))
    let reports = try await ask(rig, "Virtual-1", seconds: 5)
    #expect(reports.map(\.message) == ["identify screen"])
    #expect(await rig.display("Virtual-2")?.message == "Urgent")
    let message = try #require(await rig.director.messages().first)
    #expect(message.name == "identify" && message.priority == 100 && message.target == "display:Virtual-1")
    #expect(message.expires == Timestamp(milliseconds: rig.clock.now + 5000))
    let after = await rig.director.sessions().first { $0.display == "Virtual-1" }
    #expect(after?.id == session.id && after?.summary == "Mine" && after?.opened == session.opened)
  }

  @Test func `it is over after ten seconds, and what was there is there again`() async throws {
    let rig = try await rig()
    _ = try await ask(rig)
    #expect(await rig.director.timerDue == rig.clock.now + 10_000)
    rig.clock.now += 10_000
    await rig.director.momentCame()
    await rig.rest()
    #expect(await rig.director.displays().map(\.message) == ["Hello", "Hello"])
    #expect(await rig.director.messages().isEmpty)
  }

  @Test func `twice is once: the second begins anew`() async throws {
    let rig = try await rig()
    _ = try await ask(rig, seconds: 3)
    _ = try await ask(rig, "Virtual-2", seconds: 60)
    #expect(await rig.director.messages().count == 1)
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.message == "Hello")
  }

  @Test func `a sleeping display is not woken, and is told to sleep`() async throws {
    let rig = try await rig()
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-2"))
    let reports = try await ask(rig)
    #expect(reports.map(\.state) == ["lit", "asleep"])
    #expect(reports[1].reason?.contains("placard wake Virtual-2") ?? false)
    #expect(rig.card.glass("Virtual-2") == nil)
  }

  @Test func `a mirror of a display that tells its name tells that name, too`() async throws {
    let rig = try await rig()
    _ = try await rig.director.open(
      OpenRequest(scene: Scene(.mirror(of: "Virtual-1")).document, display: "Virtual-2"))
    _ = try await ask(rig, "Virtual-1")
    await rig.rest()
    let mirror = try #require(await rig.director.mirror("Virtual-2"))
    guard case .identify(let panel) = mirror.view.content else { throw ControlError(.failed, "\(mirror)") }
    #expect(panel.name == "Virtual-1")
  }

  @Test func `another address is on the glass at once`() async throws {
    let rig = try await rig()
    _ = try await ask(rig)
    #expect(await rig.director.identity(on: "Virtual-1")?.address == nil)
    await rig.rest()
    let before = rig.card.journal.count
    await rig.director.setAddress("http://192.0.2.7:8080")
    await rig.rest()
    #expect(rig.card.journal.dropFirst(before).sorted() == ["flip Virtual-1", "flip Virtual-2"])
    await rig.director.setAddress("http://192.0.2.7:8080")
    #expect(rig.card.journal.count == before + 2, "the same address is no news")
  }

  @Test func `who asks wrong is told so, and nothing is posted`() async throws {
    let rig = try await rig()
    for (display, seconds, kind): (String?, Int?, ControlError.Kind) in [
      (nil, 0, .invalid), (nil, 601, .invalid), ("DP-9", nil, .notFound),
    ] {
      let error = await #expect(throws: ControlError.self) { try await ask(rig, display, seconds: seconds) }
      #expect(error?.kind == kind)
    }
    try await rig.director.unplug("Virtual-2")
    let error = await #expect(throws: ControlError.self) { try await ask(rig, "Virtual-2") }
    #expect(error?.kind == .conflict)
    #expect(await rig.director.messages().isEmpty)
  }

  @Test func `without a display there is nothing to tell`() async throws {
    let rig = Rig()
    await rig.start()
    #expect(try await ask(rig).isEmpty)
    #expect(await rig.director.messages().isEmpty)
  }
}
