/// What calendar and clock show at a moment in a zone.
public struct CivilTime: Hashable, Sendable {
  /// The day.
  public let date: CivilDate
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int
  /// 0 to 59: clocks of computers have no leap seconds.
  public let second: Int
  /// Seconds ahead of UTC; not always whole minutes, before 1972.
  public let utcOffset: Int
  /// `CET`, or `+0545` where nobody has a word for it.
  public let abbreviation: String

  /// 2026.
  public var year: Int { date.year }
  /// 1 to 12.
  public var month: Int { date.month }
  /// 1 to 31.
  public var day: Int { date.day }
  /// The day of the week.
  public var weekday: Weekday { date.weekday }

  /// `local` is seconds since the beginning of 1970 on the zone's own clocks.
  init(local: Int64, offset: Int, abbreviation: String) {
    let days = floorDivide(local, 86400)
    let second = Int(local - days * 86400)
    date = CivilDate(days: days)
    (hour, minute, self.second) = (second / 3600, second / 60 % 60, second % 60)
    utcOffset = offset
    self.abbreviation = abbreviation
  }
}
