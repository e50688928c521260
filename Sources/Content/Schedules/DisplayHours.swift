package import Calendars

/// The hours in which a display is lit, in a subset of the opening hours of OpenStreetMap, such as
/// `Mo-Fr 07:00-19:00; Dec 24-26 off`.
///
/// Rules are separated by semicolons. On each day, the last rule that names it counts; a day that no rule names is
/// closed. A rule consists of days and times:
///
/// - Days are weekdays (`Mo-Fr`, `Sa,Su`) or dates (`Dec 25`, `Dec 24-26`, `2027 Jan 01-2027 Jan 06`). Without days, the
///   rule applies to every day.
/// - Times are one or more intervals (`07:00-12:00,13:00-19:00`), `off`, or `24/7`.
///
/// An interval that ends before it starts continues on the next day, and belongs to the day on which it starts.
///
/// The hours are those of a clock on the wall: a display is lit whenever the clock shows a time within them. An hour that
/// is skipped, because clocks are set forward, is not seen; one that occurs twice counts twice.
package struct DisplayHours: Hashable, Sendable {
  /// The text from which the hours were read.
  package let text: String
  /// The name of their time zone, such as `Europe/Berlin`; nil for the system's own zone.
  package let zone: String?
  let rules: [HoursRule]

  /// Reads hours.
  ///
  /// - Parameters:
  ///   - text: The rules.
  ///   - zone: The name of their time zone; nil for the system's own zone.
  /// - Throws: `HoursError` with the part that is invalid.
  package init(parsing text: String, zone: String? = nil) throws(HoursError) {
    self.text = text
    self.zone = zone
    var reader = HoursReader(text)
    rules = try reader.rules()
  }

  // MARK: Evaluation

  /// Returns whether displays are lit.
  ///
  /// - Parameters:
  ///   - seconds: Unix time.
  ///   - zone: The time zone of the hours.
  /// - Returns: True within the hours.
  package func isOpen(at seconds: Int64, in zone: Zone) -> Bool { isOpen(at: zone.civil(atSeconds: seconds)) }

  /// Returns whether displays are lit while clocks show a time.
  ///
  /// - Parameter time: The local time in the zone of the hours.
  /// - Returns: True within the hours.
  package func isOpen(at time: CivilTime) -> Bool {
    let minute = time.hour * 60 + time.minute
    return intervals(on: time.date).contains { $0.contains(minute) }
      || intervals(on: time.date.preceding).contains { $0.contains(minute + Self.day) }
  }

  /// Returns the first point in time after a given one at which displays are lit or no longer lit.
  ///
  /// - Parameters:
  ///   - seconds: Unix time.
  ///   - time: The local time then, if it is known.
  ///   - zone: The time zone of the hours.
  ///   - end: The time at which the search ends, as Unix time; nil for `horizon(after:)`.
  /// - Returns: The time of the next change; nil if there is none before the end.
  package func nextChange(
    after seconds: Int64, at time: CivilTime? = nil, in zone: Zone, before end: Int64? = nil
  ) -> Int64? {
    let limit = min(horizon(after: seconds) ?? seconds + 22 * 86_400, end ?? .max)
    var (moment, time) = (seconds, time ?? zone.civil(atSeconds: seconds))
    let isOpen = isOpen(at: time)
    while moment < limit {
      let skipped = isOpen ? 0 : daysWithoutHours(from: time.date, through: (limit - moment) / 86_400 + 2)
      moment = skipped > 0 ? moment + skipped * 86_400 : nextBoundary(after: moment, time, in: zone)
      if moment >= limit { return nil }
      time = zone.civil(atSeconds: moment)
      if self.isOpen(at: time) != isOpen { return moment }
    }
    return nil
  }

  /// Returns the time up to which `nextChange(after:in:)` looks.
  ///
  /// - Parameter seconds: The time from which it looks, as Unix time.
  /// - Returns: Unix time, 400 days later; nil if hours without a change in three weeks never change. Those repeat every
  ///   week, of which a change of the clocks can hide one.
  package func horizon(after seconds: Int64) -> Int64? {
    rules.contains { $0.days.hasDates } ? seconds + 400 * 86_400 : nil
  }

  /// The number of minutes of a day.
  static let day = 1440

  /// Returns a number of days that can be skipped while displays are not lit: on the days before and after them, and on
  /// themselves, no interval starts or ends. So a change of the clocks among them does not matter.
  private func daysWithoutHours(from date: CivilDate, through most: Int64) -> Int64 {
    var (count, date) = (Int64(-1), date.preceding)
    while count < most, intervals(on: date).isEmpty { (count, date) = (count + 1, date.following) }
    return max(count - 2, 0)
  }

  /// Returns the first point in time after a given one at which the hours can change. That is the start or the end of an
  /// interval, midnight, or a change of the zone's offset.
  private func nextBoundary(after seconds: Int64, _ time: CivilTime, in zone: Zone) -> Int64 {
    let second = (time.hour * 60 + time.minute) * 60 + time.second
    var next = Self.day
    func note(_ minute: Int) { if minute * 60 > second, minute < next { next = minute } }
    for interval in intervals(on: time.date) {
      note(interval.start)
      note(interval.end)
    }
    for interval in intervals(on: time.date.preceding) { note(interval.end - Self.day) }
    let end = seconds + Int64(next * 60 - second)
    return zone.offsetChange(after: seconds, through: end) ?? end
  }

  /// Returns the intervals that start on a day.
  private func intervals(on date: CivilDate) -> [HoursInterval] {
    rules.last { $0.days.contains(date) }?.intervals ?? []
  }
}

/// A part of a day, or of a day and the next one.
struct HoursInterval: Hashable, Sendable {
  /// The start, in minutes since midnight, 0 to 1439.
  var start: Int
  /// The end, in minutes since the midnight before the start, up to 2880.
  var end: Int

  func contains(_ minute: Int) -> Bool { start <= minute && minute < end }
}

/// One rule: days, and the intervals that start on each of them.
struct HoursRule: Hashable, Sendable {
  var days: HoursDays
  /// The intervals; none if the days are closed.
  var intervals: [HoursInterval]
}

/// The days to which a rule applies.
enum HoursDays: Hashable, Sendable {
  /// A date, with or without a year.
  struct Date: Hashable, Sendable {
    /// The year; nil for every year.
    var year: Int?
    var month: Int
    var day: Int

    /// The order within a year.
    var place: Int { month * 32 + day }
  }

  case all
  case weekdays(Weekdays)
  /// The days from one date to another, which can be the same. Both have a year or none; without years, the last one
  /// can come before the first one, in the next year.
  case dates([Span])

  /// Days of the week, as bits: the search for a schedule's next change tests hundreds of days.
  struct Weekdays: Hashable, Sendable {
    private var bits: UInt8 = 0

    func contains(_ day: Weekday) -> Bool { bits & 1 << day.rawValue != 0 }

    mutating func insert(_ day: Weekday) { bits |= 1 << day.rawValue }
  }

  /// The days from one date to another.
  struct Span: Hashable, Sendable {
    var first: Date
    var last: Date

    func contains(_ date: CivilDate) -> Bool {
      let place = date.month * 32 + date.day
      guard let from = first.year, let to = last.year else {
        return first.place <= last.place
          ? (first.place...last.place).contains(place) : place >= first.place || place <= last.place
      }
      return (from * 512 + first.place...to * 512 + last.place).contains(date.year * 512 + place)
    }
  }

  var hasDates: Bool { if case .dates = self { true } else { false } }

  func contains(_ date: CivilDate) -> Bool {
    switch self {
    case .all: true
    case .weekdays(let days): days.contains(date.weekday)
    case .dates(let spans): spans.contains { $0.contains(date) }
    }
  }
}
