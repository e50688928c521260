import CLibical
import Calendars
import Primitives

/// The rule of a repeated event, in the form of RFC 5545, section 3.3.10.
package struct Recurrence: Hashable, Sendable {
  /// The rule, such as `FREQ=WEEKLY;BYDAY=MO`.
  package let text: String

  /// The largest number of times that a rule may count.
  private static let mostCount = 5000
  /// The largest number of times that one call returns.
  private static let mostTimes = 20_000
  /// The largest number of times that are looked at, most of which may be in weeks between those of the rule.
  private static let mostSteps = 50_000

  /// Reads a rule.
  ///
  /// - Parameter text: The rule, without `RRULE:`.
  /// - Throws: `CalendarError.rule` for a rule that libical does not accept, that is repeated more often than hourly, that
  ///   counts too far, or that has only days that do not exist; `.noLibrary`.
  package init(_ text: String) throws(CalendarError) {
    self.text = text
    let libical = try Libical.load()
    let rule = unsafe text.withCString { unsafe libical.functions.recurrence($0) }
    let parts = Self.parts(of: text)
    guard unsafe rule.freq != ICAL_NO_RECURRENCE, !text.utf8.contains(0) else {
      throw .rule(text, "write a rule of RFC 5545, like \"FREQ=WEEKLY;BYDAY=MO,TH\"")
    }
    let isHourly = unsafe rule.freq == ICAL_HOURLY_RECURRENCE
    let perDay = ["BYHOUR", "BYMINUTE", "BYSECOND"].reduce(isHourly ? 24 : 1) { $0 * max(1, parts[$1]?.count ?? 1) }
    if unsafe perDay > 24 || [ICAL_SECONDLY_RECURRENCE, ICAL_MINUTELY_RECURRENCE].contains(rule.freq) {
      throw .rule(text, "an event is repeated hourly at most")
    }
    if unsafe rule.count > Self.mostCount { throw .rule(text, "COUNT may be \(Self.mostCount) at most; use UNTIL") }
    if parts["BYHOUR"] != nil, isHourly {
      throw .rule(text, "BYHOUR is not supported with FREQ=HOURLY; use FREQ=DAILY")
    }
    if parts["BYWEEKNO"] != nil { throw .rule(text, "BYWEEKNO is not supported; use BYMONTH and BYDAY") }
    // libical would search for such a day for a second or more.
    let months = parts["BYMONTH"].map { $0.compactMap { Int($0) } } ?? Array(1...12)
    if let days = parts["BYMONTHDAY"]?.compactMap({ Int($0) }) {
      // 2024 is a leap year.
      let exists = months.contains { month in
        days.contains { abs($0) <= ((1...12).contains(month) ? CivilDate.length(ofMonth: month, in: 2024) : 0) }
      }
      guard exists else { throw .rule(text, "there is no such day in these months") }
    }
  }

  /// Returns the values of a rule by their names.
  private static func parts(of text: String) -> [String: [Substring]] {
    var parts: [String: [Substring]] = [:]
    for part in text.split(separator: ";") {
      let sides = part.split(separator: "=", maxSplits: 1)
      if sides.count == 2 { parts[sides[0].uppercased()] = sides[1].split(separator: ",") }
    }
    return parts
  }

  /// Returns the starts by the rule, as seconds since the beginning of 1970 on the clocks of the event's zone.
  ///
  /// - Parameters:
  ///   - start: The first start.
  ///   - window: The starts to return.
  ///   - local: Returns the local time of a point in time, for an `UNTIL` in UTC.
  /// - Throws: `CalendarError.noLibrary`.
  /// - Returns: The starts in ascending order, at most 20,000.
  func times(
    from start: Int64, in window: ClosedRange<Int64>, local: (Int64) -> Int64
  ) throws(CalendarError) -> [Int64] {
    let libical = try Libical.load()
    guard Self.years.contains(start), window.lowerBound < Self.years.upperBound else { return [] }
    var rule = unsafe text.withCString { unsafe libical.functions.recurrence($0) }
    var end = window.upperBound
    if let until = unsafe Self.end(of: rule) { end = min(end, unsafe rule.until.zone == nil ? until : local(until)) }
    guard start <= end, window.lowerBound <= end else { return [] }
    // Without an end, libical would search for days that are rare or do not exist for thousands of years.
    unsafe rule.until = Self.time(end)
    // libical 3.0.16 finds the wrong weeks for Sundays alone. Those of the rule are counted here instead.
    let count = unsafe rule.count == 0 ? Int.max : Int(rule.count)
    let weeks = unsafe rule.freq == ICAL_WEEKLY_RECURRENCE ? Int64(max(rule.interval, 1)) : 1
    let firstDay = unsafe Int64(rule.week_start.rawValue) - 1
    unsafe rule.count = 0
    if weeks > 1 { unsafe rule.interval = 1 }
    let first = count == .max ? unsafe Self.jump(from: start, to: window.lowerBound, rule) : start
    guard let iterator = unsafe libical.functions.iterator(rule, Self.time(first)) else { return [] }
    defer { unsafe libical.functions.free_iterator(iterator) }
    if count == .max, unsafe rule.freq != ICAL_HOURLY_RECURRENCE, window.lowerBound > start {
      _ = unsafe libical.functions.set_start(iterator, Self.time(window.lowerBound))
    }
    let week = Self.week(of: start, firstDay)
    var times: [Int64] = []
    var found = 0
    for _ in 0..<Self.mostSteps where found < count && times.count < Self.mostTimes {
      let next = unsafe libical.functions.next_time(iterator)
      guard unsafe next.year != 0 else { break }
      let time = unsafe Self.seconds(of: next)
      guard time <= end else { break }
      if (Self.week(of: time, firstDay) - week) % weeks != 0 { continue }
      found += 1
      if time >= window.lowerBound { times.append(time) }
    }
    return times
  }

  /// Returns the start from which a rule without a count has the same times as from its own start.
  ///
  /// Other jumps are left to libical, whose jump by hours loses the interval (3.0.16).
  private static func jump(from start: Int64, to time: Int64, _ rule: icalrecurrencetype) -> Int64 {
    guard unsafe rule.freq == ICAL_HOURLY_RECURRENCE, time > start else { return start }
    let interval = unsafe Int64(max(rule.interval, 1)) * 3600
    return start + (time - start) / interval * interval
  }

  /// Returns the number of a week.
  ///
  /// - Parameters:
  ///   - time: Seconds since the beginning of 1970.
  ///   - firstDay: The first day of weeks, with Sunday as 0.
  /// - Returns: The number, from an arbitrary week.
  private static func week(of time: Int64, _ firstDay: Int64) -> Int64 {
    // 1970-01-01 was a Thursday, the fourth day after Sunday.
    floorDivide(floorDivide(time, 86_400) + 4 - firstDay, 7)
  }

  /// The years 1900 to 2200.
  private static let years: Range<Int64> = -2_208_988_800..<7_289_654_400

  /// Returns the last time that `UNTIL` permits; nil for no `UNTIL`. A date permits its whole day.
  private static func end(of rule: icalrecurrencetype) -> Int64? {
    guard unsafe rule.until.year != 0 else { return nil }
    return unsafe seconds(of: rule.until) + (unsafe rule.until.is_date == 0 ? 0 : 86_399)
  }

  private static func time(_ local: Int64) -> icaltimetype {
    let time = DateTime(local: local)
    var result = unsafe icaltimetype()
    unsafe result.year = Int32(time.date.year)
    unsafe result.month = Int32(time.date.month)
    unsafe result.day = Int32(time.date.day)
    unsafe result.hour = Int32(time.secondOfDay / 3600)
    unsafe result.minute = Int32(time.secondOfDay / 60 % 60)
    unsafe result.second = Int32(time.secondOfDay % 60)
    return unsafe result
  }

  private static func seconds(of time: icaltimetype) -> Int64 {
    let date = unsafe CivilDate(year: Int(time.year), month: Int(time.month), day: Int(time.day))
    return unsafe date.days * 86_400 + Int64(time.hour) * 3600 + Int64(time.minute) * 60 + Int64(time.second)
  }
}
