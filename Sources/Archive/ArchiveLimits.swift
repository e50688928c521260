/// How much history is kept. Documents are never pruned: whoever puts them removes them.
public struct ArchiveLimits: Hashable, Sendable {
  /// Entries that ended longer ago are removed, by the rule of `oldest(at:age:first:last:)`.
  public var historyDays: Int
  /// The oldest entries are removed while the history takes more of the file. Documents do not count.
  public var bytes: Int

  /// Limits from their parts: 90 days and 64 MB where nothing else is said.
  public init(historyDays: Int = 90, bytes: Int = 64 << 20) {
    self.historyDays = historyDays
    self.bytes = bytes
  }

  /// A time in which nothing began for longer than 30 days does not count as age: the machine was off, or its clock went
  /// to another year. Otherwise a clock in the year 2200 would remove the whole history.
  static let longestPause: Int64 = 30 * 86_400_000

  /// The time before which entries are too old. All times are milliseconds since 1970.
  ///
  /// Age is counted from `now` backwards. Where the count ends in a pause, the pause is skipped, and the rest is counted
  /// from the last entry before it. Entries after `now`, of a clock that was ahead, are passed over.
  ///
  /// - Parameters:
  ///   - now: What the clock says.
  ///   - age: How old entries may be, in milliseconds, 0 or more.
  ///   - first: Returns when the oldest entry began of those from one time through another; nil for none.
  ///   - last: Returns when the newest entry began of those before a time; nil for none.
  /// - Returns: `now` less `age`, and less the pauses that are skipped.
  static func oldest<Failure: Error>(
    at now: Int64, age: Int64, first: (_ since: Int64, _ until: Int64) throws(Failure) -> Int64?,
    last: (_ time: Int64) throws(Failure) -> Int64?
  ) throws(Failure) -> Int64 {
    var (end, left) = (now, age)
    while true {
      let (oldest, isEarly) = end.subtractingReportingOverflow(left)
      guard !isEarly else { return .min }
      let start = try first(oldest, end).map { min(max($0, oldest), end) } ?? end
      guard let before = try last(start), before < start else { return oldest }
      let (pause, isLong) = start.subtractingReportingOverflow(before)
      guard isLong || pause > longestPause else { return oldest }
      left -= end - start
      end = before
    }
  }
}
