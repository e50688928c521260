import Calendars
import Testing

@testable import Schedules

/// Hours in which displays are lit.
struct HoursTests {
  private let berlin: Zone

  init() throws { berlin = try Zone(named: "Europe/Berlin") }

  /// Returns the Unix time of a local time in Berlin, such as `2026-11-27T07:00`.
  private func time(_ text: String) throws -> Int64 {
    berlin.seconds(of: try DateTime(text))
  }

  private func isOpen(_ hours: String, _ text: String) throws -> Bool {
    try DisplayHours(parsing: hours).isOpen(at: try time(text), in: berlin)
  }

  @Test func `weekdays and times are those of the zone, and the end is outside`() throws {
    let hours = "Mo-Fr 07:00-19:00"
    #expect(try !isOpen(hours, "2026-11-27T06:59:59"))
    #expect(try isOpen(hours, "2026-11-27T07:00:00"))
    #expect(try isOpen(hours, "2026-11-27T18:59:59"))
    #expect(try !isOpen(hours, "2026-11-27T19:00:00"))
    #expect(try !isOpen(hours, "2026-11-28T12:00:00"))
  }

  @Test func `an interval over midnight belongs to the day on which it starts`() throws {
    let hours = "Fr 20:00-02:00; Sa off"
    #expect(try isOpen(hours, "2026-11-27T23:00:00"))
    #expect(try isOpen(hours, "2026-11-28T01:59:59"))
    #expect(try !isOpen(hours, "2026-11-28T02:00:00"))
    #expect(try !isOpen(hours, "2026-11-28T20:00:00"))
  }

  @Test func `the last rule that names a day counts`() throws {
    let hours = "24/7; Dec 24-26 off; 2026 Dec 24 08:00-14:00"
    #expect(try isOpen(hours, "2026-12-23T03:00:00"))
    #expect(try isOpen(hours, "2026-12-24T08:00:00"))
    #expect(try !isOpen(hours, "2026-12-24T14:00:00"))
    #expect(try !isOpen(hours, "2027-12-24T08:00:00"))
    #expect(try !isOpen(hours, "2026-12-26T23:59:59"))
    #expect(try isOpen(hours, "2026-12-27T00:00:00"))
  }

  @Test func `dates without a year can span the turn of the year`() throws {
    let hours = "08:00-20:00; Dec 24-Jan 06 10:00-12:00"
    #expect(try !isOpen(hours, "2026-12-31T09:00:00"))
    #expect(try isOpen(hours, "2027-01-06T11:00:00"))
    #expect(try isOpen(hours, "2027-01-07T09:00:00"))
  }

  @Test func `an hour that is skipped is not seen, and one that occurs twice counts twice`() throws {
    let hours = try DisplayHours(parsing: "02:00-03:00")
    // At 2027-03-28 02:00 clocks are set to 03:00; at 2027-10-31 03:00 they are set back to 02:00.
    let spring = try time("2027-03-28T01:00:00")
    let nextDay = try time("2027-03-29T02:00:00")
    #expect(hours.nextChange(after: spring, in: berlin) == nextDay)
    let autumn = try time("2027-10-31T01:59:59")
    #expect(hours.nextChange(after: autumn, in: berlin) == autumn + 1)
    #expect(hours.nextChange(after: autumn + 1, in: berlin) == autumn + 1 + 2 * 3600)
  }

  @Test func `hours that never end and hours that never come have no next change`() throws {
    let now = try time("2026-11-27T12:00:00")
    #expect(try DisplayHours(parsing: "24/7").nextChange(after: now, in: berlin) == nil)
    #expect(try DisplayHours(parsing: "off").nextChange(after: now, in: berlin) == nil)
    #expect(try DisplayHours(parsing: "2020 Jan 01 08:00-09:00").nextChange(after: now, in: berlin) == nil)
    let leap = try DisplayHours(parsing: "off; Feb 29 10:00-11:00")
    #expect(leap.nextChange(after: now, in: berlin) == nil)
    let (horizon, leapDay) = (try #require(leap.horizon(after: now)), try time("2028-02-29T10:00:00"))
    #expect(leap.nextChange(after: horizon, in: berlin) == leapDay)
  }

  @Test(arguments: [
    ("", "the text ends where a time from 00:00 to 23:59 is expected"),
    ("Mo-Fr", "the text ends where a time from 00:00 to 23:59 is expected"),
    ("Mo-Fr 7-19", "there is \"7-19\" where a time from 00:00 to 23:59 is expected"),
    ("Mo-Fr 07:00", "the text ends where a hyphen and the end of the interval is expected"),
    ("Mo-Fr 07:00-07:00", "there is \"07:00\" where another time, at most a day later, is expected"),
    ("Mo-Xx 07:00-19:00", "there is \"Xx 07:00-19:\" where a weekday is expected"),
    ("PH off", "there is \"PH off\" where a time from 00:00 to 23:59 is expected"),
    ("Feb 30 off", "there is \"30 off\" where a day of Feb is expected"),
    ("2027 Dec 24-Dec 26 off", "there is \"Dec 26 off\" where a later date, with a year if the first one has a year,"),
    ("2027 Dec 24-2027 Dec 20 off", "there is \"2027 Dec 20 \" where a later date"),
    ("Mo 07:00-19:00 Tu off", "there is \"Tu off\" where a semicolon or the end is expected"),
    ("25:00-26:00", "there is \"25:00-26:00\" where a time from 00:00 to 23:59 is expected"),
  ])
  func `hours that cannot be read name the part and what is expected`(text: String, reason: String) {
    let error = #expect(throws: HoursError.self) { try DisplayHours(parsing: text) }
    #expect(error?.description.contains(reason) ?? false, "\(error?.description ?? "none")")
  }

  @Test(arguments: [
    "Mo-Fr 07:00-19:00;", "Mo,We,Fr: 7:00-12:00, 13:00-19:00", "Sa-Mo 22:00-26:00", " 24/7 ", "Jan 1 off",
  ])
  func `common ways to write hours are read`(text: String) {
    #expect(throws: Never.self) { try DisplayHours(parsing: text) }
  }
}
