import Calendars
import Configuration
import Control
import Displays
import Geometry
import Layout
import Outputs
import Scenes
import Schedules
import Testing

@testable import Director

/// The decisions of the service as a value, without cards or threads.
struct CoreTests {
  /// Returns a core with one lit monitor.
  private func lit() throws -> CoreBench {
    var bench = CoreBench()
    bench.monitors = ["HDMI-A-1": Size(1280, 720)]
    _ = bench.start()
    bench.restore()
    bench.flip("HDMI-A-1")
    try #require(bench.state("HDMI-A-1") == .lit)
    return bench
  }

  /// Returns a core with one lit monitor, on which each frame from now on has a line that moves.
  private func moving() throws -> CoreBench {
    var bench = try lit()
    let strip = ScrollLayer(
      window: Rect(x: 0, y: 0, width: 1280, height: 80), items: [], length: 400, direction: .left, speed: 180,
      ground: .black)
    bench.moving = Moving.next(strip, of: View(banner: "A"), from: nil, after: nil, refresh: 60_000)
    return bench
  }

  @Test func `no monitor is lit before the stored state is known, and two are lit by one plan`() {
    var bench = CoreBench()
    bench.monitors = ["HDMI-A-1": Size(1280, 720), "HDMI-A-2": Size(1024, 768)]
    _ = bench.start()
    #expect(bench.plans.isEmpty)
    #expect(bench.state("HDMI-A-1") == .lighting)
    bench.restore()
    #expect(bench.plans.map { $0.lit.map(\.name).sorted() } == [["HDMI-A-1", "HDMI-A-2"]])
    #expect(bench.state("HDMI-A-1") == .lighting)
    bench.flip("HDMI-A-1")
    bench.flip("HDMI-A-2")
    #expect(bench.state("HDMI-A-1") == .lit)
    #expect(bench.words("HDMI-A-2") == "Welcome")
  }

  @Test func `a message counts as shown when its flip arrives, not before`() throws {
    var bench = try lit()
    let id = try bench.post("Fire drill at 10")
    #expect(bench.kinds(.messagePosted) == [""])
    #expect(bench.words("HDMI-A-1") == "Welcome")
    let before = bench.settled.count
    bench.flip("HDMI-A-1")
    #expect(bench.words("HDMI-A-1") == "Fire drill at 10")
    #expect(bench.events.last { $0.kind == .messageShown }?.source == .message(id))
    guard case .shown(_, let shown?) = bench.settled[before...].last?.result else {
      Issue.record("the request was not answered: \(bench.settled)")
      return
    }
    #expect(shown.source == .message(id))
    guard case .began(let entry)? = bench.history.last else {
      Issue.record("no history entry: \(bench.history)")
      return
    }
    #expect(entry.began == bench.now.wall)
  }

  @Test func `content that changes during an animation is offered to the render thread once per frame`() throws {
    var bench = try moving()
    _ = try bench.post("A")
    #expect(bench.offers.isEmpty, "nothing moved before")
    _ = try bench.post("B")
    for number in 0..<300 { _ = try bench.post("C\(number)") }
    let offered = { (bench: CoreBench) in bench.offers.map(\.job.moment.seen.scene.summary) }
    #expect(offered(bench) == ["B"], "one is open")
    bench.stepWithOffer()
    #expect(bench.words("HDMI-A-1") == "A", "the frame with B was requested")
    #expect(offered(bench) == ["B", "C299"])
    bench.stepWithOffer()
    #expect(bench.words("HDMI-A-1") == "B")
    bench.flip("HDMI-A-1")
    #expect(bench.words("HDMI-A-1") == "C299" && offered(bench).count == 2)
    #expect(bench.prepared.isEmpty)
  }

  @Test func `content that the render thread did not present is painted at the flip`() throws {
    var bench = try moving()
    _ = try bench.post("A")
    _ = try bench.post("B")
    _ = try bench.post("C")
    bench.flip("HDMI-A-1")
    #expect(bench.words("HDMI-A-1") == "A" && bench.offers.count == 1)
    bench.flip("HDMI-A-1")
    #expect(bench.words("HDMI-A-1") == "C")
  }

  @Test func `the result of a frame that a modeset replaced changes nothing`() throws {
    var bench = try lit()
    bench.held = [.paint]
    _ = try bench.post("Old")
    let paint = try #require(bench.paints.first)
    let begun = bench.core.paintJob(paint.id, paint.generation)
    let job = try #require(begun)
    let painted = Painting.Painted(frame: nil, warnings: ["too small"])
    bench.step { $0.painted(job, painted, paint.id, paint.generation - 1) }
    #expect(bench.core[paint.id]?.painted.warnings == [])
    bench.step { $0.painted(job, painted, paint.id, paint.generation) }
    #expect(bench.core[paint.id]?.painted.warnings == ["too small"])
  }

  @Test func `a monitor that is plugged in again is another one, and results for the first are dropped`() throws {
    var bench = try lit()
    let (first, card) = (try #require(bench.id("HDMI-A-1")), try #require(bench.core.presentCards.first?.id))
    bench.monitors = [:]
    bench.step { $0.feed(.hint(connector: nil), to: card) }
    #expect(bench.id("HDMI-A-1") == nil)
    bench.monitors = ["HDMI-A-1": Size(1280, 720)]
    bench.step { $0.feed(.hint(connector: nil), to: card) }
    #expect(bench.id("HDMI-A-1") != first)
    bench.step { $0.update(first) { $0.content = 1000 } }
    #expect(bench.core.output(named: "HDMI-A-1")?.content != 1000)
    guard case .gone = bench.core.progress(of: first) else {
      Issue.record("the first monitor counts as connected")
      return
    }
  }

  @Test func `a card that is lost while a first frame is rendered is forgotten after the surface is freed`() throws {
    var bench = CoreBench()
    bench.monitors = ["HDMI-A-1": Size(1280, 720)]
    bench.held = [.render]
    let card = bench.start()
    bench.restore()
    let job = try #require(bench.renders.first)
    bench.step { $0.feed(.ended(reason: "the device is gone"), to: card) }
    #expect(bench.state("HDMI-A-1") == nil)
    #expect(bench.core.lost.keys.sorted() == ["HDMI-A-1"])
    #expect(bench.forgotten.isEmpty)
    bench.render(job)
    #expect(bench.freed == [job.surface])
    #expect(bench.forgotten == [card])
    #expect(bench.core.cards.isEmpty)
  }

  @Test func `a display sleeps by one plan, wakes with its content, and waits for nothing meanwhile`() throws {
    var bench = try lit()
    let id = try #require(bench.id("HDMI-A-1"))
    bench.step { $0.setAsleep([id], true, areAll: true) }
    #expect(bench.plans.last?.asleep.map(\.name) == ["HDMI-A-1"])
    #expect(bench.core.output(named: "HDMI-A-1")?.isAsleep ?? false)
    #expect(bench.kinds(.asleep) == ["HDMI-A-1"])
    #expect(bench.core.agenda.next == nil)
    bench.step { $0.setAsleep([id], false, areAll: true) }
    bench.flip("HDMI-A-1")
    #expect(bench.state("HDMI-A-1") == .lit)
    #expect(bench.words("HDMI-A-1") == "Welcome")
  }

  @Test func `an idle service has nothing on its agenda`() throws {
    var bench = try lit()
    // The first frame is compared once with the rendered one.
    bench.pass(1500)
    bench.wakeUp()
    #expect(bench.core.agenda.next == nil)
  }

  @Test func `a pending mode is reverted after 15 seconds, whether or not the clock was set meanwhile`() throws {
    for jump in [Int64(0), 3_600_000, -3_600_000] {
      var bench = try lit()
      bench.pass(1500)
      bench.wakeUp()
      let id = try #require(bench.id("HDMI-A-1"))
      bench.step { $0.beginPending(MonitorChoice(rotation: .quarter), on: id) }
      bench.pass(10_000)
      bench.now.wall += jump
      bench.step { $0.momentCame() }
      bench.flip("HDMI-A-1")
      bench.pass(4999 - 16)
      bench.wakeUp()
      #expect(bench.followed == [])
      #expect(bench.core[id]?.pending != nil)
      bench.pass(1)
      bench.wakeUp()
      #expect(bench.followed == [id])
      #expect(bench.core[id]?.pending == nil)
      #expect(bench.core.agenda.next == nil)
    }
  }

  @Test func `a message with a duration ends after it, and the timer is set for that moment`() throws {
    var bench = try lit()
    bench.pass(1500)
    bench.wakeUp()
    let now = bench.now
    try bench.step { core throws(ControlError) in
      try core.attempt { store, now throws(SessionModelError) in
        _ = try store.post(Scene(.banner("Short")), expires: now + 5000, at: now)
      }
    }
    bench.flip("HDMI-A-1")
    #expect(bench.core.agenda.next == now.loop + 5_000_000_000)
    bench.pass(5000 - 16)
    bench.wakeUp()
    bench.flip("HDMI-A-1")
    #expect(bench.words("HDMI-A-1") == "Welcome")
    #expect(bench.core.agenda.next == nil)
  }

  @Test func `in a year of hours, each change comes at its instant, and nothing wakes the service in between`() throws {
    let zone = try Zone(named: "Europe/Berlin")
    let hours = try DisplayHours(parsing: "Mo-Fr 07:00-19:00; Sa 22:00-02:30; Dec 24-26 off", zone: "Europe/Berlin")
    var bench = CoreBench(settings: Settings(hours: hours))
    bench.now.wall = zone.seconds(of: try DateTime("2026-11-27T12:00:00")) * 1000
    bench.monitors = ["HDMI-A-1": Size(1280, 720)]
    _ = bench.start()
    bench.restore()
    bench.flip("HDMI-A-1")
    bench.pass(1500)
    bench.wakeUp()
    let end = bench.now.wall + 366 * 86_400_000
    var (wakeUps, changes) = (0, 0)
    while bench.now.wall < end {
      bench.core.now = bench.now
      let next = try #require(bench.core.agenda.next)
      let wait = Int64(next - bench.now.loop) / 1_000_000
      try #require(wait > 0)
      bench.pass(wait)
      wakeUps += 1
      let wasLit = bench.state("HDMI-A-1") == .lit
      bench.wakeUp()
      bench.flip("HDMI-A-1")
      let isOpen = hours.isOpen(at: bench.now.wall / 1000, in: zone)
      try #require((bench.state("HDMI-A-1") == .lit) == isOpen, "\(bench.now.wall)")
      if isOpen != wasLit { changes += 1 }
    }
    // 259 weekdays, the first one from noon; 52 Saturdays, one of which ends twice, because clocks are set back; and
    // the start of the Monday after the year.
    #expect(changes == 259 * 2 - 1 + 52 * 2 + 2 + 1)
    // The first frame of each lighting but the last one is compared once.
    #expect(wakeUps == changes + changes / 2 - 1)
  }

  @Test func `a display that is woken outside its hours stays lit until they begin, and sleeps after them`() throws {
    let zone = try Zone(named: "Europe/Berlin")
    let hours = try DisplayHours(parsing: "Mo-Fr 07:00-19:00", zone: "Europe/Berlin")
    var bench = CoreBench(settings: Settings(hours: hours))
    bench.now.wall = zone.seconds(of: try DateTime("2026-11-27T20:00:00")) * 1000
    bench.monitors = ["HDMI-A-1": Size(1280, 720)]
    _ = bench.start()
    bench.restore()
    #expect(bench.plans.flatMap(\.lit).isEmpty)
    #expect(bench.core.output(named: "HDMI-A-1")?.isAsleep ?? false)
    let id = try #require(bench.id("HDMI-A-1"))
    bench.step { $0.setAsleep([id], false, areAll: false) }
    bench.flip("HDMI-A-1")
    #expect(bench.state("HDMI-A-1") == .lit)
    bench.pass(2 * 86_400_000)
    bench.wakeUp()
    #expect(bench.state("HDMI-A-1") == .lit)
    bench.step { core in
      core.setSettings(Settings(hours: hours))
      core.refresh(core.outputs.map(\.id))
    }
    #expect(bench.state("HDMI-A-1") == .lit)
    let others = try DisplayHours(parsing: "Mo-Fr 08:00-18:00", zone: "Europe/Berlin")
    bench.step { core in
      core.setSettings(Settings(hours: others))
      core.refresh(core.outputs.map(\.id))
    }
    #expect(bench.core.output(named: "HDMI-A-1")?.isAsleep ?? false)
    bench.now.wall = zone.seconds(of: try DateTime("2026-11-30T18:00:00")) * 1000
    bench.step { $0.momentCame() }
    #expect(bench.core.output(named: "HDMI-A-1")?.isAsleep ?? false)
  }

  @Test func `when the service stops, its cards are closed and no output is enabled again`() throws {
    var bench = try lit()
    let card = try #require(bench.core.presentCards.first?.id)
    let plans = bench.plans.count
    bench.step { $0.close() }
    bench.step { $0.feed(.hint(connector: nil), to: card) }
    #expect(bench.plans.count == plans)
    #expect(bench.core.cards.isEmpty)
    #expect(bench.freed.count == 1)
    #expect(!bench.log.contains { $0.contains("lost") })
  }
}
