import Primitives

/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
  /// The year, such as 2026; 0 is the year before 1.
  package let year: Int
  /// The month, 1 to 12.
  package let month: Int
  /// The day of the month, 1 to 31.
  package let day: Int

  /// Creates a date from its parts, which must be those of an existing day.
  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates a date from a number of days since 1970-01-01.
  ///
  /// Years start in March, so that a leap day is the last day of its year. Each period of 400 years has 146,097 days
  /// (http://howardhinnant.github.io/date_algorithms.html).
  ///
  /// - Parameter days: Days since 1970-01-01; negative for earlier dates.
  package init(days: Int64) {
    let shifted = Int(days) + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days since 1970-01-01.
  package var days: Int64 {
    let fromMarch = month > 2 ? year : year - 1
    let era = floorDivide(fromMarch, 400)
    let yearOfEra = fromMarch - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era * 146_097 + dayOfEra - 719_468)
  }

  /// The next day.
  package var following: CivilDate {
    if day < Self.length(ofMonth: month, in: year) { return CivilDate(year: year, month: month, day: day + 1) }
    return month < 12 ? CivilDate(year: year, month: month + 1, day: 1) : CivilDate(year: year + 1, month: 1, day: 1)
  }

  /// The day before.
  package var preceding: CivilDate {
    if day > 1 { return CivilDate(year: year, month: month, day: day - 1) }
    guard month > 1 else { return CivilDate(year: year - 1, month: 12, day: 31) }
    return CivilDate(year: year, month: month - 1, day: Self.length(ofMonth: month - 1, in: year))
  }

  /// The day of the week.
  package var weekday: Weekday {
    // 1970-01-01 was a Thursday.
    Weekday(rawValue: Int(floorModulo(days + 4, 7))) ?? .sunday
  }

  static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  /// Returns the number of days of a month.
  ///
  /// - Parameters:
  ///   - month: The month, 1 to 12.
  ///   - year: The year.
  /// - Returns: The number of days, 28 to 31.
  package static func length(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// The days of the week, with Sunday as 0.
package enum Weekday: Int, CaseIterable, Hashable, Sendable {
  /// The days in the order of their raw values.
  case sunday, monday, tuesday, wednesday, thursday, friday, saturday
}
