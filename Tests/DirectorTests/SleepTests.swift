import Configuration
import Control
import Director
import Displays
import Geometry
import Testing
import VirtualDisplays

/// What sleep means at the card in memory; it does as the kernel does.
struct SleepTests {
  private let card = VirtualCard(crtcs: 2, keepsJournal: true, clock: { 7 })
  private let sleeping = SleepingOutput(connector: 101, name: "Virtual-1", crtc: 1)

  /// Plugs a monitor and lights it with a new buffer.
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

  /// Why a flip is refused; nil where it was taken.
  private func refusal(_ buffer: BufferID) -> CardError? {
    do throws(CardError) {
      try card.present(FlipRequest(crtc: 1, name: "Virtual-1", buffer: buffer))
      return nil
    } catch { return error }
  }

  @Test func `a sleeping display shows nothing and takes no flip, and keeps CRTC and mode`() async throws {
    let buffer = try await light()
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    #expect(card.glass("Virtual-1") == nil)
    #expect(refusal(buffer.id)?.reason == .refused)
    let snapshot = try await card.probe(nil)
    #expect(snapshot.connectors.first?.currentCRTC == 1)
    #expect(snapshot.crtcs.first?.isEnabled == true)
    #expect(card.journal == ["light Virtual-1 640x480@60", "sleep Virtual-1"])
  }

  @Test func `light wakes it, with a flip event, and flips are taken again`() async throws {
    let first = try await light()
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    let second = try await card.allocate(Size(640, 480))
    try await card.apply(lighting(second.id))
    #expect(card.glass("Virtual-1")?.size == Size(640, 480))
    #expect(refusal(first.id) == nil)
    card.lose()
    var flips = 0
    for await event in card.events { if case .flipped = event { flips += 1 } }
    #expect(flips == 3)
  }

  @Test func `what sleeps can go dark, and what is dark cannot sleep`() async throws {
    _ = try await light()
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    try await card.apply(ModesetPlan(dark: [1]))
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    #expect(card.journal == ["light Virtual-1 640x480@60", "sleep Virtual-1", "dark 1"])
    #expect(try await card.probe(nil).crtcs.first?.isEnabled == false)
  }

  @Test func `a sleep that fails leaves the display lit, as often as it was injected`() async throws {
    let buffer = try await light()
    card.inject(.failSleep(.busy), count: 1)
    await #expect(throws: CardError.self) { try await card.apply(ModesetPlan(asleep: [sleeping])) }
    #expect(card.glass("Virtual-1") != nil && refusal(buffer.id) == nil)
    try await card.apply(ModesetPlan(asleep: [sleeping]))
    #expect(card.glass("Virtual-1") == nil)
  }
}

/// What sleep means for whoever holds the controller.
struct SleepingDisplayTests {
  private func rig(_ count: Int = 1) async throws -> Rig {
    let rig = Rig()
    await rig.start()
    for number in 0..<count { try await rig.plug(640 + 16 * number, 480) }
    _ = try await rig.show("Hello")
    return rig
  }

  @Test func `a display sleeps with its mode kept, and wakes with the picture that is due`() async throws {
    let rig = try await rig()
    let asleep = try await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    #expect(asleep.map(\.state) == ["asleep"])
    #expect(asleep.first?.mode == "640x480@60")
    let isDark = rig.card.glass("Virtual-1") == nil
    #expect(isDark)
    let waited = try await rig.show("Later")
    #expect(waited.shown.isEmpty && waited.warnings.isEmpty)
    #expect(waited.notShown == ["Virtual-1: asleep; `placard wake Virtual-1` lights it"])
    let woken = try await rig.director.setAsleep(SleepRequest(asleep: false))
    #expect(woken.map(\.state) == ["lit"])
    #expect(woken.first?.message == "Later")
    #expect(rig.modesets == ["light Virtual-1 640x480@60", "sleep Virtual-1", "light Virtual-1 640x480@60"])
  }

  @Test func `a monitor that drops off in its sleep and comes back stays asleep, on another port, too`() async throws {
    let rig = try await rig()
    _ = try await rig.show("Mine", on: "Virtual-1")
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    for _ in 0..<3 {
      try await rig.director.unplug("Virtual-1")
      #expect(try await rig.plug(640, 480).state == "asleep")
    }
    try await rig.director.unplug("Virtual-1")
    #expect(try await rig.plug(640, 480, into: "Virtual-3").state == "asleep")
    #expect(!rig.modesets.dropFirst(2).contains { $0.hasPrefix("light") })
    let woken = try await rig.director.setAsleep(SleepRequest(asleep: false, display: "Virtual-3"))
    #expect(woken.map(\.state) == ["lit"])
    #expect(woken.map(\.message) == ["Mine"])
  }

  @Test func `another monitor on the port of a sleeping one is lit, and its neighbor does not blink`() async throws {
    let rig = try await rig(2)
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    try await rig.director.unplug("Virtual-1")
    try await rig.plug(800, 600, into: "Virtual-1")
    _ = try await rig.show("Hello again")
    #expect(await rig.display("Virtual-1")?.state == "lit")
    #expect(rig.modesets.filter { $0.contains("Virtual-2") }.count == 1)
    let sessions = await rig.director.sessions()
    #expect(sessions.map(\.display) == ["Virtual-1", "Virtual-2", nil])
    #expect(sessions.map(\.asleep) == [false, false, true])
  }

  @Test func `a reload and a message for all leave a sleeping display dark`() async throws {
    let rig = try await rig()
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    await rig.director.apply(Settings(message: "Other"))
    let report = try await rig.director.setMessage(MessageRequest(text: "Now"))
    #expect(report.unseen == "Virtual-1: asleep; `placard wake Virtual-1` lights it" && report.warnings == [])
    #expect(await rig.display("Virtual-1")?.state == "asleep")
    #expect(await rig.director.status().problems == [])
    await #expect(throws: ControlError.self) { try await rig.director.screenshot("Virtual-1", ScreenshotRequest()) }
  }

  @Test func `a display that cannot be put to sleep is named in the log, and can be woken all the same`() async throws {
    let rig = try await rig()
    rig.card.inject(.failSleep(.refused))
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    #expect(rig.log.complaints.contains { $0.hasPrefix("Virtual-1: could not be put to sleep") })
    let woken = try await rig.director.setAsleep(SleepRequest(asleep: false))
    #expect(woken.map(\.state) == ["lit"])
  }

  @Test func `a display that is sent to sleep while it is being lit is not lit`() async throws {
    let rig = Rig()
    await rig.start()
    async let plugged = rig.plug(640, 480)
    await rig.isBeingLit("Virtual-1")
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    _ = try await plugged
    #expect(try await rig.show("Later").notShown == ["Virtual-1: asleep; `placard wake Virtual-1` lights it"])
    let isDark = rig.card.glass("Virtual-1") == nil
    #expect(isDark)
  }

  @Test func `messages move with their monitors when ports are swapped`() async throws {
    let rig = try await rig(2)
    _ = try await rig.show("A", on: "Virtual-1")
    _ = try await rig.show("B", on: "Virtual-2")
    try await rig.director.unplug("Virtual-1")
    try await rig.director.unplug("Virtual-2")
    #expect(try await rig.plug(640, 480, into: "Virtual-2").name == "Virtual-2")
    try await rig.plug(656, 480, into: "Virtual-1")
    await rig.director.settled()
    #expect(try await rig.director.message("Virtual-2").text == "A")
    #expect(try await rig.director.message("Virtual-1").text == "B")
    let lights = rig.modesets.suffix(2)
    #expect(lights == ["light Virtual-2 640x480@60", "light Virtual-1 656x480@60"])
  }
}
