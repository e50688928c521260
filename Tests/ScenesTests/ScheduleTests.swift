import Calendars
import Scenes
import Schedules
import SeededRandom
import Testing

/// Schedules: which rule applies when, and for how long.
struct ScheduleTests {
  private let zones = ZoneCache()
  private let berlin: Zone

  init() throws { berlin = try Zone(named: "Europe/Berlin") }

  private func time(_ text: String) throws -> Int64 { berlin.seconds(of: try DateTime(text)) }

  private func rule(
    _ name: String, _ hours: String? = nil, from: String? = nil, until: String? = nil, priority: Int = 0
  ) throws -> Schedule.Rule {
    Schedule.Rule(
      .banner(name), name: name, hours: try hours.map { try DisplayHours(parsing: $0) },
      from: try from.map(DateTime.init),
      until: try until.map(DateTime.init), priority: priority)
  }

  /// Returns the name of the rule that applies, and the local time of the next change.
  private func choice(_ rules: [Schedule.Rule], _ text: String) throws -> String {
    let schedule = Schedule(rules)
    let choice = schedule.choice(at: try time(text), in: berlin)
    let until = choice.until.map { berlin.civil(atSeconds: $0) }
    return schedule.name(of: choice.rule) + (until.map { " until \($0.day) \($0.clock())" } ?? "")
  }

  @Test func `the first rule that applies counts, and then the next one`() throws {
    let rules = [try rule("lunch", "Mo-Fr 11:30-13:30"), try rule("day", "Mo-Fr 07:00-19:00")]
    #expect(try choice(rules, "2026-11-27T06:00") == "otherwise until 27 07:00")
    #expect(try choice(rules, "2026-11-27T07:00") == "day until 27 11:30")
    #expect(try choice(rules, "2026-11-27T11:30") == "lunch until 27 13:30")
    #expect(try choice(rules, "2026-11-27T13:30") == "day until 27 19:00")
    #expect(try choice(rules, "2026-11-27T19:00") == "otherwise until 30 07:00")
  }

  @Test func `a higher priority comes before the order, and dates limit a rule`() throws {
    let rules = [
      try rule("always"), try rule("fair", "10:00-18:00", from: "2026-12-01", until: "2026-12-03T12:00", priority: 5),
    ]
    #expect(try choice(rules, "2026-11-27T12:00") == "always until 1 10:00")
    #expect(try choice(rules, "2026-12-01T12:00") == "fair until 1 18:00")
    #expect(try choice(rules, "2026-12-03T11:00") == "fair until 3 12:00")
    #expect(try choice(rules, "2026-12-03T12:00") == "always")
  }

  @Test func `a time that is skipped is read with the offset before, and a time that comes twice is the first one`()
    throws
  {
    let spring = [try rule("event", from: "2027-03-28T02:30", until: "2027-03-28T04:00")]
    #expect(try choice(spring, "2027-03-28T01:59") == "otherwise until 28 03:30")
    #expect(try choice(spring, "2027-03-28T03:30") == "event until 28 04:00")
    let autumn = Schedule([try rule("event", "02:15-02:45")])
    let start = try time("2027-10-31T02:15")
    #expect(autumn.choice(at: start, in: berlin).rule == 0)
    #expect(autumn.choice(at: start, in: berlin).until == start + 1800)
    #expect(autumn.choice(at: start + 1800, in: berlin).until == start + 3600)
    #expect(autumn.choice(at: start + 3600, in: berlin).rule == 0)
  }

  @Test func `rules that never apply or that others hide are named with the reason`() throws {
    let rules = [
      try rule("day", "Mo-Fr 07:00-19:00"), try rule("hidden", "Mo-Fr 08:00-09:00"),
      try rule("over", until: "2026-01-01"), try rule("never", "Feb 29 10:00-11:00"),
      try rule("night", "20:00-06:00"),
    ]
    let warnings = Schedule(rules).warnings(at: try time("2026-11-27T12:00"), in: berlin)
    #expect(
      warnings == [
        "hidden is never shown: day comes first at its times; give it a higher priority or other times",
        "over never applies: it ended at 2026-01-01T00:00:00; change its times or remove it",
        "never never applies: no time within a year is in it; change its times or remove it",
      ])
  }

  @Test(arguments: SeededGenerator.seeds)
  func `the end of a choice is the first second at which another rule applies`(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    let hours = ["Mo-Fr 07:00-19:00", "02:15-02:45", "Sa,Su 22:00-03:00", "Mar 27-29 off; 24/7", "12:00-13:00"]
    let starts = ["2027-03-27T12:00", "2027-03-28T02:30", "2027-03-28T22:00", "2027-03-29T07:00"]
    let rules = try (0..<1 + chance.below(5)).map { place in
      try rule(
        "r\(place)", chance.maybe { $0.pick(hours) }, from: chance.once(in: 3) ? chance.pick(starts) : nil,
        until: chance.once(in: 3) ? chance.pick(starts) : nil, priority: chance.pick([0, 0, 1]))
    }
    let schedule = Schedule(rules)
    var second = try time("2027-03-27T00:00")
    let end = try time("2027-03-30T00:00")
    while second < end {
      let choice = schedule.choice(at: second, in: berlin)
      let next = min(choice.until ?? end, end)
      for minute in stride(from: second, to: next, by: 900) {
        #expect(schedule.choice(at: minute, in: berlin) == choice, "seed \(seed)")
      }
      if let until = choice.until {
        #expect(schedule.choice(at: until, in: berlin).rule != choice.rule, "seed \(seed)")
      }
      second = next
    }
  }

  @Test func `a schedule shows the scene of its rule, and its content begins with the rule`() throws {
    let text = Scene(.markdown(MarkdownText("menu", secondsPerPage: 60)))
    let schedule = Schedule(
      [Schedule.Rule(text, name: "lunch", hours: try DisplayHours(parsing: "11:30-13:30"))], zone: "Europe/Berlin",
      otherwise: Scene(.entry("idle")))
    let library = ["idle": LibraryEntry("idle", .banner("Welcome"))]
    let noon = try time("2026-11-27T11:30") * 1000
    var context = ViewContext(now: noon - 3_600_000, zones: zones, began: 5, library: library)
    let before = Scene(.schedule(schedule)).view(in: context)
    #expect(before.seen.sources == [.otherwise, .entry("idle")])
    #expect(before.view.content == .banner("Welcome"))
    #expect(before.nextChange == noon)
    context.progress = before.progress
    context.now = noon
    var lunch = Scene(.schedule(schedule)).view(in: context)
    #expect(lunch.seen.sources == [.rule("lunch")])
    #expect(lunch.progress.main == [SceneStep(number: 0, began: noon)])
    (context.progress, context.pagedAt, context.pages) = (lunch.progress, lunch.progress.main, 2)
    context.now = noon + 61_000
    lunch = Scene(.schedule(schedule)).view(in: context)
    #expect(lunch.view.content == .markdown(MarkdownText("menu", secondsPerPage: 60), .share(1)))
    #expect(lunch.nextChange == noon + 120_000)
  }

  @Test func `what is planned follows entries and schedules, and not the items of a playlist`() throws {
    let loop = Scene(.playlist(Playlist([.init(.banner("a")), .init(.banner("b"))])))
    let library = ["loop": LibraryEntry("loop", loop)]
    let schedule = Schedule([try rule("lunch", "11:30-13:30")], zone: "Europe/Berlin", otherwise: Scene(.entry("loop")))
    let now = try time("2026-11-27T10:00") * 1000
    let planned = Scene(.schedule(schedule)).planned(at: now, zones, library)
    #expect(planned.scene == loop)
    #expect(planned.sources == [.otherwise, .entry("loop")])
    #expect(planned.until == now + 90 * 60_000)
  }
}
