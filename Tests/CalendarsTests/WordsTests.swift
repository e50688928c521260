import Calendars
import Testing

struct WordsTests {
  @Test func `the next day and the day before are those of the calendar`() {
    // From 1899 to 2101: three years divisible by 100, one of which is a leap year.
    for days in Int64(-25_932)...47_846 {
      let date = CivilDate(days: days)
      #expect(date.following == CivilDate(days: days + 1))
      #expect(date.preceding == CivilDate(days: days - 1))
    }
  }

  @Test(arguments: [
    (0, "00:00", "12:00 am", "12:00:00 am"), (50709, "14:05", "2:05 pm", "2:05:09 pm"),
    (43200, "12:00", "12:00 pm", "12:00:00 pm"), (86399, "23:59", "11:59 pm", "11:59:59 pm"),
  ])
  func `A clock has 24 or twice 12 hours`(seconds: Int64, long: String, short: String, whole: String) {
    let time = Zone.utc.civil(atSeconds: seconds)
    #expect(time.clock() == long && time.clock(.hours12) == short && time.clock(.hours12, seconds: true) == whole)
  }

  @Test func `A date is written out in English`() {
    #expect(Zone.utc.civil(atSeconds: 1_795_219_200).date.words == "Saturday, 21 November 2026")
    let days = (0..<366).map { Zone.utc.civil(atSeconds: $0 * 86400).date }
    #expect(Set(days.map(\.weekday.name)).count == 7 && Set(days.map(\.monthName)).count == 12)
  }

  @Test(arguments: [
    (-5, "00:00:00", "00:00"), (0, "00:00:00", "00:00"), (1, "00:00:01", "00:01"), (3599, "00:59:59", "01:00"),
    (86399, "23:59:59", "1 day 00:00"), (86400, "1 day 00:00:00", "1 day 00:00"),
    (273_906, "3 days 04:05:06", "3 days 04:06"), (Int64.max, nil, nil),
  ])
  func `A countdown has days, hours, minutes and seconds`(seconds: Int64, words: String?, minutes: String?) {
    if let words { #expect(TimeLeft.words(seconds: seconds) == words) }
    if let minutes { #expect(TimeLeft.words(minutesOf: seconds) == minutes) }
    #expect(TimeLeft.words(seconds: .max).hasPrefix("106751991167300 days "))
  }

  @Test(arguments: [
    ("2026-12-31", 1_798_675_200), ("2026-12-31T23:59", 1_798_761_540), ("2026-12-31 23:59:30", 1_798_761_570),
    ("2026-12-31T23:59Z", 1_798_761_540), ("2026-12-31t23:59:00z", 1_798_761_540),
    ("2026-12-31T23:59+01:00", 1_798_757_940), ("2026-12-31T23:59-0330", 1_798_774_140),
    ("2026-12-31T23:59+14", 1_798_711_140), ("1969-12-31T23:59:59", -1), ("0000-02-29", -62_162_121_600),
  ])
  func `A date and time in a zone is a moment`(text: String, seconds: Int64) throws {
    #expect(Zone.utc.seconds(of: try DateTime(text)) == seconds)
  }

  @Test(arguments: [
    "", "tomorrow", "2026-12-31T", "2026-12-31T23", "2026-12-31T23:5", "2026-12-31T23:59:", "2026-12-31T23:59+",
    "2026-12-31T23:59+1", "2026-12-31T23:59+01:", "2026-12-31T23:59+01:60", "2026-12-31T23:59Zx", "26-12-31",
    "2026-12-31T23:59 ", "２０２６-12-31",
  ])
  func `Text that is not a date and time is rejected`(text: String) {
    #expect(throws: DateTimeError.form(text)) { try DateTime(text) }
  }

  @Test(arguments: ["2026-02-29", "2026-13-01", "2026-00-01", "2026-04-31", "2026-12-31T24:00", "2026-12-31T23:60"])
  func `A nonexistent date or time is rejected with the reason`(text: String) throws {
    let error = try #require(throws: DateTimeError.self) { try DateTime(text) }
    guard case .value(text, _) = error else {
      Issue.record("\(error)")
      return
    }
  }
}
