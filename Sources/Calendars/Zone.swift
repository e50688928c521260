/// A time zone: what clocks on the wall show at each moment, by the system's tz database.
///
/// The database's files are read here: libc's `TZ` is one for the whole process, and ICU has a database of its own, in
/// 30 MB of data, that may be older than the system's. A zone takes some kilobytes.
public struct Zone: Hashable, Sendable {
  /// As it was asked for, `Europe/Berlin`; nil for the system's own.
  public let name: String?
  private let history: ZoneHistory

  /// UTC, which needs no database.
  public static let utc = Zone(name: "UTC", history: .utc)

  /// The zone with a name of the tz database, such as `Europe/Berlin`; reads its file.
  public init(named name: String) throws(ZoneError) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }), !name.utf8.contains(0) else {
      throw .unknown(name: name)
    }
    let path = "\(Self.database)/\(name)"
    guard let bytes = try ZoneFile.bytes(at: path) else { throw .unknown(name: name) }
    self.init(name: name, history: try Self.history(bytes, path: path))
  }

  /// The zone of the system, from `/etc/localtime`, read at each call; UTC where there is none, as libc has it.
  public static func system() throws(ZoneError) -> Zone {
    let path = "/etc/localtime"
    guard let bytes = try ZoneFile.bytes(at: path) else { return .utc }
    return Zone(name: nil, history: try history(bytes, path: path))
  }

  /// A zone from the bytes of a TZif file.
  init(name: String?, file bytes: [UInt8]) throws(ZoneFileError) {
    self.init(name: name, history: try ZoneHistory(bytes))
  }

  private init(name: String?, history: ZoneHistory) {
    self.name = name
    self.history = history
  }

  private static let database = "/usr/share/zoneinfo"

  private static func history(_ bytes: [UInt8], path: String) throws(ZoneError) -> ZoneHistory {
    do { return try ZoneHistory(bytes) } catch { throw .broken(path: path, reason: error) }
  }
}

// Seconds are those of Unix: from the beginning of 1970 in UTC, without leap seconds.
extension Zone {
  /// What calendar and clock show at a moment. Moments more than a thousand million years away are taken for that.
  public func civil(atSeconds seconds: Int64) -> CivilTime {
    let seconds = Self.bounded(seconds)
    let clock = history.clock(at: seconds)
    return CivilTime(local: seconds + clock.offset, offset: Int(clock.offset), abbreviation: clock.abbreviation)
  }

  /// The moment at which clocks show a date and a time.
  ///
  /// Where they show it twice, as when they are set back, this is the first of them. Where they skip it, as when they
  /// are set forward, it is reckoned as if they had not been set: 02:30 becomes 03:30. (Both are RFC 5545's, 3.3.5.) A
  /// date and time with an offset of its own does not ask the zone.
  public func seconds(of time: DateTime) -> Int64 {
    if let offset = time.utcOffset { return time.local - Int64(offset) }
    // A zone is at most 26 hours from UTC.
    let day: Int64 = 26 * 3600
    let before = history.clock(at: time.local - day).offset
    let after = history.clock(at: time.local + day).offset
    let moments = [before, after].map { time.local - $0 }.sorted()
    return moments.first { $0 + history.clock(at: $0).offset == time.local } ?? time.local - before
  }

  /// The first moment after this one at which clocks show another minute: usually their next full one, or that at which
  /// they are set. (The next second is the next moment.)
  public func nextMinute(after seconds: Int64) -> Int64 { next(60, after: Self.bounded(seconds)) }

  /// The first moment after this one at which calendars show another day: usually midnight, which some zones skipped.
  public func nextDay(after seconds: Int64) -> Int64 { next(86400, after: Self.bounded(seconds)) }

  private func next(_ length: Int64, after start: Int64) -> Int64 {
    var moment = start
    let count = floorDivide(start + history.clock(at: start).offset, length)
    // Clocks are not set more than twice before the unit is over; more would be a broken file.
    for _ in 0..<4 {
      let offset = history.clock(at: moment).offset
      let end = (floorDivide(moment + offset, length) + 1) * length - offset
      moment = firstSetting(after: moment, through: end) ?? end
      if floorDivide(moment + history.clock(at: moment).offset, length) != count { return moment }
    }
    return moment
  }

  /// The first moment of an interval that has another offset than its beginning, where the end has another one.
  private func firstSetting(after start: Int64, through end: Int64) -> Int64? {
    let offset = history.clock(at: start).offset
    guard history.clock(at: end).offset != offset else { return nil }
    var (same, other) = (start, end)
    while other - same > 1 {
      let middle = same + (other - same) / 2
      if history.clock(at: middle).offset == offset { same = middle } else { other = middle }
    }
    return other
  }

  /// So far away that no sum of it and a day overflows, nor the arithmetic of its date.
  private static func bounded(_ seconds: Int64) -> Int64 { min(max(seconds, -(1 << 55)), 1 << 55) }
}
