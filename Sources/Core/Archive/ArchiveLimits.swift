/// The limits of the history. Documents are never pruned: only clients remove them.
package struct ArchiveLimits: Hashable, Sendable {
  /// The age in days beyond which ended entries are removed, computed by `oldest(at:age:first:last:)`.
  package var historyDays: Int
  /// The size in bytes above which the oldest entries are removed. Documents do not count.
  package var bytes: Int

  /// Creates limits, by default 90 days and 64 MB.
  package init(historyDays: Int = 90, bytes: Int = 64 << 20) {
    self.historyDays = historyDays
    self.bytes = bytes
  }

  /// The longest interval without entries that counts toward their age, in milliseconds: 30 days.
  ///
  /// In a longer pause, the machine was off or its clock jumped to another year. Otherwise a clock set to the year 2200
  /// would remove the whole history.
  static let longestGap: Int64 = 30 * 86_400_000

  /// Computes the time before which entries are too old. All times are in milliseconds since 1970.
  ///
  /// Age is counted backward from `now`. If the count ends in a pause, the pause is skipped and the rest is counted
  /// from the last entry before it. Entries after `now`, from a clock that was ahead, are ignored.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - age: The maximum age, in milliseconds, 0 or more.
  ///   - first: Returns the time of the first entry that began within a closed range of time; nil if there is none.
  ///   - last: Returns the time of the last entry that began before a time; nil if there is none.
  /// - Throws: Any error of `first` and `last`.
  /// - Returns: `now` minus `age` and minus the skipped pauses.
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
      guard isLong || pause > longestGap else { return oldest }
      left -= end - start
      end = before
    }
  }
}
