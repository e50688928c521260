import Configuration
import Control
import Director
import Displays
import Geometry
import Testing
import VirtualDisplays

/// Sleep of the card in memory, which behaves like the kernel.
struct SleepTests {
  private let card = VirtualCard(crtcs: 2, keepsJournal: true, clock: { 7 })
  private let sleeping = SleepingOutput(connector: 101, name: "Virtual-1", crtc: 1)

  /// Plugs in a monitor and sets its mode with a new buffer.
  private func light() async throws -> FrameBuffer {
    card.plug(VirtualMonitor(size: Size(640, 480), name: "sleeper"), into: "Virtual-1")
    let buffer = try await card.allocate(Size(640, 480))
    try await card.apply(lighting(buffer.id))
    return buffer
  }

  private func lighting(_ buffer: BufferID) -> ModesetPlan {
    let mode = Mode(size: Size(640, 480), refresh: 60000)
    return ModesetPlan(lit: [EnabledOutput(connector: 101, name: "Virtual-1", crtc: 1, mode: mode, buffer: buffer)])
  }

  /// Returns the error of a refused flip; nil if it is accepted.
  private func refusal(_ buffer: BufferID) -> CardError? {
    do throws(CardError) {
      try card.present(FlipRequest(crtc: 1, name: "Virtual-1", buffer: buffer))
      return nil
    } catch { return error }
  }

  @Test func `a sleeping display scans out nothing, refuses flips and keeps its CRTC enabled`() async throws {
    let buffer = try await light()
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    #expect(card.scanout("Virtual-1") == nil)
    #expect(refusal(buffer.id)?.reason == .refused)
    let snapshot = try await card.probe(nil)
    #expect(snapshot.connectors.first?.currentCRTC == 1)
    #expect(snapshot.crtcs.first?.isEnabled == true)
    #expect(card.journal == ["light Virtual-1 640x480@60", "sleep Virtual-1"])
  }

  @Test func `a modeset wakes a sleeping display with a flip event, and flips are accepted again`() async throws {
    let first = try await light()
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    let second = try await card.allocate(Size(640, 480))
    try await card.apply(lighting(second.id))
    #expect(card.scanout("Virtual-1")?.size == Size(640, 480))
    #expect(refusal(first.id) == nil)
    card.lose()
    var flips = 0
    for await event in card.events { if case .flipped = event { flips += 1 } }
    #expect(flips == 3)
  }

  @Test func `a sleeping output can be disabled, and a disabled one cannot sleep`() async throws {
    _ = try await light()
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    try await card.apply(ModesetPlan(dark: [1]))
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    #expect(card.journal == ["light Virtual-1 640x480@60", "sleep Virtual-1", "dark 1"])
    #expect(try await card.probe(nil).crtcs.first?.isEnabled == false)
  }

  @Test func `a failed sleep leaves the display lit, and the next one succeeds`() async throws {
    let buffer = try await light()
    card.inject(.failSleep(.busy), count: 1)
    await #expect(throws: CardError.self) { try await card.apply(ModesetPlan(asleep: [sleeping])) }
    #expect(card.scanout("Virtual-1") != nil && refusal(buffer.id) == nil)
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    #expect(card.scanout("Virtual-1") == nil)
  }
}

/// Sleep requests of clients.
struct SleepingDisplayTests {
  private func harness(_ count: Int = 1) async throws -> Harness {
    let harness = Harness()
    await harness.start()
    for number in 0..<count { try await harness.plug(640 + 16 * number, 480) }
    _ = try await harness.show("Hello")
    return harness
  }

  @Test func `a display keeps its mode during sleep, and wakes with the newest message`() async throws {
    let harness = try await harness()
    let asleep = try await harness.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    #expect(asleep.map(\.state) == [.asleep])
    #expect(asleep.first?.mode == "640x480@60")
    let isDark = harness.card.scanout("Virtual-1") == nil
    #expect(isDark)
    let waited = try await harness.show("Later")
    #expect(waited.shown.isEmpty && waited.warnings.isEmpty)
    #expect(waited.notShown == ["Virtual-1: asleep; `placard wake Virtual-1` lights it"])
    let woken = try await harness.director.setAsleep(SleepRequest(asleep: false))
    #expect(woken.map(\.state) == [.lit])
    #expect(woken.first?.message == "Later")
    #expect(harness.modesets == ["light Virtual-1 640x480@60", "sleep Virtual-1", "light Virtual-1 640x480@60"])
  }

  @Test func `a monitor that disconnects during sleep stays asleep when it returns, on any port`() async throws {
    let harness = try await harness()
    _ = try await harness.show("Mine", on: "Virtual-1")
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    for _ in 0..<3 {
      try await harness.director.unplug("Virtual-1")
      #expect(try await harness.plug(640, 480).state == .asleep)
    }
    try await harness.director.unplug("Virtual-1")
    #expect(try await harness.plug(640, 480, into: "Virtual-3").state == .asleep)
    #expect(!harness.modesets.dropFirst(2).contains { $0.hasPrefix("light") })
    let woken = try await harness.director.setAsleep(SleepRequest(asleep: false, display: "Virtual-3"))
    #expect(woken.map(\.state) == [.lit])
    #expect(woken.map(\.message) == ["Mine"])
  }

  @Test func `another monitor on a sleeping one's port is lit, and its neighbor does not blink`() async throws {
    let harness = try await harness(2)
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    try await harness.director.unplug("Virtual-1")
    try await harness.plug(800, 600, into: "Virtual-1")
    _ = try await harness.show("Hello again")
    #expect(await harness.display("Virtual-1")?.state == .lit)
    #expect(harness.modesets.filter { $0.contains("Virtual-2") }.count == 1)
    let sessions = await harness.director.sessions()
    #expect(sessions.map(\.display) == ["Virtual-1", "Virtual-2", nil])
    #expect(sessions.map(\.asleep) == [false, false, true])
  }

  @Test func `a reload and a message for all displays do not wake a sleeping one`() async throws {
    let harness = try await harness()
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    await harness.director.apply(Settings(message: "Other"))
    let report = try await harness.director.setMessage(MessageRequest(text: "Now"))
    #expect(report.unseen == "Virtual-1: asleep; `placard wake Virtual-1` lights it" && report.warnings == [])
    #expect(await harness.display("Virtual-1")?.state == .asleep)
    #expect(await harness.director.status().problems == [])
    await #expect(throws: ControlError.self) { try await harness.director.screenshot("Virtual-1", ScreenshotRequest()) }
  }

  @Test func `a display that cannot be put to sleep is logged, and can still be woken`() async throws {
    let harness = try await harness()
    harness.card.inject(.failSleep(.refused))
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    #expect(harness.log.complaints.contains { $0.hasPrefix("Virtual-1: could not be put to sleep") })
    let woken = try await harness.director.setAsleep(SleepRequest(asleep: false))
    #expect(woken.map(\.state) == [.lit])
  }

  @Test func `a display put to sleep while it is being enabled ends asleep`() async throws {
    let harness = Harness()
    await harness.start()
    async let plugged = harness.plug(640, 480)
    await harness.isBeingLit("Virtual-1")
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    _ = try await plugged
    #expect(try await harness.show("Later").notShown == ["Virtual-1: asleep; `placard wake Virtual-1` lights it"])
    let isDark = harness.card.scanout("Virtual-1") == nil
    #expect(isDark)
  }

  @Test func `messages move with their monitors when ports are swapped`() async throws {
    let harness = try await harness(2)
    _ = try await harness.show("A", on: "Virtual-1")
    _ = try await harness.show("B", on: "Virtual-2")
    try await harness.director.unplug("Virtual-1")
    try await harness.director.unplug("Virtual-2")
    #expect(try await harness.plug(640, 480, into: "Virtual-2").name == "Virtual-2")
    try await harness.plug(656, 480, into: "Virtual-1")
    await harness.director.settled()
    #expect(try await harness.director.message("Virtual-2").text == "A")
    #expect(try await harness.director.message("Virtual-1").text == "B")
    let lights = harness.modesets.suffix(2)
    #expect(lights == ["light Virtual-2 640x480@60", "light Virtual-1 656x480@60"])
  }
}
