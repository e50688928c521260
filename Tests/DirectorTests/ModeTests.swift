import Configuration
import Control
import Displays
import Geometry
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// Modes and rotations that clients choose: pending first, then stored for the monitor, whatever its port.
struct ModeTests {
  /// A manual clock of the milliseconds of CLOCK_MONOTONIC.
  let steady = ManualClock(1_000_000)

  /// Returns a harness with a lit 1080p monitor.
  func harness(
    crtcs: Int = 16, persistence: KeptRecords = KeptRecords(),
    patience: FrameMachine.Patience = .init(flip: 60_000_000_000)
  ) async throws -> Harness {
    let harness = Harness(
      crtcs: crtcs, patience: patience, persistence: persistence, now: { [steady] in UInt64(steady.now) * 1_000_000 })
    await harness.start()
    try await harness.plug(1920, 1080)
    await harness.rest()
    return harness
  }

  func set(
    _ harness: Harness, _ mode: String?, rotation: Int? = nil, keep: Bool? = nil, on display: String = "Virtual-1"
  ) async throws(ControlError) -> DisplayReport {
    try await harness.director.setMode(display, ModeRequest(mode: mode, rotation: rotation, keep: keep))
  }

  /// Advances the wall clock and that of the flips, and waits until the work that is due then is complete.
  func wait(_ milliseconds: Int64, _ harness: Harness) async {
    harness.clock.now += milliseconds
    steady.now += milliseconds
    await harness.director.endPendingModes()
    await harness.rest()
  }

  func refusal(_ body: () async throws(ControlError) -> DisplayReport) async -> ControlError? {
    do throws(ControlError) {
      _ = try await body()
      return nil
    } catch { return error }
  }

  // MARK: Pending modes

  @Test func `a pending mode is set, and its end is reported`() async throws {
    let harness = try await harness()
    let report = try await set(harness, "1280x720")
    #expect(report.mode == "1280x720@60" && report.state == .lit)
    #expect(harness.card.scanout("Virtual-1")?.size == Size(1280, 720))
    #expect(report.pending?.mode == "1280x720")
    #expect(report.pending?.until == Timestamp(milliseconds: harness.clock.now + 15_000))
    #expect(report.isChosen)
    #expect(await harness.director.timerDue == harness.clock.now + 15_000)
    let why = try await harness.director.why("Virtual-1")
    #expect(why.policy == "1280x720")
    #expect(why.reasons.contains { $0.hasPrefix("1280x720 is pending") && $0.contains("--confirm") }, "\(why.reasons)")
  }

  @Test func `an unconfirmed mode is reverted after 15 seconds, and no timer stays armed`() async throws {
    let harness = try await harness()
    _ = try await set(harness, "1280x720")
    let events = await harness.director.events()
    await wait(14_999, harness)
    #expect(await harness.display("Virtual-1")?.mode == "1280x720@60")
    await wait(1, harness)
    for await event in events where event.kind == .modePending {
      #expect(event.detail == "1280x720 was reverted")
      break
    }
    for await event in events where event.kind == .modeChanged {
      #expect(event.detail == "1920x1080@60")
      break
    }
    let report = try #require(await harness.display("Virtual-1"))
    #expect(report.mode == "1920x1080@60" && report.state == .lit && report.pending == nil && !report.isChosen)
    #expect(await harness.director.timerDue == nil)
    #expect(harness.keptProfiles.isEmpty)
  }

  @Test func `the revert timer reverts a pending mode`() async throws {
    let clock = ManualClock()
    let harness = Harness(clock: clock)
    await harness.start()
    try await harness.plug(1280, 720)
    await harness.rest()
    let events = await harness.director.events()
    _ = try await set(harness, "800x600")
    // The end is near enough for the timer itself to fire.
    await harness.director.endPendingModeSoon(on: "Virtual-1", at: clock.now + 20)
    clock.now += 20
    for await event in events where event.kind == .modeChanged && event.detail == "1280x720@60" { break }
    #expect(await harness.display("Virtual-1")?.pending == nil)
  }

  @Test func `a confirmed mode stays, and the revert timer is disarmed`() async throws {
    let harness = try await harness()
    _ = try await set(harness, "1280x720")
    let report = try await harness.director.confirmMode("Virtual-1")
    #expect(report.pending == nil && report.isChosen && report.mode == "1280x720@60")
    #expect(await harness.director.timerDue == nil)
    #expect(harness.persistence.isSettled && harness.keptProfiles.count == 1)
    await wait(60_000, harness)
    #expect(await harness.display("Virtual-1")?.mode == "1280x720@60")
    let error = await refusal { () async throws(ControlError) in try await harness.director.confirmMode("Virtual-1") }
    #expect(error?.kind == .conflict && error?.message.contains("no mode change is pending") ?? false)
  }

  @Test func `a mode that is stored at once needs no confirmation`() async throws {
    let harness = try await harness()
    let report = try await set(harness, "1280x720@60", keep: true)
    #expect(report.pending == nil && report.isChosen && report.mode == "1280x720@60")
    #expect(await harness.director.timerDue == nil)
    let why = try await harness.director.why("Virtual-1")
    #expect(
      why.reasons.contains {
        $0.hasPrefix("1280x720@60 was chosen for this monitor by remote control")
          && $0.contains("placard mode Virtual-1 --reset")
      }, "\(why.reasons)")
  }

  @Test func `a first reset ends the pending mode, and a second one removes the stored mode`() async throws {
    let harness = try await harness()
    _ = try await set(harness, "1280x720", keep: true)
    _ = try await set(harness, "800x600")
    let kept = try await harness.director.resetMode("Virtual-1")
    #expect(kept.mode == "1280x720@60" && kept.pending == nil && kept.isChosen)
    let own = try await harness.director.resetMode("Virtual-1")
    #expect(own.mode == "1920x1080@60" && !own.isChosen && own.state == .lit)
    #expect(harness.keptProfiles.isEmpty)
  }

  @Test func `a second pending change restarts the revert timer, and both are reverted`() async throws {
    let harness = try await harness()
    _ = try await set(harness, "1280x720")
    await wait(10_000, harness)
    let report = try await set(harness, nil, rotation: 180)
    #expect(report.mode == "1280x720@60" && report.rotation == 180, "the mode is not in the request and stays")
    await wait(10_000, harness)
    #expect(await harness.display("Virtual-1")?.rotation == 180, "the time restarts")
    await wait(5000, harness)
    let back = try #require(await harness.display("Virtual-1"))
    #expect(back.mode == "1920x1080@60" && back.rotation == 0)
  }

  @Test func `a request for the stored mode ends the pending one and needs no confirmation`() async throws {
    let harness = try await harness()
    _ = try await set(harness, "1280x720", keep: true)
    _ = try await set(harness, "800x600")
    let report = try await set(harness, "1280x720")
    #expect(report.pending == nil && report.mode == "1280x720@60")
    #expect(await harness.director.timerDue == nil)
  }

  @Test func `a clock that is set forward ends no pending mode when the timer fires`() async throws {
    let harness = try await harness()
    _ = try await set(harness, "1280x720")
    harness.clock.now += 3_600_000
    await harness.director.momentCame()
    await harness.rest()
    let report = await harness.display("Virtual-1")
    #expect(report?.pending?.until == Timestamp(milliseconds: harness.clock.now + 15_000))
    #expect(report?.mode == "1280x720@60")
  }

  @Test func `setting the clock neither ends nor extends a pending mode`() async throws {
    let harness = try await harness()
    _ = try await set(harness, "1280x720")
    for leap: Int64 in [3_600_000, -7_200_000] {
      harness.clock.now += leap
      _ = try await harness.director.post(MessageRequest(text: "Something", tag: "none"))
      await harness.rest()
      let report = await harness.display("Virtual-1")
      #expect(report?.pending?.until == Timestamp(milliseconds: harness.clock.now + 15_000))
      #expect(report?.mode == "1280x720@60")
    }
  }

  // MARK: Rotation

  @Test func `a rotation needs no modeset, and is reverted like a mode`() async throws {
    let harness = try await harness()
    let before = harness.modesets
    let upright = try #require(harness.card.scanout("Virtual-1"))
    let report = try await set(harness, nil, rotation: 180)
    #expect(harness.modesets == before)
    #expect(report.rotation == 180 && report.pending?.rotation == 180 && report.pending?.mode == nil)
    let rotated = try #require(harness.card.scanout("Virtual-1"))
    #expect(rotated.pixels == upright.pixels.reversed())
    await wait(15_000, harness)
    #expect(harness.card.scanout("Virtual-1")?.pixels == upright.pixels)
    #expect(await harness.display("Virtual-1")?.rotation == 0)
  }

  @Test func `a mode and a rotation are set by one modeset`() async throws {
    let harness = try await harness()
    let report = try await set(harness, "1280x720", rotation: 90, keep: true)
    #expect(report.rotation == 90 && report.mode == "1280x720@60")
    #expect(harness.modesets.count == 2)
    let why = try await harness.director.why("Virtual-1")
    #expect(why.reasons.contains { $0.hasPrefix("1280x720, turned by 90 degrees was chosen") }, "\(why.reasons)")
  }

  // MARK: Monitors, sleep and settings

  @Test func `an unplug ends a pending mode, and the monitor returns without it`() async throws {
    let harness = try await harness()
    _ = try await set(harness, "1280x720", rotation: 90)
    try await harness.director.unplug("Virtual-1")
    #expect(await harness.director.timerDue == nil)
    let report = try await harness.plug(1920, 1080)
    #expect(report.mode == "1920x1080@60" && report.rotation == 0 && report.pending == nil)
  }

  @Test func `a stored mode belongs to the monitor on any port, and not to the port`() async throws {
    let harness = try await harness()
    _ = try await set(harness, "1280x720", rotation: 180, keep: true)
    try await harness.director.unplug("Virtual-1")
    let other = try await harness.plug(1600, 900, into: "Virtual-1")
    #expect(other.mode == "1600x900@60" && other.rotation == 0 && !other.isChosen)
    let same = try await harness.plug(1920, 1080, into: "Virtual-3")
    #expect(same.mode == "1280x720@60" && same.rotation == 180 && same.isChosen)
    #expect(harness.modesets.last == "light Virtual-3 1280x720@60", "the first modeset has the stored mode")
  }

  @Test func `a restart restores the stored mode with the first modeset`() async throws {
    let persistence = KeptRecords()
    let first = try await harness(persistence: persistence)
    _ = try await set(first, "1280x720", rotation: 180, keep: true)
    _ = try await set(first, "800x600")
    await first.director.close()
    let second = try await harness(persistence: persistence)
    let report = try #require(await second.display("Virtual-1"))
    #expect(report.mode == "1280x720@60" && report.rotation == 180 && report.pending == nil)
    #expect(second.modesets == ["light Virtual-1 1280x720@60"])
  }

  @Test func `a chosen mode overrides new settings until it is reset`() async throws {
    let harness = try await harness()
    _ = try await set(harness, "1280x720", keep: true)
    await harness.director.apply(Settings(policy: .explicit(Size(800, 600)), message: "Hello", rotation: .half))
    await harness.rest()
    let chosen = try #require(await harness.display("Virtual-1"))
    #expect(chosen.mode == "1280x720@60" && chosen.rotation == 180, "the rotation was not chosen")
    let reset = try await harness.director.resetMode("Virtual-1")
    #expect(reset.mode == "800x600@60")
  }

  @Test func `a sleeping display refuses a pending mode, and wakes in a stored one`() async throws {
    let harness = try await harness()
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    let error = await refusal { () async throws(ControlError) in try await set(harness, "1280x720") }
    #expect(error?.kind == .conflict && error?.message.contains("placard wake") ?? false)
    let asleep = try await set(harness, "1280x720", keep: true)
    #expect(asleep.state == .asleep && asleep.isChosen)
    let awake = try await harness.director.setAsleep(SleepRequest(asleep: false))
    #expect(awake.first?.mode == "1280x720@60")
    #expect(harness.modesets.last == "light Virtual-1 1280x720@60")
  }

  @Test func `a pending mode is reverted while its display sleeps, and the display wakes without it`() async throws {
    let harness = try await harness()
    _ = try await set(harness, "1280x720")
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
    await wait(15_000, harness)
    #expect(await harness.display("Virtual-1")?.pending == nil)
    let awake = try await harness.director.setAsleep(SleepRequest(asleep: false))
    #expect(awake.first?.mode == "1920x1080@60")
  }

  @Test func `a report lists the modes that can be requested, and the session`() async throws {
    let harness = try await harness()
    _ = try await harness.director.open(OpenRequest(scene: Scene.banner("One").document, display: "Virtual-1"))
    let report = try #require(await harness.display("Virtual-1"))
    #expect(report.modes == ["1920x1080@60", "1600x900@60", "1280x720@60", "1024x768@60", "800x600@60", "640x480@60"])
    #expect(report.session == 1)
    for mode in report.modes { #expect(try await set(harness, mode).mode == mode) }
  }
}

extension Harness {
  /// The stored monitor profiles.
  var keptProfiles: [Record] { persistence.records.filter { $0.kind == "profile" } }
}
