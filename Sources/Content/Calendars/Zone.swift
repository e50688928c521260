import Primitives

/// A time zone of the system's tz database.
///
/// The database's files are read directly. The `TZ` variable of libc is global to the process. ICU brings 30 MB of data
/// with its own database, which may be older than the system's. A zone takes a few kilobytes of memory.
package struct Zone: Hashable, Sendable {
  /// The requested name, such as `Europe/Berlin`; nil for the system's own zone.
  package let name: String?
  private let history: ZoneHistory

  /// UTC, which does not need the database.
  package static let utc = Zone(name: "UTC", history: .utc)

  /// Reads a zone from the tz database.
  ///
  /// - Parameter name: The zone's name in the database, such as `Europe/Berlin`.
  /// - Throws: `ZoneError` if the zone does not exist, or if its file cannot be read or parsed.
  package init(named name: String) throws(ZoneError) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }), !name.utf8.contains(0) else {
      throw .unknown(name: name)
    }
    let path = "\(Self.database)/\(name)"
    guard let bytes = try ZoneFile.bytes(at: path) else { throw .unknown(name: name) }
    self.init(name: name, history: try Self.history(bytes, path: path))
  }

  /// Reads the system's own zone from `/etc/localtime`, at each call.
  ///
  /// - Throws: `ZoneError` if the file cannot be read or parsed.
  /// - Returns: The zone; UTC if the file does not exist, as in libc.
  package static func system() throws(ZoneError) -> Zone {
    let path = "/etc/localtime"
    guard let bytes = try ZoneFile.bytes(at: path) else { return .utc }
    return Zone(name: nil, history: try history(bytes, path: path))
  }

  /// Creates a zone from the contents of a TZif file.
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

// Seconds are Unix time: seconds since the beginning of 1970 in UTC, without leap seconds.
extension Zone {
  /// Returns the date and time that clocks show at a point in time.
  ///
  /// - Parameter seconds: Unix time, clamped to ±2^55 s, which is more than a billion years.
  /// - Returns: The local date and time.
  package func civil(atSeconds seconds: Int64) -> CivilTime {
    let seconds = Self.bounded(seconds)
    let clock = history.clock(at: seconds)
    return CivilTime(local: seconds + clock.offset, offset: Int(clock.offset), abbreviation: clock.abbreviation)
  }

  /// Returns the point in time at which clocks show a date and time.
  ///
  /// A local time that occurs twice, because clocks are set back, is the first occurrence. A local time that is
  /// skipped, because clocks are set forward, is interpreted with the offset before the change: 02:30 becomes 03:30.
  /// RFC 5545, section 3.3.5, defines both. The offset of `time`, if it has one, takes precedence over the zone.
  ///
  /// - Parameter time: A date and time.
  /// - Returns: Unix time.
  package func seconds(of time: DateTime) -> Int64 {
    if let offset = time.utcOffset { return time.local - Int64(offset) }
    // A zone is at most 26 hours from UTC.
    let day: Int64 = 26 * 3600
    let before = history.clock(at: time.local - day).offset
    let after = history.clock(at: time.local + day).offset
    let moments = [before, after].map { time.local - $0 }.sorted()
    return moments.first { $0 + history.clock(at: $0).offset == time.local } ?? time.local - before
  }

  /// Returns the first point in time after a given one at which clocks show another minute.
  ///
  /// - Parameter seconds: Unix time.
  /// - Returns: The next full minute, or an earlier change of the offset that changes the displayed minute.
  package func nextMinute(after seconds: Int64) -> Int64 { next(60, after: Self.bounded(seconds)) }

  /// Returns the first point in time after a given one at which the calendar shows another day.
  ///
  /// - Parameter seconds: Unix time.
  /// - Returns: The next midnight, or the change of the offset that skips it.
  package func nextDay(after seconds: Int64) -> Int64 { next(86400, after: Self.bounded(seconds)) }

  private func next(_ length: Int64, after start: Int64) -> Int64 {
    var moment = start
    let count = floorDivide(start + history.clock(at: start).offset, length)
    // At most two offset changes occur before the unit is over; more indicate a corrupt file.
    for _ in 0..<4 {
      let offset = history.clock(at: moment).offset
      let end = (floorDivide(moment + offset, length) + 1) * length - offset
      moment = offsetChange(after: moment, through: end) ?? end
      if floorDivide(moment + history.clock(at: moment).offset, length) != count { return moment }
    }
    return moment
  }

  /// Returns the first point in time in an interval with another offset than its start.
  ///
  /// - Parameters:
  ///   - start: The start, as Unix time.
  ///   - end: The end, as Unix time, at most a day later, so that the offset changes at most once.
  /// - Returns: Unix time; nil if both ends have the same offset.
  package func offsetChange(after start: Int64, through end: Int64) -> Int64? {
    let offset = history.clock(at: start).offset
    guard history.clock(at: end).offset != offset else { return nil }
    var (same, other) = (start, end)
    while other - same > 1 {
      let middle = same + (other - same) / 2
      if history.clock(at: middle).offset == offset { same = middle } else { other = middle }
    }
    return other
  }

  /// Returns a time clamped so that neither adding a day nor computing its date overflows.
  private static func bounded(_ seconds: Int64) -> Int64 { min(max(seconds, -(1 << 55)), 1 << 55) }
}
