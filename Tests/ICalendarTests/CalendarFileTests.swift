import Calendars
import ICalendar
import Testing

/// iCalendar files as people and programs write them.
struct CalendarFileTests {
  private static func file(_ lines: String) -> [UInt8] {
    Array(("BEGIN:VCALENDAR\nVERSION:2.0\n" + lines + "\nEND:VCALENDAR\n").utf8)
  }

  private static func events(_ lines: String, at now: String = "2026-01-01T00:00Z") throws -> [CalendarEvent] {
    try ICalendarFile.events(in: file(lines), at: Zone.utc.seconds(of: try DateTime(now)))
  }

  private static func event(_ lines: String) throws -> CalendarEvent {
    let events = try events("BEGIN:VEVENT\nUID:a\nSUMMARY:Standup\n\(lines)\nEND:VEVENT")
    return try #require(events.first)
  }

  @Test func `An event has its name, its times and its zone`() throws {
    let event = try Self.event(
      "DTSTART;TZID=Europe/Berlin:20261130T090000\nDTEND;TZID=Europe/Berlin:20261130T091500\nRRULE:FREQ=DAILY")
    #expect(event.summary == "Standup")
    #expect("\(event.from) \(event.until)" == "2026-11-30T09:00:00 2026-11-30T09:15:00")
    #expect(event.zone == "Europe/Berlin")
    #expect(event.rule == "FREQ=DAILY")
  }

  @Test func `A folded and escaped name is one text`() throws {
    let lines =
      "BEGIN:VEVENT\nSUMMARY:Review\\, part 1\\; with a long \n name\nDTSTART:20261130T090000Z\nDURATION:PT1H\nEND:VEVENT"
    #expect(try Self.events(lines).map(\.summary) == ["Review, part 1; with a long name"])
  }

  @Test(arguments: [
    ("DTSTART:20261130T090000Z\nDURATION:PT90M", "2026-11-30T09:00:00Z 2026-11-30T10:30:00Z"),
    ("DTSTART;VALUE=DATE:20261224", "2026-12-24T00:00:00 2026-12-25T00:00:00"),
    ("DTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261227", "2026-12-24T00:00:00 2026-12-27T00:00:00"),
    ("DTSTART:20261130T090000\nDTEND:20261130T100000", "2026-11-30T09:00:00 2026-11-30T10:00:00"),
    (
      "DTSTART;TZID=Europe/Berlin:20261130T090000\nDTEND;TZID=Asia/Tokyo:20261130T180000",
      "2026-11-30T09:00:00 2026-11-30T09:00:00Z"
    ),
  ])
  func `An end is a time, a duration, or the end of a day`(lines: String, times: String) throws {
    let event = try Self.event(lines)
    #expect("\(event.from) \(event.until)" == times)
  }

  @Test(arguments: [
    ("/citadel.org/20210210_1/Europe/Berlin", "Europe/Berlin"), ("W. Europe Standard Time", "Europe/Berlin"),
    ("Tokyo Standard Time", "Asia/Tokyo"), ("America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
  ])
  func `Zones with a path or with a name of Windows are found`(name: String, zone: String) throws {
    let event = try Self.event("DTSTART;TZID=\"\(name)\":20261130T090000\nDURATION:PT1H")
    #expect(event.zone == zone)
  }

  @Test func `A canceled time does not take place, and a moved one takes place elsewhere`() throws {
    let events = try Self.events(
      """
      BEGIN:VEVENT
      UID:a
      SUMMARY:Standup
      DTSTART;TZID=Europe/Berlin:20261130T090000
      DURATION:PT15M
      RRULE:FREQ=DAILY;COUNT=5
      END:VEVENT
      BEGIN:VEVENT
      UID:a
      SUMMARY:Standup
      RECURRENCE-ID;TZID=Europe/Berlin:20261201T090000
      STATUS:CANCELLED
      DTSTART;TZID=Europe/Berlin:20261201T090000
      DURATION:PT15M
      END:VEVENT
      BEGIN:VEVENT
      UID:a
      SUMMARY:Standup, later
      RECURRENCE-ID:20261202T080000Z
      DTSTART;TZID=Europe/Berlin:20261202T110000
      DURATION:PT15M
      END:VEVENT
      """)
    let zone = try Zone(named: "Europe/Berlin")
    let start = zone.seconds(of: try DateTime("2026-11-30"))
    let times = try events.flatMap { event in
      try event.times(in: start..<start + 864_000, zone: zone).map {
        let time = zone.civil(atSeconds: $0.lowerBound)
        return "\(event.summary) \(time.day) \(time.clock())"
      }
    }
    #expect(
      times == [
        "Standup 30 09:00", "Standup 3 09:00", "Standup 4 09:00", "Standup, later 2 11:00",
      ])
  }

  @Test func `A date without a time excludes the time of that day`() throws {
    let event = try Self.event(
      "DTSTART:20261130T090000\nDURATION:PT15M\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE;VALUE=DATE:20261201")
    let start = Zone.utc.seconds(of: try DateTime("2026-11-30T09:00Z"))
    let times = try event.times(in: start..<start + 864_000, zone: .utc).map { ($0.lowerBound - start) / 86_400 }
    #expect(times == [0, 2])
  }

  @Test func `Events that are over are left out`() throws {
    let lines = """
      BEGIN:VEVENT
      SUMMARY:over
      DTSTART:20200101T090000Z
      DTEND:20200101T100000Z
      END:VEVENT
      BEGIN:VEVENT
      SUMMARY:repeated, over
      DTSTART:20200101T090000Z
      DTEND:20200101T100000Z
      RRULE:FREQ=DAILY;UNTIL=20201231T000000Z
      END:VEVENT
      BEGIN:VEVENT
      SUMMARY:repeated
      DTSTART:20200101T090000Z
      DTEND:20200101T100000Z
      RRULE:FREQ=DAILY
      END:VEVENT
      """
    #expect(try Self.events(lines).map(\.summary) == ["repeated"])
  }

  @Test(arguments: [
    ("DTEND:20261130T100000Z", "it has no DTSTART"),
    ("DTSTART:2026113T0900", "DTSTART is \"2026113T0900\""),
    ("DTSTART:20261130T090000Z\nDTEND:20261130T080000Z", "it ends at 2026-11-30T08:00:00Z, before"),
    ("DTSTART:20261130T090000Z\nDURATION:PT1H\nRRULE:FREQ=FOO", "RRULE is \"FREQ=FOO\""),
    ("DTSTART:20261130T090000Z\nDURATION:PT1H\nRRULE:FREQ=MINUTELY", "hourly at most"),
    ("DTSTART:20261130T090000Z\nDURATION:PT1M\nRRULE:FREQ=HOURLY;BYMINUTE=0,30", "hourly at most"),
    (
      "DTSTART:20261130T090000Z\nDURATION:PT1M\nRRULE:FREQ=DAILY;BYHOUR=8,9,10,11,12;BYMINUTE=0,10,20,30,40",
      "hourly at most"
    ),
    ("DTSTART:20261130T090000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=30000", "COUNT may be 5000"),
    ("DTSTART:20261130T090000Z\nDURATION:PT1H\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "there is no such day"),
    ("DTSTART:20261130T090000Z\nDURATION:PT1H\nRRULE:FREQ=HOURLY;BYHOUR=9", "use FREQ=DAILY"),
    ("DTSTART:20261130T090000Z\nDURATION:PT1H\nRRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "BYWEEKNO is not supported"),
    ("DTSTART;TZID=Moon/Sea:20261130T090000\nDURATION:PT1H", "the time zone \"Moon/Sea\""),
    ("DTSTART:20261130T090000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY", "more than one RRULE"),
    ("DTSTART:20261130T090000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY", "EXRULE"),
    ("DTSTART:20261331T090000Z\nDURATION:PT1H", "DTSTART is \"20261331T090000Z\""),
  ])
  func `A file with a mistake is refused with the event, the property and the value`(lines: String, reason: String) {
    let error = #expect(throws: CalendarError.self) { try Self.event(lines) }
    #expect("\(error.map { "\($0)" } ?? "")".hasPrefix("the event \"Standup\": "))
    #expect("\(error.map { "\($0)" } ?? "")".contains(reason), "\(String(describing: error))")
  }

  @Test(arguments: ["", "hello", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:cut off", "<html></html>", "a\0b"])
  func `What is not an iCalendar file is refused`(text: String) {
    #expect(throws: CalendarError.self) { try ICalendarFile.events(in: Array(text.utf8), at: 0) }
  }

  @Test func `A file without events is an empty calendar`() throws {
    #expect(try Self.events("BEGIN:VTODO\nSUMMARY:a\nEND:VTODO").isEmpty)
    let two = String(decoding: Self.file(""), as: UTF8.self)
    #expect(try ICalendarFile.events(in: Array((two + two).utf8), at: 0).isEmpty)
  }
}
