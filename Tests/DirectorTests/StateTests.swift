import Configuration
import Control
import Director
import Displays
import Geometry
import Scenes
import Testing
import VirtualDisplays

/// Where displays stand: in the log, in reports and in events, with since when and why.
struct StateTests {
  /// What reports and events say of a display's way while something is done.
  private func way(_ rig: Rig, until end: String, _ body: () async throws -> Void) async throws -> [String] {
    let events = await rig.director.events()
    try await body()
    var words: [String] = []
    for await event in events where event.kind == .stateChanged {
      words.append("\(event.display) \(event.detail ?? "")")
      if words.last == end { break }
    }
    return words
  }

  @Test func `each change is one line in the log and one event, with its reason`() async throws {
    let rig = Rig()
    await rig.start()
    let words = try await way(rig, until: "Virtual-1 disconnected: the monitor was unplugged") {
      try await rig.plug(640, 480)
      _ = try await rig.show("One")
      _ = try await rig.director.setAsleep(SleepRequest(asleep: true))
      _ = try await rig.director.setAsleep(SleepRequest(asleep: false))
      try await rig.director.unplug("Virtual-1")
    }
    #expect(
      words == [
        "Virtual-1 lit", "Virtual-1 asleep; `placard wake Virtual-1` lights it", "Virtual-1 lighting",
        "Virtual-1 lit", "Virtual-1 disconnected: the monitor was unplugged",
      ])
    let lines = rig.log.lines.filter { line in
      ["lit", "lighting", "asleep", "disconnected"].contains { line.hasPrefix("Virtual-1: \($0)") }
    }
    #expect(
      lines == [
        "Virtual-1: lit at 640x480@60", "Virtual-1: asleep; `placard wake Virtual-1` lights it",
        "Virtual-1: lighting", "Virtual-1: lit at 640x480@60", "Virtual-1: disconnected: the monitor was unplugged",
      ])
  }

  @Test func `a report says since when, and what sort of dark it is`() async throws {
    let rig = Rig(crtcs: 1)
    await rig.start()
    rig.card.holdFlips()
    try await rig.plug(640, 480)
    let lighting = try #require(await rig.display("Virtual-1"))
    #expect(lighting.state == "lighting" && lighting.cause == nil && lighting.reason == nil)
    #expect(lighting.since?.milliseconds == rig.clock.now)
    let start = rig.clock.now
    rig.clock.now += 900
    rig.card.releaseFlips()
    _ = try await rig.show("Lit")
    let lit = try #require(await rig.display("Virtual-1"))
    #expect(lit.state == "lit" && lit.since?.milliseconds == start + 900)
    rig.clock.now += 900
    _ = try await rig.show("Still lit")
    #expect(await rig.display("Virtual-1")?.since == lit.since, "another picture is no other state")
    _ = try await rig.plug(800, 600)
    let second = try #require(await rig.display("Virtual-2"))
    #expect(second.state == "dark" && second.cause == "noCRTC" && second.since?.milliseconds == start + 1800)
    _ = try await rig.director.setAsleep(SleepRequest(asleep: true, display: "Virtual-1"))
    #expect(await rig.display("Virtual-1")?.cause == "asleep")
    try await rig.director.unplug("Virtual-1")
    let empty = try #require(await rig.display("Virtual-1"))
    #expect(empty.state == "disconnected" && empty.cause == "noMonitor" && empty.since?.milliseconds == start + 1800)
    #expect(empty.monitor != nil && empty.monitor == lit.monitor && empty.identity == nil)
  }

  @Test func `the name of an unplugged monitor with a session is known after a restart`() async throws {
    let keeper = KeptRecords(keepsPlugs: true)
    let first = Rig(keeper: keeper)
    await first.start()
    try await first.plug(640, 480)
    let name = try #require(await first.display("Virtual-1")?.monitor)
    _ = try await first.director.open(OpenRequest(scene: Scene.banner("a").document, display: "Virtual-1"))
    try await first.director.unplug("Virtual-1")
    await first.director.close()
    let second = Rig(keeper: keeper)
    await second.start()
    let report = try #require(await second.display("Virtual-1"))
    #expect(report.state == "disconnected" && report.monitor == name)
  }

  @Test func `every mode refused is a dark display that says so`() async throws {
    let rig = Rig()
    await rig.start()
    rig.card.inject(.failCommit(.refused))
    _ = try await rig.plug(640, 480)
    let report = try #require(await rig.darkness(of: "Virtual-1"))
    #expect(report.cause == "refused" && report.reason?.contains("no mode could be set") == true)
  }

  @Test func `a monitor without modes is dark and named, and lit when its modes come`() async throws {
    let rig = Rig()
    await rig.start()
    rig.card.plug(VirtualMonitor(edid: [], modes: []), into: "Virtual-1")
    await rig.director.lookAtAll()
    let report = try #require(await rig.display("Virtual-1"))
    #expect(report.state == "dark" && report.cause == "noMode" && report.since != nil, "\(report)")
    #expect(rig.log.complaints.filter { $0.hasPrefix("Virtual-1: dark: a monitor is plugged in") }.count == 1)
    #expect(await rig.director.health().reasons.contains { $0.contains("Virtual-1") })
    await #expect(throws: ControlError.self) { try await rig.director.why("Virtual-1") }
    _ = try await rig.plug(640, 480, into: "Virtual-1")
    _ = try await rig.show("There")
    #expect(await rig.display("Virtual-1")?.state == "lit")
  }

  @Test func `a stall is told, and ends with a flip of the same mode, set anew`() async throws {
    let steady = HandClock(1_000_000)
    let rig = Rig(patience: .init(flip: 100_000_000), now: { UInt64(steady.now) * 1_000_000 })
    await rig.start()
    try await rig.plug(640, 480)
    _ = try await rig.show("One")
    rig.card.inject(.swallowFlip, count: 1)
    let words = try await way(rig, until: "Virtual-1 lit") {
      _ = try await rig.director.setMessage(MessageRequest(text: "Two"))
      await rig.waitWhile { rig.card.journal.filter({ $0 == "flip Virtual-1" }).count < 2 }
      await rig.waitWhile { director in !director.awaitsFlip("Virtual-1") }
      steady.now += 200
    }
    #expect(words.first?.hasPrefix("Virtual-1 stalled: no flip came in time") == true, "\(words)")
    #expect(words.dropFirst() == ["Virtual-1 lighting", "Virtual-1 lit"])
    let modesets = rig.modesets.map { $0.hasPrefix("dark") ? "dark" : $0 }
    #expect(modesets == ["light Virtual-1 640x480@60", "dark", "light Virtual-1 640x480@60"], "a stuck pipe is let go")
    #expect(await rig.display("Virtual-1")?.message == "Two")
  }

  @Test func `the displays of a card that is gone are lost all at once`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    try await rig.plug(800, 600)
    let events = await rig.director.events()
    rig.card.lose()
    for await event in events where event.kind == .disconnected { break }
    #expect(await rig.director.displays().map { "\($0.name) \($0.state)" } == ["Virtual-1 lost", "Virtual-2 lost"])
  }

  @Test func `a display whose card is gone is lost until its monitor is seen again`() async throws {
    let rig = Rig()
    await rig.start()
    try await rig.plug(640, 480)
    _ = try await rig.show("One")
    rig.card.lose()
    await rig.wait { await rig.display("Virtual-1")?.state == "lost" }
    let report = try #require(await rig.display("Virtual-1"))
    #expect(report.reason?.contains("memory is gone") == true && report.since != nil && report.mode == nil)
    #expect(rig.log.complaints.contains { $0.hasPrefix("Virtual-1: lost: ") })
    let error = await #expect(throws: ControlError.self) { try await rig.director.why("Virtual-1") }
    #expect(error?.message.hasPrefix("Virtual-1 is lost: ") == true)
    let other = VirtualCard(path: "other", keepsJournal: true, clock: Rig.now)
    _ = other.plug(Size(640, 480), into: "Virtual-3")
    await rig.director.start(VirtualSource(other))
    await rig.wait { await rig.display("Virtual-3")?.state == "lit" }
    #expect(await rig.director.displays().map(\.state) == ["lit"], "its monitor is on another card")
  }
}
