import Calendars
import Configuration
import Control
import Displays
import Geometry
import Outputs
import Scenes
import Schedules
import Testing

@testable import Director

/// Schedules, playlists and library entries on displays, in simulated time.
struct CoreLibraryTests {
  /// Returns a core with one lit display at noon of 27 November 2026 in Berlin.
  private func lit() throws -> CoreBench {
    let zone = try Zone(named: "Europe/Berlin")
    var bench = CoreBench()
    bench.now.wall = zone.seconds(of: try DateTime("2026-11-27T12:00:00")) * 1000
    bench.monitors = ["HDMI-A-1": Size(1280, 720)]
    _ = bench.start()
    bench.restore()
    bench.flip("HDMI-A-1")
    bench.pass(1500)
    bench.wakeUp()
    return bench
  }

  /// Lets time pass until the next wake-up.
  /// Lets time pass until the next change, over the preparation of the next item.
  private func passToNext(_ bench: inout CoreBench) throws {
    while true {
      bench.core.now = bench.now
      let next = try #require(bench.core.agenda.next)
      let isPreparation = bench.core.output(named: "HDMI-A-1")?.aheadDue == next
      let wait = Int64(next - bench.now.loop) / 1_000_000
      try #require(wait > 0)
      bench.pass(wait)
      bench.wakeUp()
      if !isPreparation { break }
    }
    bench.flip("HDMI-A-1")
  }

  @Test func `in a year of a schedule, each change comes at its instant, and nothing wakes the service in between`()
    throws
  {
    let zone = try Zone(named: "Europe/Berlin")
    func rule(_ name: String, _ hours: String, until: String? = nil, priority: Int = 0) throws -> Schedule.Rule {
      Schedule.Rule(
        .banner(name), name: name, hours: try DisplayHours(parsing: hours), until: try until.map(DateTime.init),
        priority: priority)
    }
    let schedule = Schedule(
      [
        try rule("holiday", "Dec 24-26 00:00-24:00", priority: 10),
        try rule("fair", "Mo-Fr 15:00-16:00", until: "2027-03-01"),
        try rule("lunch", "Mo-Fr 11:30-13:30"), try rule("day", "Mo-Fr 07:00-19:00"),
        try rule("night", "Sa 22:00-02:30"),
      ], zone: "Europe/Berlin", otherwise: .banner("closed"))
    var bench = try lit()
    bench.step { core in
      _ = core.change { store, now in store.open(Scene(.schedule(schedule)), on: "HDMI-A-1", at: now) }
    }
    bench.flip("HDMI-A-1")
    let end = bench.now.wall + 366 * 86_400_000
    var (wakeUps, changes) = (0, 0)
    while bench.now.wall < end {
      let before = bench.words("HDMI-A-1")
      try passToNext(&bench)
      wakeUps += 1
      // The oracle looks at the rules one by one, at this very moment and one millisecond before.
      let second = bench.now.wall / 1000
      let expected = Self.text(schedule, at: second, zone)
      try #require(bench.words("HDMI-A-1") == expected, "\(bench.now.wall)")
      try #require(before == Self.text(schedule, at: second - 1, zone), "\(bench.now.wall)")
      if before != expected { changes += 1 }
    }
    #expect(wakeUps == changes)
    #expect(changes > 1200, "\(changes)")
    print("\(changes) changes in a year, each at its instant, with \(wakeUps) wake-ups")
  }

  /// Returns the text that a schedule shows: that of the last rule in the reverse order of precedence that applies.
  private static func text(_ schedule: Schedule, at second: Int64, _ zone: Zone) -> String {
    let time = zone.civil(atSeconds: second)
    let minute = time.hour * 60 + time.minute
    let (day, before) = (time.date.weekday, CivilDate(days: time.date.days - 1).weekday)
    let isWorkday = ![.saturday, .sunday].contains(day)
    var text = "closed"
    if (day == .saturday && minute >= 1320) || (before == .saturday && minute < 150) { text = "night" }
    if isWorkday, (420..<1140).contains(minute) { text = "day" }
    if isWorkday, (690..<810).contains(minute) { text = "lunch" }
    if isWorkday, (900..<960).contains(minute), time.year == 2026 || time.month < 3 { text = "fair" }
    if time.month == 12, (24...26).contains(time.day) { text = "holiday" }
    return text
  }

  @Test func `a playlist wakes the service at each item and once before it, and every change is one frame`() throws {
    var bench = try lit()
    let items = ["a", "b", "c"].map { Playlist.Item(.banner($0)) }
    bench.step { core in
      _ = core.change { store, now in
        store.open(Scene(.playlist(Playlist(items, seconds: 10))), on: "HDMI-A-1", at: now)
      }
    }
    let began = bench.now.wall
    bench.flip("HDMI-A-1")
    var seen = [bench.words("HDMI-A-1")]
    var wakeUps: [Int64] = []
    for _ in 0..<5 {
      try passToNext(&bench)
      seen.append(bench.words("HDMI-A-1"))
      // The bench lets 16 ms pass until each flip.
      wakeUps.append(bench.now.wall - 16 - began)
    }
    #expect(seen == ["a", "b", "c", "a", "b", "c"])
    #expect(wakeUps == [10_000, 20_000, 30_000, 40_000, 50_000])
    // The clock is set forward by a day; the item on screen keeps its time.
    bench.now.wall += 86_400_000
    bench.step { $0.momentCame() }
    // The clock's change and the moment are a frame each.
    for _ in 0..<2 { bench.flip("HDMI-A-1") }
    #expect(bench.words("HDMI-A-1") == "c")
    try passToNext(&bench)
    #expect(bench.words("HDMI-A-1") == "a")
    #expect(bench.now.wall - 16 - began == 86_460_000)
  }

  @Test func `the next item is prepared once, and items whose images are missing are skipped`() throws {
    var bench = try lit()
    let items = ["/a.png", "/gone/b.png", "/c.png", "/gone/d.png"].map {
      Playlist.Item(Scene(.image(ImagePanel(path: $0))))
    }
    bench.step { core in
      _ = core.change { store, now in
        store.open(Scene(.playlist(Playlist(items, seconds: 10))), on: "HDMI-A-1", at: now)
      }
    }
    bench.flip("HDMI-A-1")
    var seen = [bench.summary("HDMI-A-1")]
    for _ in 0..<4 {
      try passToNext(&bench)
      seen.append(bench.summary("HDMI-A-1"))
    }
    #expect(seen == ["/a.png", "/c.png", "/a.png", "/c.png", "/a.png"])
    #expect(bench.prepared.prefix(5) == ["/gone/b.png", "/c.png", "/gone/d.png", "/a.png", "/gone/b.png"])
    let output = try #require(bench.core.output(named: "HDMI-A-1"))
    #expect(output.showing.warnings.contains { $0.hasPrefix("item 2 of the playlist is skipped: the image /gone/b") })
    let lines = bench.log.filter { $0.hasPrefix("HDMI-A-1: an item of the playlist is skipped") }
    #expect(lines.count == 2, "one line for each image: \(lines)")
  }

  @Test func `a playlist whose images are all missing says so, and draws one frame for each turn`() throws {
    var bench = try lit()
    let items = ["/gone/a.png", "/gone/b.png"].map { Playlist.Item(Scene(.image(ImagePanel(path: $0)))) }
    bench.step { core in
      _ = core.change { store, now in
        store.open(Scene(.playlist(Playlist(items, seconds: 10))), on: "HDMI-A-1", at: now)
      }
    }
    for _ in 0..<6 { bench.flip("HDMI-A-1") }
    let output = try #require(bench.core.output(named: "HDMI-A-1"))
    #expect(!output.showing.lostPictures.isEmpty)
    #expect(output.nextChange.map { $0 > bench.now.wall + 5000 } == true, "it waits for the next turn")
    #expect(bench.prepared.count < 10)
  }

  @Test func `a changed entry is drawn on the display that shows it, and a change of an unrelated entry draws nothing`()
    throws
  {
    var bench = try lit()
    try bench.step { core throws(ControlError) in
      try core.attempt { store, now throws(SessionModelError) in
        try store.setEntry(LibraryEntry("menu", .banner("Soup")), at: now)
      }
      _ = core.change { store, now in
        store.open(Scene(.playlist(Playlist([.init(Scene(.entry("menu")))]))), on: "HDMI-A-1", at: now)
      }
    }
    bench.flip("HDMI-A-1")
    #expect(bench.words("HDMI-A-1") == "Soup")
    try bench.step { core throws(ControlError) in
      try core.attempt { store, now throws(SessionModelError) in
        try store.setEntry(LibraryEntry("menu", .banner("Pizza")), at: now)
      }
    }
    bench.flip("HDMI-A-1")
    #expect(bench.words("HDMI-A-1") == "Pizza")
    #expect(bench.kinds(.libraryChanged) == ["", ""])
    let content = bench.core.output(named: "HDMI-A-1")?.content
    try bench.step { core throws(ControlError) in
      try core.attempt { store, now throws(SessionModelError) in
        try store.setEntry(LibraryEntry("other", .banner("x")), at: now)
      }
    }
    bench.flip("HDMI-A-1")
    #expect(bench.words("HDMI-A-1") == "Pizza")
    #expect(bench.core.output(named: "HDMI-A-1")?.content == content)
  }
}
