import Configuration
import Control
import Director
import Displays
import Geometry
import Scenes
import Testing
import VirtualDisplays

/// The states of displays in the log, in reports and in events, with their times and reasons.
struct StateTests {
  /// Returns the states that events report during an action.
  private func states(_ harness: Harness, until end: String, _ body: () async throws -> Void) async throws -> [String] {
    let events = await harness.director.events()
    try await body()
    var states: [String] = []
    for await event in events where event.kind == .stateChanged {
      states.append("\(event.display) \(event.detail ?? "")")
      if states.last == end { break }
    }
    return states
  }

  @Test func `each state change is one log line and one event, with its reason`() async throws {
    let harness = Harness()
    await harness.start()
    let states = try await states(harness, until: "Virtual-1 disconnected: the monitor was unplugged") {
      try await harness.plug(640, 480)
      _ = try await harness.show("One")
      _ = try await harness.director.setAsleep(SleepRequest(asleep: true))
      _ = try await harness.director.setAsleep(SleepRequest(asleep: false))
      try await harness.director.unplug("Virtual-1")
    }
    #expect(
      states == [
        "Virtual-1 lit", "Virtual-1 asleep; `placard wake Virtual-1` lights it", "Virtual-1 lighting",
        "Virtual-1 lit", "Virtual-1 disconnected: the monitor was unplugged",
      ])
    let lines = harness.log.lines.filter { line in
      ["lit", "lighting", "asleep", "disconnected"].contains { line.hasPrefix("Virtual-1: \($0)") }
    }
    #expect(
      lines == [
        "Virtual-1: lit at 640x480@60", "Virtual-1: asleep; `placard wake Virtual-1` lights it",
        "Virtual-1: lighting", "Virtual-1: lit at 640x480@60", "Virtual-1: disconnected: the monitor was unplugged",
      ])
  }

  @Test func `a report has the time of the last state change and the cause of a dark display`() async throws {
    let harness = Harness(crtcs: 1)
    await harness.start()
    harness.card.holdFlips()
    try await harness.plug(640, 480)
    let lighting = try #require(await harness.display("Virtual-1"))
    #expect(lighting.state == .lighting && lighting.cause == nil && lighting.reason == nil)
    #expect(lighting.since?.milliseconds == harness.clock.now)
    let start = harness.clock.now
    harness.clock.now += 900
    harness.card.releaseFlips()
    _ = try await harness.show("Lit")
    let lit = try #require(await harness.display("Virtual-1"))
    #expect(lit.state == .lit && lit.since?.milliseconds == start + 900)
    harness.clock.now += 900
    _ = try await harness.show("Still lit")
    #expect(await harness.display("Virtual-1")?.since == lit.since, "another frame is not another state")
    _ = try await harness.plug(800, 600)
    let second = try #require(await harness.display("Virtual-2"))
    #expect(second.state == .dark && second.cause == .noCRTC && second.since?.milliseconds == start + 1800)
    _ = try await harness.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    #expect(await harness.display("Virtual-1")?.cause == .asleep)
    try await harness.director.unplug("Virtual-1")
    let empty = try #require(await harness.display("Virtual-1"))
    #expect(empty.state == .disconnected && empty.cause == .noMonitor && empty.since?.milliseconds == start + 1800)
    #expect(empty.monitor != nil && empty.monitor == lit.monitor && empty.identity == nil)
  }

  @Test func `the name of an unplugged monitor with a session is known after a restart`() async throws {
    let persistence = KeptRecords(keepsPlugs: true)
    let first = Harness(persistence: persistence)
    await first.start()
    try await first.plug(640, 480)
    let name = try #require(await first.display("Virtual-1")?.monitor)
    _ = try await first.director.open(OpenRequest(scene: Scene.banner("a").document, display: "Virtual-1"))
    try await first.director.unplug("Virtual-1")
    await first.director.close()
    let second = Harness(persistence: persistence)
    await second.start()
    let report = try #require(await second.display("Virtual-1"))
    #expect(report.state == .disconnected && report.monitor == name)
  }

  @Test func `a display whose modes are all refused is dark with the cause refused`() async throws {
    let harness = Harness()
    await harness.start()
    harness.card.inject(.failCommit(.refused))
    _ = try await harness.plug(640, 480)
    let report = try #require(await harness.darkness(of: "Virtual-1"))
    #expect(report.cause == .refused && report.reason?.contains("no mode could be set") == true)
  }

  @Test func `a monitor without modes is dark with the cause noMode, and lit once it has modes`() async throws {
    let harness = Harness()
    await harness.start()
    harness.card.plug(VirtualMonitor(edid: [], modes: []), into: "Virtual-1")
    await harness.director.probeAll()
    let report = try #require(await harness.display("Virtual-1"))
    #expect(report.state == .dark && report.cause == .noMode && report.since != nil, "\(report)")
    #expect(harness.log.complaints.filter { $0.hasPrefix("Virtual-1: dark: a monitor is plugged in") }.count == 1)
    #expect(await harness.director.health().reasons.contains { $0.contains("Virtual-1") })
    await #expect(throws: ControlError.self) { try await harness.director.why("Virtual-1") }
    _ = try await harness.plug(640, 480, into: "Virtual-1")
    _ = try await harness.show("There")
    #expect(await harness.display("Virtual-1")?.state == .lit)
  }

  @Test func `a stall is reported, and ends with a flip after the same mode is set again`() async throws {
    let steady = ManualClock(1_000_000)
    let harness = Harness(patience: .init(flip: 100_000_000), now: { UInt64(steady.now) * 1_000_000 })
    await harness.start()
    try await harness.plug(640, 480)
    _ = try await harness.show("One")
    harness.card.inject(.swallowFlip, count: 1)
    let states = try await states(harness, until: "Virtual-1 lit") {
      _ = try await harness.director.setMessage(MessageRequest(text: "Two"))
      await harness.waitWhile { harness.card.journal.filter({ $0 == "flip Virtual-1" }).count < 2 }
      await harness.waitWhile { director in !director.awaitsFlip("Virtual-1") }
      steady.now += 200
    }
    #expect(states.first?.hasPrefix("Virtual-1 stalled: no flip came in time") == true, "\(states)")
    #expect(states.dropFirst() == ["Virtual-1 lighting", "Virtual-1 lit"])
    let modesets = harness.modesets.map { $0.hasPrefix("dark") ? "dark" : $0 }
    #expect(modesets == ["light Virtual-1 640x480@60", "dark", "light Virtual-1 640x480@60"], "disabled first")
    #expect(await harness.display("Virtual-1")?.message == "Two")
  }

  @Test func `all displays of a removed card are lost at the same time`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    try await harness.plug(800, 600)
    let events = await harness.director.events()
    harness.card.lose()
    for await event in events where event.kind == .disconnected { break }
    #expect(await harness.director.displays().map { "\($0.name) \($0.state)" } == ["Virtual-1 lost", "Virtual-2 lost"])
  }

  @Test func `a display of a removed card is lost until its monitor is detected again`() async throws {
    let harness = Harness()
    await harness.start()
    try await harness.plug(640, 480)
    _ = try await harness.show("One")
    harness.card.lose()
    await harness.wait { await harness.display("Virtual-1")?.state == .lost }
    let report = try #require(await harness.display("Virtual-1"))
    #expect(report.reason?.contains("memory is gone") == true && report.since != nil && report.mode == nil)
    #expect(harness.log.complaints.contains { $0.hasPrefix("Virtual-1: lost: ") })
    let error = await #expect(throws: ControlError.self) { try await harness.director.why("Virtual-1") }
    #expect(error?.message.hasPrefix("Virtual-1 is lost: ") == true)
    let other = VirtualCard(path: "other", keepsJournal: true, clock: Harness.now)
    _ = other.plug(Size(640, 480), into: "Virtual-3")
    await harness.director.start(VirtualSource(other))
    await harness.wait { await harness.display("Virtual-3")?.state == .lit }
    #expect(await harness.director.displays().map(\.state) == [.lit], "its monitor is on another card")
  }
}
