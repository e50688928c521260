import Primitives

/// Transitions that repeat each year, in the format of the POSIX variable `TZ`: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// The format is defined in https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_03. RFC
/// 9636 extends the hours of a transition to the range -167 to 167.
struct YearlyRule: Hashable {
  typealias Clock = ZoneHistory.Clock

  private struct Summer: Hashable {
    var clock: Clock
    var start: YearlyTransition
    var end: YearlyTransition
  }

  private let standard: Clock
  private let summer: Summer?

  /// Returns the offset and abbreviation in effect at a point in time.
  func clock(at seconds: Int64) -> Clock {
    guard let summer else { return standard }
    let year = CivilDate(days: floorDivide(seconds + standard.offset, 86400)).year
    var latest: (moment: Int64, isSummer: Bool)?
    // A transition may be up to a week outside of its year.
    for year in (year - 1)...(year + 1) {
      for (moment, isSummer) in [
        (summer.end.local(in: year) - summer.clock.offset, false),
        (summer.start.local(in: year) - standard.offset, true),
      ] where moment <= seconds && moment >= latest?.moment ?? moment {
        // If both transitions coincide, as in a zone with permanent daylight saving time, the start wins.
        latest = (moment, isSummer || latest.map { $0.moment == moment && $0.isSummer } ?? false)
      }
    }
    return latest?.isSummer == true ? summer.clock : standard
  }

  /// Parses a rule; returns nil if it is invalid.
  init?(_ text: String) {
    var reader = RuleReader(text)
    guard let name = reader.name(), let offset = reader.time(mostHours: 24) else { return nil }
    // POSIX offsets are positive to the west.
    standard = Clock(offset: -offset, abbreviation: name)
    guard !reader.isAtEnd else {
      summer = nil
      return
    }
    guard let summerName = reader.name() else { return nil }
    var summerOffset = -offset + 3600
    if reader.next != UInt8(ascii: ",") {
      guard let west = reader.time(mostHours: 24) else { return nil }
      summerOffset = -west
    }
    guard let start = reader.moment(), let end = reader.moment(), reader.isAtEnd else { return nil }
    summer = Summer(clock: Clock(offset: summerOffset, abbreviation: summerName), start: start, end: end)
  }
}

/// A transition of each year, in the local time in effect before it.
struct YearlyTransition: Hashable {
  enum Day: Hashable {
    /// A day of the year, 1 to 365; February 29 is never counted.
    case withoutLeapDays(Int)
    /// A day of the year, 0 to 365; February 29 is counted in leap years.
    case withLeapDays(Int)
    /// A weekday (0 is Sunday) in a week of a month; week 5 is the last one.
    case weekday(Int, week: Int, month: Int)
  }
  var day: Day
  /// The seconds since the beginning of the day; negative, or larger than a day, for a time on another day.
  var time: Int64

  /// Returns the transition in seconds since the beginning of 1970, in local time.
  func local(in year: Int) -> Int64 { dayNumber(in: year) * 86400 + time }

  private func dayNumber(in year: Int) -> Int64 {
    let first = CivilDate(year: year, month: 1, day: 1).days
    switch day {
    case .withoutLeapDays(let day): return first + Int64(day - (CivilDate.isLeap(year) && day >= 60 ? 0 : 1))
    case .withLeapDays(let day): return first + Int64(day)
    case .weekday(let weekday, let week, let month):
      let first = CivilDate(year: year, month: month, day: 1)
      let ahead = (weekday - first.weekday.rawValue + 14) % 7
      let day = 1 + ahead + (week - 1) * 7
      let length = CivilDate.length(ofMonth: month, in: year)
      return first.days + Int64((day > length ? day - 7 : day) - 1)
    }
  }
}
