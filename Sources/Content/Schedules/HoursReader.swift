import Calendars

/// The reason why hours cannot be read.
package struct HoursError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part of the text that is invalid; empty at its end.
  package let part: String
  /// The expected text, as part of a sentence.
  package let expected: String

  /// The reason, as part of a sentence.
  package var description: String {
    let found = part.isEmpty ? "the text ends" : "there is \"\(part)\""
    return "\(found) where \(expected) is expected, such as \"Mo-Fr 07:00-19:00; Dec 25 off\""
  }
}

/// A reader of the text of hours.
struct HoursReader {
  private static let weekdays: [(name: String, day: Weekday)] = [
    ("Mo", .monday), ("Tu", .tuesday), ("We", .wednesday), ("Th", .thursday), ("Fr", .friday), ("Sa", .saturday),
    ("Su", .sunday),
  ]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  /// The largest number of rules, more than a year of single dates.
  private static let most = 400

  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  /// Reads all rules to the end of the text.
  mutating func rules() throws(HoursError) -> [HoursRule] {
    var rules: [HoursRule] = []
    repeat {
      skipSpaces()
      // A semicolon at the end is allowed.
      if rest.isEmpty, !rules.isEmpty { break }
      guard rules.count < Self.most else { throw error("the end, after \(Self.most) rules,") }
      rules.append(try rule())
      skipSpaces()
    } while take(";")
    guard rest.isEmpty else { throw error("a semicolon or the end") }
    return rules
  }

  private mutating func rule() throws(HoursError) -> HoursRule {
    if take("24/7") { return HoursRule(days: .all, intervals: [HoursInterval(start: 0, end: DisplayHours.day)]) }
    let days = try days()
    skipSpaces()
    // OpenStreetMap allows a colon after days.
    if days != .all, take(":") { skipSpaces() }
    if take("off") || take("closed") { return HoursRule(days: days, intervals: []) }
    var intervals: [HoursInterval] = []
    repeat {
      skipSpaces()
      intervals.append(try interval())
      skipSpaces()
    } while take(",")
    return HoursRule(days: days, intervals: intervals)
  }

  // MARK: Days

  private mutating func days() throws(HoursError) -> HoursDays {
    if let day = weekday() { return .weekdays(try weekdays(from: day)) }
    guard let first = try date() else { return .all }
    var spans = [try span(from: first)]
    while take(",") {
      skipSpaces()
      guard let first = try date() else { throw error("a date") }
      spans.append(try span(from: first))
    }
    return .dates(spans)
  }

  private mutating func weekdays(from first: Weekday) throws(HoursError) -> HoursDays.Weekdays {
    var days = HoursDays.Weekdays()
    var first = first
    while true {
      var last = first
      if take("-") {
        guard let day = weekday() else { throw error("a weekday") }
        last = day
      }
      var day = first.rawValue
      days.insert(first)
      while day != last.rawValue {
        day = (day + 1) % 7
        if let next = Weekday(rawValue: day) { days.insert(next) }
      }
      guard take(",") else { return days }
      skipSpaces()
      guard let next = weekday() else { throw error("a weekday") }
      first = next
    }
  }

  private mutating func weekday() -> Weekday? {
    for (name, day) in Self.weekdays where take(name) { return day }
    return nil
  }

  /// Reads a date; nil if there is none.
  private mutating func date() throws(HoursError) -> HoursDays.Date? {
    let start = rest
    let year = number(digits: 4)
    if year != nil { skipSpaces() }
    guard let month = month() else {
      guard year != nil else { return nil }
      rest = start
      throw error("a date or a time")
    }
    skipSpaces()
    return try date(year, month)
  }

  private mutating func date(_ year: Int?, _ month: Int) throws(HoursError) -> HoursDays.Date {
    let start = rest
    // Every year, 29 February is a date that most years lack.
    guard let day = number(digits: 2) ?? number(digits: 1), day >= 1,
      day <= CivilDate.length(ofMonth: month, in: year ?? 2000)
    else {
      rest = start
      throw error("a day of \(Self.months[month - 1])")
    }
    return HoursDays.Date(year: year, month: month, day: day)
  }

  private mutating func span(from first: HoursDays.Date) throws(HoursError) -> HoursDays.Span {
    guard take("-") else { return HoursDays.Span(first: first, last: first) }
    let start = rest
    // Either a day of the same month, or a whole date.
    let whole = try date()
    let last = if let whole { whole } else { try date(first.year, first.month) }
    let isReversed = first.year.map { from in
      last.year.map { ($0, last.place) < (from, first.place) } ?? true
    }
    guard (first.year == nil) == (last.year == nil), !(isReversed ?? false) else {
      rest = start
      throw error("a later date, with a year if the first one has a year,")
    }
    return HoursDays.Span(first: first, last: last)
  }

  private mutating func month() -> Int? {
    for (place, name) in Self.months.enumerated() where take(name) { return place + 1 }
    return nil
  }

  // MARK: Times

  private mutating func interval() throws(HoursError) -> HoursInterval {
    let start = rest
    guard let from = time(), from < DisplayHours.day else {
      rest = start
      throw error("a time from 00:00 to 23:59")
    }
    skipSpaces()
    guard take("-") else { throw error("a hyphen and the end of the interval") }
    skipSpaces()
    let end = rest
    guard let to = time(), to != from, to <= from + DisplayHours.day else {
      rest = end
      throw error("another time, at most a day later,")
    }
    return HoursInterval(start: from, end: to < from ? to + DisplayHours.day : to)
  }

  /// Reads a time up to 48:00 in minutes; nil if there is none.
  private mutating func time() -> Int? {
    guard let hour = number(digits: 2) ?? number(digits: 1), take(":"), let minute = number(digits: 2), minute < 60,
      hour * 60 + minute <= 2 * DisplayHours.day
    else { return nil }
    return hour * 60 + minute
  }

  // MARK: Text

  private mutating func skipSpaces() { rest = rest.drop { $0 == " " || $0 == "\t" } }

  /// Skips a text if it is next.
  private mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }

  /// Reads exactly this number of digits; nil if there are fewer or more.
  private mutating func number(digits: Int) -> Int? {
    let found = rest.prefix { $0.isASCII && $0.isNumber }
    guard found.count == digits, let value = Int(found) else { return nil }
    rest = rest.dropFirst(digits)
    return value
  }

  private func error(_ expected: String) -> HoursError {
    HoursError(part: String(rest.prefix(12)), expected: expected)
  }
}
