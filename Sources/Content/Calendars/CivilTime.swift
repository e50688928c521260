import Primitives

/// The date and time that clocks in a zone show at one point in time.
package struct CivilTime: Hashable, Sendable {
  /// The date.
  package let date: CivilDate
  /// The hour, 0 to 23.
  package let hour: Int
  /// The minute, 0 to 59.
  package let minute: Int
  /// The second, 0 to 59: Unix time has no leap seconds.
  package let second: Int
  /// The offset from UTC in seconds, positive to the east; before 1972 not always a whole number of minutes.
  package let utcOffset: Int
  /// The zone's abbreviation, such as `CET`; the numeric offset, such as `+0545`, for zones without one.
  package let abbreviation: String

  /// The year, such as 2026.
  package var year: Int { date.year }
  /// The month, 1 to 12.
  package var month: Int { date.month }
  /// The day of the month, 1 to 31.
  package var day: Int { date.day }
  /// The day of the week.
  package var weekday: Weekday { date.weekday }

  /// The seconds since the beginning of 1970 on the zone's own clocks.
  package var local: Int64 { date.days * 86400 + Int64(hour * 3600 + minute * 60 + second) }

  /// Creates a time from `local`, the seconds since the beginning of 1970 on the zone's own clocks.
  init(local: Int64, offset: Int, abbreviation: String) {
    let days = floorDivide(local, 86400)
    let second = Int(local - days * 86400)
    date = CivilDate(days: days)
    (hour, minute, self.second) = (second / 3600, second / 60 % 60, second % 60)
    utcOffset = offset
    self.abbreviation = abbreviation
  }
}
