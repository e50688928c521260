/// The same changes each year, as the POSIX variable `TZ` has them: `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_03, and of RFC 9636 the hours from
/// -167 to 167.
struct YearlyRule: Hashable {
  typealias Clock = ZoneHistory.Clock

  private struct Summer: Hashable {
    var clock: Clock
    var start: YearlyMoment
    var end: YearlyMoment
  }

  private let standard: Clock
  private let summer: Summer?

  /// What the clocks are set to at a moment.
  func clock(at seconds: Int64) -> Clock {
    guard let summer else { return standard }
    let year = CivilDate(days: floorDivide(seconds + standard.offset, 86400)).year
    var latest: (moment: Int64, isSummer: Bool)?
    // A rule's moment may lie a week outside of its year.
    for year in (year - 1)...(year + 1) {
      for (moment, isSummer) in [
        (summer.end.local(in: year) - summer.clock.offset, false),
        (summer.start.local(in: year) - standard.offset, true),
      ] where moment <= seconds && moment >= latest?.moment ?? moment {
        // Of two at once, as where it is always summer, the beginning counts.
        latest = (moment, isSummer || latest.map { $0.moment == moment && $0.isSummer } ?? false)
      }
    }
    return latest?.isSummer == true ? summer.clock : standard
  }

  /// Reads a rule; nil where it is none.
  init?(_ text: String) {
    var reader = RuleReader(text)
    guard let name = reader.name(), let offset = reader.time(mostHours: 24) else { return nil }
    // POSIX counts to the west.
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

/// A moment of each year on the clocks that are set at it.
struct YearlyMoment: Hashable {
  enum Day: Hashable {
    /// From 1 to 365, where February never has 29 days.
    case withoutLeapDays(Int)
    /// From 0 to 365.
    case withLeapDays(Int)
    /// The nth such weekday (0 is Sunday) of a month, of which 5 is the last.
    case weekday(Int, week: Int, month: Int)
  }
  var day: Day
  /// Seconds from the day's beginning; may be of days before and after.
  var time: Int64

  /// Seconds from the beginning of 1970 on the clocks' own time.
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
