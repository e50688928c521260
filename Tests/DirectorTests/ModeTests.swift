import Configuration
import Control
import Displays
import Geometry
import Scenes
import Testing
import VirtualDisplays

@testable import Director

/// Modes and turns that are chosen by remote control: on trial first, and kept for the monitor, not for the port.
struct ModeTests {
  /// Milliseconds of CLOCK_MONOTONIC, which only move by hand.
  private let steady = HandClock(1_000_000)

  /// A 1080p monitor that is lit.
  private func rig(
    crtcs: Int = 16, keeper: KeptRecords = KeptRecords(), patience: FrameMachine.Patience = .init(flip: 60_000_000_000)
  ) async throws -> Rig {
    let rig = Rig(crtcs: crtcs, patience: patience, keeper: keeper, now: { [steady] in UInt64(steady.now) * 1_000_000 })
    await rig.start()
    try await rig.plug(1920, 1080)
    await rig.rest()
    return rig
  }

  private func set(
    _ rig: Rig, _ mode: String?, rotation: Int? = nil, keep: Bool? = nil, on display: String = "Virtual-1"
  ) async throws(ControlError) -> DisplayReport {
    try await rig.director.setMode(display, ModeRequest(mode: mode, rotation: rotation, keep: keep))
  }

  /// Lets the clock of people and that of flips be later by this; what is due then happens.
  private func wait(_ milliseconds: Int64, _ rig: Rig) async {
    rig.clock.now += milliseconds
    steady.now += milliseconds
    for task in await rig.director.endTrials(at: rig.clock.now) { await task.value }
    await rig.rest()
  }

  private func refusal(_ body: () async throws(ControlError) -> DisplayReport) async -> ControlError? {
    do throws(ControlError) {
      _ = try await body()
      return nil
    } catch { return error }
  }

  // MARK: Trials

  @Test func `a mode on trial is on the glass, and is told with its end`() async throws {
    let rig = try await rig()
    let report = try await set(rig, "1280x720")
    #expect(report.mode == "1280x720@60" && report.state == "lit")
    #expect(rig.card.glass("Virtual-1")?.size == Size(1280, 720))
    #expect(report.pending?.mode == "1280x720")
    #expect(report.pending?.until == Timestamp(milliseconds: rig.clock.now + 15_000))
    #expect(report.isChosen)
    #expect(await rig.director.timerDue == rig.clock.now + 15_000)
    let why = try await rig.director.why("Virtual-1")
    #expect(why.policy == "1280x720")
    #expect(why.reasons.contains { $0.hasPrefix("1280x720 is on trial") && $0.contains("--confirm") }, "\(why.reasons)")
  }

  @Test func `without a word the old mode is back after 15 seconds, and nothing is armed any more`() async throws {
    let rig = try await rig()
    _ = try await set(rig, "1280x720")
    let events = await rig.director.events()
    await wait(14_999, rig)
    #expect(await rig.display("Virtual-1")?.mode == "1280x720@60")
    await wait(1, rig)
    for await event in events where event.kind == .modeTrial {
      #expect(event.detail == "1280x720 was reverted")
      break
    }
    for await event in events where event.kind == .modeChanged {
      #expect(event.detail == "1920x1080@60")
      break
    }
    let report = try #require(await rig.display("Virtual-1"))
    #expect(report.mode == "1920x1080@60" && report.state == "lit" && report.pending == nil && !report.isChosen)
    #expect(await rig.director.timerDue == nil)
    #expect(rig.keptSeats.isEmpty)
  }

  @Test func `the timer itself takes a mode back`() async throws {
    let clock = HandClock()
    let rig = Rig(clock: clock)
    await rig.start()
    try await rig.plug(1280, 720)
    await rig.rest()
    let events = await rig.director.events()
    _ = try await set(rig, "800x600")
    // Its end is so near that the timer comes by itself.
    await rig.director.endTrialSoon(on: "Virtual-1", at: clock.now + 20)
    clock.now += 20
    for await event in events where event.kind == .modeChanged && event.detail == "1280x720@60" { break }
    #expect(await rig.display("Virtual-1")?.pending == nil)
  }

  @Test func `a confirmed mode stays, and the timer is let go of`() async throws {
    let rig = try await rig()
    _ = try await set(rig, "1280x720")
    let report = try await rig.director.confirmMode("Virtual-1")
    #expect(report.pending == nil && report.isChosen && report.mode == "1280x720@60")
    #expect(await rig.director.timerDue == nil)
    #expect(rig.keeper.isSettled && rig.keptSeats.count == 1)
    await wait(60_000, rig)
    #expect(await rig.display("Virtual-1")?.mode == "1280x720@60")
    let error = await refusal { () async throws(ControlError) in try await rig.director.confirmMode("Virtual-1") }
    #expect(error?.kind == .conflict && error?.message.contains("no mode is on trial") ?? false)
  }

  @Test func `what is kept at once needs nobody to confirm it`() async throws {
    let rig = try await rig()
    let report = try await set(rig, "1280x720@60", keep: true)
    #expect(report.pending == nil && report.isChosen && report.mode == "1280x720@60")
    #expect(await rig.director.timerDue == nil)
    let why = try await rig.director.why("Virtual-1")
    #expect(
      why.reasons.contains {
        $0.hasPrefix("1280x720@60 was chosen for this monitor by remote control")
          && $0.contains("placard mode Virtual-1 --reset")
      }, "\(why.reasons)")
  }

  @Test func `a trial can be ended at once, and what was kept is forgotten after that`() async throws {
    let rig = try await rig()
    _ = try await set(rig, "1280x720", keep: true)
    _ = try await set(rig, "800x600")
    let kept = try await rig.director.resetMode("Virtual-1")
    #expect(kept.mode == "1280x720@60" && kept.pending == nil && kept.isChosen)
    let own = try await rig.director.resetMode("Virtual-1")
    #expect(own.mode == "1920x1080@60" && !own.isChosen && own.state == "lit")
    #expect(rig.keptSeats.isEmpty)
  }

  @Test func `a second trial takes the place of the first, and both go back to what was kept`() async throws {
    let rig = try await rig()
    _ = try await set(rig, "1280x720")
    await wait(10_000, rig)
    let report = try await set(rig, nil, rotation: 180)
    #expect(report.mode == "1280x720@60" && report.rotation == 180, "what is not said stays")
    await wait(10_000, rig)
    #expect(await rig.display("Virtual-1")?.rotation == 180, "the time begins anew")
    await wait(5000, rig)
    let back = try #require(await rig.display("Virtual-1"))
    #expect(back.mode == "1920x1080@60" && back.rotation == 0)
  }

  @Test func `who asks for what is kept already has nothing to confirm`() async throws {
    let rig = try await rig()
    _ = try await set(rig, "1280x720", keep: true)
    _ = try await set(rig, "800x600")
    let report = try await set(rig, "1280x720")
    #expect(report.pending == nil && report.mode == "1280x720@60")
    #expect(await rig.director.timerDue == nil)
  }

  @Test func `a clock that is set forward while another display's time comes ends no trial`() async throws {
    let rig = try await rig()
    _ = try await set(rig, "1280x720")
    rig.clock.now += 3_600_000
    await rig.director.momentCame()
    await rig.rest()
    let report = await rig.display("Virtual-1")
    #expect(report?.pending?.until == Timestamp(milliseconds: rig.clock.now + 15_000))
    #expect(report?.mode == "1280x720@60")
  }

  @Test func `a clock that is set neither ends a trial nor makes it longer`() async throws {
    let rig = try await rig()
    _ = try await set(rig, "1280x720")
    for leap: Int64 in [3_600_000, -7_200_000] {
      rig.clock.now += leap
      _ = try await rig.director.post(MessageRequest(text: "Something", tag: "nobody"))
      await rig.rest()
      let report = await rig.display("Virtual-1")
      #expect(report?.pending?.until == Timestamp(milliseconds: rig.clock.now + 15_000))
      #expect(report?.mode == "1280x720@60")
    }
  }

  // MARK: Rotation

  @Test func `a turn is no modeset; the picture is painted the other way`() async throws {
    let rig = try await rig()
    let before = rig.modesets
    let upright = try #require(rig.card.glass("Virtual-1"))
    let report = try await set(rig, nil, rotation: 180)
    #expect(rig.modesets == before)
    #expect(report.rotation == 180 && report.pending?.rotation == 180 && report.pending?.mode == nil)
    let turned = try #require(rig.card.glass("Virtual-1"))
    #expect(turned.pixels == upright.pixels.reversed())
    await wait(15_000, rig)
    #expect(rig.card.glass("Virtual-1")?.pixels == upright.pixels)
    #expect(await rig.display("Virtual-1")?.rotation == 0)
  }

  @Test func `a mode and a turn are set in one go`() async throws {
    let rig = try await rig()
    let report = try await set(rig, "1280x720", rotation: 90, keep: true)
    #expect(report.rotation == 90 && report.mode == "1280x720@60")
    #expect(rig.modesets.count == 2)
    let why = try await rig.director.why("Virtual-1")
    #expect(why.reasons.contains { $0.hasPrefix("1280x720, turned by 90 degrees was chosen") }, "\(why.reasons)")
  }

  // MARK: Refusals

  @Test func `a mode that the driver refuses is a conflict with its reason, and nothing changes`() async throws {
    let rig = try await rig()
    try await rig.plug(640, 480)
    await rig.rest()
    let before = (rig.card.journal, await rig.director.displays())
    rig.card.inject(.refuseSize(Size(1280, 720)))
    let error = await refusal { () async throws(ControlError) in try await set(rig, "1280x720", keep: true) }
    #expect(error?.kind == .conflict)
    #expect(error?.message.contains("injected") ?? false, "\(String(describing: error))")
    #expect(rig.card.journal == before.0)
    #expect(await rig.director.displays() == before.1)
    #expect(await rig.director.timerDue == nil)
    #expect(rig.keptSeats.isEmpty && rig.card.liveBuffers == 4)
  }

  @Test func `neither a refusal nor a turn tries modes again that were refused before`() async throws {
    let start = Rig.now()
    let rig = Rig(crtcs: 1, now: { start })
    await rig.start()
    rig.card.inject(.refuseSize(Size(1920, 1080)), count: 1)
    try await rig.plug(1920, 1080)
    await rig.rest()
    #expect(await rig.display("Virtual-1")?.mode == "1600x900@60")
    rig.card.inject(.refuseSize(Size(1280, 720)))
    let error = await refusal { () async throws(ControlError) in try await set(rig, "1280x720") }
    #expect(error?.kind == .conflict)
    _ = try await set(rig, nil, rotation: 180)
    _ = try await rig.director.resetMode("Virtual-1")
    #expect(rig.modesets == ["light Virtual-1 1600x900@60"])
    #expect(await rig.display("Virtual-1")?.rotation == 0)
  }

  @Test func `a mode that only its commit refuses is a conflict, and the old one is set again`() async throws {
    let rig = try await rig(crtcs: 1)
    rig.card.inject(.failCommit(.refused), count: 1)
    let error = await refusal { () async throws(ControlError) in try await set(rig, "1280x720") }
    #expect(error?.kind == .conflict)
    #expect(error?.message.contains("injected") ?? false, "\(String(describing: error))")
    await rig.rest()
    let report = try #require(await rig.display("Virtual-1"))
    #expect(report.mode == "1920x1080@60" && report.state == "lit" && report.pending == nil && !report.isChosen)
    #expect(try await rig.show("Still here").shown.count == 1)
  }

  @Test func `a mode whose flip never comes is a conflict, and the old one is set again`() async throws {
    let rig = try await rig(patience: .init(flip: 100_000_000))
    rig.card.inject(.swallowFlip, count: 1)
    async let answer = refusal { () async throws(ControlError) in try await set(rig, "800x600") }
    await rig.waitWhile { rig.modesets.count < 2 }
    await rig.waitWhile { director in !director.awaitsFlip("Virtual-1") }
    // The timer of the machine comes, and finds that the time is over.
    steady.now += 200
    let error = await answer
    #expect(error?.kind == .conflict)
    #expect(error?.message.hasSuffix(": accepted, but no flip came in time") ?? false, "\(String(describing: error))")
    #expect(await rig.display("Virtual-1")?.mode == "1920x1080@60")
  }

  @Test func `a refused trial leaves the one before as it is`() async throws {
    let rig = try await rig()
    let first = try await set(rig, "1280x720")
    rig.card.inject(.refuseSize(Size(800, 600)))
    _ = await refusal { () async throws(ControlError) in try await set(rig, "800x600") }
    #expect(await rig.display("Virtual-1") == first)
    await wait(15_000, rig)
    #expect(await rig.display("Virtual-1")?.mode == "1920x1080@60")
  }

  @Test(arguments: [
    (ModeRequest(), "needs `mode` or `rotation`"), (ModeRequest(mode: "large"), "large is not a mode"),
    (ModeRequest(rotation: 45), "must be 0, 90, 180 or 270"),
    (ModeRequest(mode: "1920x1080@75"), "the nearest are 1920x1080@60, 1600x900@60, 1280x720@60"),
    (ModeRequest(mode: "1300x700"), "the nearest are 1280x720@60,"),
  ]) func `what cannot be asked for is invalid, with what can`(_ request: ModeRequest, _ words: String) async throws {
    let rig = try await rig()
    let error = await refusal { () async throws(ControlError) in try await rig.director.setMode("Virtual-1", request) }
    #expect(error?.kind == .invalid)
    #expect(error?.message.contains(words) ?? false, "\(String(describing: error))")
  }

  @Test func `a display that is not there, or has no monitor, has no modes`() async throws {
    let rig = try await rig()
    try await rig.director.unplug("Virtual-1")
    for (name, kind) in [("DP-9", ControlError.Kind.notFound), ("Virtual-1", .conflict)] {
      let errors = [
        await refusal { () async throws(ControlError) in try await set(rig, "legible", on: name) },
        await refusal { () async throws(ControlError) in try await rig.director.confirmMode(name) },
        await refusal { () async throws(ControlError) in try await rig.director.resetMode(name) },
      ]
      #expect(errors.map { $0?.kind } == [kind, kind, kind])
    }
  }

  @Test func `two who set a mode at the same time: one is told to wait`() async throws {
    let rig = try await rig()
    let refused = KeptErrors()
    rig.card.during(.allocate) {
      rig.card.during(.allocate, nil)
      do throws(ControlError) {
        _ = try await rig.director.setMode("Virtual-1", ModeRequest(mode: "800x600"))
      } catch { refused.add(error) }
    }
    let report = try await set(rig, "1280x720")
    #expect(report.mode == "1280x720@60")
    #expect(refused.all.map(\.kind) == [.conflict])
  }

  // MARK: Monitors, sleep, settings

  @Test func `a trial ends with its monitor, which comes back as it was kept`() async throws {
    let rig = try await rig()
    _ = try await set(rig, "1280x720", rotation: 90)
    try await rig.director.unplug("Virtual-1")
    #expect(await rig.director.timerDue == nil)
    let report = try await rig.plug(1920, 1080)
    #expect(report.mode == "1920x1080@60" && report.rotation == 0 && report.pending == nil)
  }

  @Test func `what was kept is the monitor's, on any port, and not the port's`() async throws {
    let rig = try await rig()
    _ = try await set(rig, "1280x720", rotation: 180, keep: true)
    try await rig.director.unplug("Virtual-1")
    let other = try await rig.plug(1600, 900, into: "Virtual-1")
    #expect(other.mode == "1600x900@60" && other.rotation == 0 && !other.isChosen)
    let same = try await rig.plug(1920, 1080, into: "Virtual-3")
    #expect(same.mode == "1280x720@60" && same.rotation == 180 && same.isChosen)
    #expect(rig.modesets.last == "light Virtual-3 1280x720@60", "its first mode is the right one")
  }

  @Test func `what was kept is there after a restart, in the first frame`() async throws {
    let keeper = KeptRecords()
    let first = try await rig(keeper: keeper)
    _ = try await set(first, "1280x720", rotation: 180, keep: true)
    _ = try await set(first, "800x600")
    await first.director.close()
    let second = try await rig(keeper: keeper)
    let report = try #require(await second.display("Virtual-1"))
    #expect(report.mode == "1280x720@60" && report.rotation == 180 && report.pending == nil)
    #expect(second.modesets == ["light Virtual-1 1280x720@60"])
  }

  @Test func `what was chosen goes before new settings, until it is reset`() async throws {
    let rig = try await rig()
    _ = try await set(rig, "1280x720", keep: true)
    await rig.director.apply(Settings(policy: .explicit(Size(800, 600)), message: "Hello", rotation: .half))
    await rig.rest()
    let chosen = try #require(await rig.display("Virtual-1"))
    #expect(chosen.mode == "1280x720@60" && chosen.rotation == 180, "the turn was not chosen")
    let reset = try await rig.director.resetMode("Virtual-1")
    #expect(reset.mode == "800x600@60")
  }

  @Test func `a sleeping display tries nothing, but what is kept is there when it wakes`() async throws {
    let rig = try await rig()
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    let error = await refusal { () async throws(ControlError) in try await set(rig, "1280x720") }
    #expect(error?.kind == .conflict && error?.message.contains("placard wake") ?? false)
    let asleep = try await set(rig, "1280x720", keep: true)
    #expect(asleep.state == "asleep" && asleep.isChosen)
    let awake = try await rig.director.setAsleep(SleepRequest(asleep: false))
    #expect(awake.first?.mode == "1280x720@60")
    #expect(rig.modesets.last == "light Virtual-1 1280x720@60")
  }

  @Test func `a trial on a display that is sent to sleep is over in its time, and the display wakes as before`()
    async throws
  {
    let rig = try await rig()
    _ = try await set(rig, "1280x720")
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
    await wait(15_000, rig)
    #expect(await rig.display("Virtual-1")?.pending == nil)
    let awake = try await rig.director.setAsleep(SleepRequest(asleep: false))
    #expect(awake.first?.mode == "1920x1080@60")
  }

  @Test func `a report has the modes that can be asked for, and the session`() async throws {
    let rig = try await rig()
    _ = try await rig.director.open(OpenRequest(scene: Scene.banner("One").document, display: "Virtual-1"))
    let report = try #require(await rig.display("Virtual-1"))
    #expect(report.modes == ["1920x1080@60", "1600x900@60", "1280x720@60", "1024x768@60", "800x600@60", "640x480@60"])
    #expect(report.session == 1)
    for mode in report.modes { #expect(try await set(rig, mode).mode == mode) }
  }
}

extension Rig {
  /// The seats that are kept.
  fileprivate var keptSeats: [Record] { keeper.records.filter { $0.kind == "seat" } }
}
