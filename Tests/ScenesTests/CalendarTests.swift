import Calendars
import ICalendar
@testable import Scenes
import Schedules
import Testing

/// Calendars as scenes, and as the times of schedules' rules.
struct CalendarTests {
  private let zones = ZoneCache()

  private func event(_ name: String, _ from: String, _ until: String, _ rule: String? = nil) throws -> CalendarEvent {
    CalendarEvent(name, from: try DateTime(from), until: try DateTime(until), zone: "Europe/Berlin", rule: rule)
  }

  private func seconds(_ text: String) throws -> Int64 { Zone.utc.seconds(of: try DateTime(text)) }

  private func words(_ view: View) -> String {
    switch view.content {
    case .banner(let text): text
    case .blank: "blank"
    default: "something else"
    }
  }

  @Test func `Each event is shown while it takes place, and changes are exact`() throws {
    let calendar = EventCalendar(
      [
        try event("day", "2026-11-30", "2026-12-01"),
        try event("standup", "2026-11-30T09:00", "2026-11-30T09:15", "FREQ=DAILY"),
        try event("review", "2026-11-30T09:10", "2026-11-30T10:00"),
      ], otherwise: .banner("free"))
    var moment = try seconds("2026-11-29T22:00Z")
    var changes: [String] = []
    while try moment < seconds("2026-12-02T00:00Z") {
      let context = ViewContext(now: moment * 1000, zones: zones)
      let resolved = Scene(.calendar(calendar)).view(in: context)
      let time = try Zone(named: "Europe/Berlin").civil(atSeconds: moment)
      changes.append("\(time.day) \(time.clock()) \(words(resolved.view))")
      moment = try #require(resolved.nextChange) / 1000
    }
    #expect(
      changes == [
        "29 23:00 free", "30 00:00 day", "30 09:00 standup", "30 09:10 review", "30 10:00 day", "1 00:00 free",
        "1 09:00 standup", "1 09:15 free",
      ])
  }

  @Test func `An event shows the library entry with its name`() throws {
    let calendar = EventCalendar([try event("lunch", "2026-11-30T12:00", "2026-11-30T13:00")])
    let library = [
      "lunch": LibraryEntry("lunch", .banner("Soup")), "bookings": LibraryEntry("bookings", Scene(.calendar(calendar))),
    ]
    let now = try seconds("2026-11-30T11:30Z") * 1000
    let context = ViewContext(now: now, zones: zones, library: library)
    let resolved = Scene(.entry("bookings")).view(in: context)
    #expect(words(resolved.view) == "Soup")
    #expect(resolved.seen.sources == [.entry("bookings"), .event("lunch"), .entry("lunch")])
    let planned = Scene(.entry("bookings")).planned(at: now, zones, library)
    #expect(planned.sources == resolved.seen.sources)
    #expect(planned.until == (try seconds("2026-11-30T12:00Z")) * 1000)
    #expect(planned.calendar == "bookings")
  }

  @Test func `An event with the name of its own calendar is a banner`() throws {
    let calendar = EventCalendar([try event("bookings", "2026-11-30T12:00", "2026-11-30T13:00")])
    let library = ["bookings": LibraryEntry("bookings", Scene(.calendar(calendar)))]
    let context = ViewContext(now: try seconds("2026-11-30T11:30Z") * 1000, zones: zones, library: library)
    #expect(words(Scene(.entry("bookings")).view(in: context).view) == "bookings")
  }

  @Test func `A rule with a calendar applies while one of its events takes place`() throws {
    let calendar = EventCalendar([
      try event("standup", "2026-11-30T09:00", "2026-11-30T09:15", "FREQ=WEEKLY;BYDAY=MO,TU"),
      try event("review", "2026-11-30T09:15", "2026-11-30T10:00"),
    ])
    let library = ["bookings": LibraryEntry("bookings", Scene(.calendar(calendar)))]
    let schedule = Schedule(
      [
        Schedule.Rule(nil, calendar: "bookings", priority: 1),
        Schedule.Rule(.banner("open"), hours: try DisplayHours(parsing: "Mo-Fr 08:00-18:00")),
      ], zone: "Europe/Berlin", otherwise: .banner("closed"))
    var moment = try seconds("2026-11-30T00:00Z")
    var changes: [String] = []
    while try moment < seconds("2026-12-02T00:00Z") {
      let context = ViewContext(now: moment * 1000, zones: zones, library: library)
      let resolved = Scene(.schedule(schedule)).view(in: context)
      let time = try Zone(named: "Europe/Berlin").civil(atSeconds: moment)
      changes.append("\(time.day) \(time.clock()) \(words(resolved.view))")
      #expect(zones.choice(of: schedule, at: moment, library).until != moment)
      moment = try #require(resolved.nextChange) / 1000
    }
    #expect(
      changes == [
        "30 01:00 closed", "30 08:00 open", "30 09:00 standup", "30 09:15 review", "30 10:00 open", "30 18:00 closed",
        "1 08:00 open", "1 09:00 standup", "1 09:15 open", "1 18:00 closed",
      ])
  }

  @Test func `A later change does not hide events that are not known yet`() throws {
    let calendar = EventCalendar([try event("fair", "2028-06-01T09:00", "2028-06-02T09:00")])
    let library = ["fairs": LibraryEntry("fairs", Scene(.calendar(calendar)))]
    let schedule = Schedule([
      Schedule.Rule(nil, calendar: "fairs", priority: 1),
      Schedule.Rule(.banner("later"), from: try DateTime("2030-01-01")),
    ])
    var moment = try seconds("2026-11-30T00:00Z")
    var seen: [String] = []
    while try moment < seconds("2031-01-01T00:00Z") {
      let context = ViewContext(now: moment * 1000, zones: zones, library: library)
      let resolved = Scene(.schedule(schedule)).view(in: context)
      if seen.last != words(resolved.view) { seen.append(words(resolved.view)) }
      guard let next = resolved.nextChange else { break }
      moment = next / 1000
    }
    #expect(seen == ["blank", "fair", "blank", "later"])
  }

  @Test(arguments: [false, true])
  func `A repetition of years ends when it should`(isInSchedule: Bool) throws {
    var fair = try event("fair", "2026-11-01", "2029-11-01")
    fair.also = [try DateTime("2040-11-01")]
    let calendar = EventCalendar([fair])
    let library = ["fairs": LibraryEntry("fairs", Scene(.calendar(calendar)))]
    let scene = isInSchedule ? Scene(.schedule(Schedule([.init(nil, calendar: "fairs")]))) : Scene(.calendar(calendar))
    var moment = try seconds("2041-06-01T00:00Z")
    var seen: [String] = []
    while try moment < seconds("2050-01-01T00:00Z") {
      let resolved = scene.view(in: ViewContext(now: moment * 1000, zones: zones, library: library))
      if seen.last != words(resolved.view) { seen.append(words(resolved.view)) }
      guard let next = resolved.nextChange else { break }
      moment = next / 1000
    }
    #expect(seen == ["fair", "blank"])
  }

  @Test func `A rule needs a scene or a calendar, and an entry in use by an event stays`() throws {
    let error = #expect(throws: DocumentError.self) {
      try Scene(parsing: #"{"kind": "schedule", "rules": [{"hours": "Mo 09:00-10:00"}]}"#)
    }
    #expect(error?.path == "rules[0].show")
    var model = SessionModel()
    try model.setEntry(LibraryEntry("lunch", .banner("Soup")), at: 0)
    let calendar = EventCalendar([try event("lunch", "2026-11-30T12:00", "2026-11-30T13:00")])
    try model.setEntry(LibraryEntry("bookings", Scene(.calendar(calendar))), at: 0)
    #expect(model.uses["lunch"] == ["an event of the library entry bookings"])
    #expect(throws: SessionModelError.entryInUse("lunch", ["an event of the library entry bookings"])) {
      try model.removeEntry("lunch")
    }
    #expect(throws: SessionModelError.self) { try model.renameEntry("lunch", to: "dinner", at: 0) }
    let schedule = Schedule([Schedule.Rule(nil, calendar: "bookings")])
    try model.setEntry(LibraryEntry("week", Scene(.schedule(schedule))), at: 0)
    try model.renameEntry("bookings", to: "rooms", at: 0)
    #expect(model.library["week"]?.scene.entries == ["rooms"])
  }

  @Test(arguments: [
    (#"{"name": "a", "from": "2026-11-30T10:00", "until": "2026-11-30T10:00"}"#, "events[0].until"),
    (#"{"name": "a", "from": "2026-11-30T10:00", "until": "2026-11-30T11:00", "zone": "Moon/Sea"}"#, "events[0].zone"),
    (#"{"name": "a", "from": "2026-11-30T10:00", "until": "2026-11-30T11:00", "rule": "DAILY"}"#, "events[0].rule"),
  ])
  func `Events that can never be shown are refused with their field`(event: String, path: String) throws {
    let scene = try Scene(parsing: #"{"kind": "calendar", "events": [\#(event)]}"#)
    guard case .calendar(let calendar) = scene.content else {
      Issue.record("not a calendar")
      return
    }
    let error = #expect(throws: DocumentError.self) { try calendar.check(zones) }
    #expect(error?.path == path)
  }

  @Test func `A calendar whose events are over has a warning`() throws {
    let calendar = EventCalendar([try event("a", "2026-11-30T09:00", "2026-11-30T09:15")])
    let scene = Scene(.calendar(calendar))
    #expect(zones.warnings(about: scene, at: try seconds("2026-11-01T00:00Z"), [:]).isEmpty)
    #expect(zones.warnings(about: scene, at: try seconds("2027-11-01T00:00Z"), [:]).count == 1)
  }

  @Test func `Timelines agree with a search over all times`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let times: [(time: Range<Int64>, event: Int)] = (0..<Int.random(in: 0...8, using: &generator)).map { index in
        let start = Int64.random(in: 0...20, using: &generator)
        return (start..<start + Int64.random(in: 1...9, using: &generator), index)
      }
      let timeline = Timeline(times)
      for moment in Int64(-1)...32 {
        let open = times.filter { $0.time.contains(moment) }
        let best = open.max { ($0.time.lowerBound, -$0.event) < ($1.time.lowerBound, -$1.event) }
        let (event, until) = timeline.event(at: moment)
        #expect(event == best?.event, "\(times) at \(moment)")
        #expect(timeline.isBusy(at: moment) == !open.isEmpty)
        if let until {
          #expect(timeline.event(at: until - 1).event == event && timeline.event(at: until).event != event)
        }
      }
    }
  }
}
