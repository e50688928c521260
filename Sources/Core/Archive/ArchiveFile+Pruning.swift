extension ArchiveFile {
  /// Removes history beyond the limits, oldest first, and returns the space to the file system.
  ///
  /// Entries that are still shown and all documents are kept.
  ///
  /// - Parameters:
  ///   - limits: The limits.
  ///   - now: The current time, in milliseconds since 1970.
  /// - Throws: `ArchiveError` if the file cannot be read or written.
  func prune(_ limits: ArchiveLimits, now: Int64) throws(ArchiveError) {
    if let oldest = try oldest(limits, now) {
      let bounds: [SQLValue] = [.integer(oldest), .integer(HistoryEntry.firstID(at: oldest))]
      while try remove("ended < ? AND id < ?", bounds) {}
    }
    let documents = try documentBytes()
    if try usedBytes() - documents > limits.bytes {
      // Remove a tenth more than needed, so that not every write exceeds the limit again.
      while try usedBytes() - documents > limits.bytes / 10 * 9, try remove("ended IS NOT NULL", []) {}
    }
    let freePages = try database.integer("PRAGMA freelist_count")
    let isTooLarge = try fileBytes() - documents > limits.bytes
    if freePages > 256 || isTooLarge { try database.run("PRAGMA incremental_vacuum") }
  }

  /// Removes the oldest 500 entries that match a condition.
  ///
  /// The batches are small because the log holds every page that a transaction changes.
  ///
  /// - Parameters:
  ///   - condition: The SQL condition.
  ///   - values: The values of its placeholders.
  /// - Throws: `ArchiveError` if the file cannot be written.
  /// - Returns: Whether any entry was removed.
  private func remove(_ condition: String, _ values: [SQLValue]) throws(ArchiveError) -> Bool {
    let oldest = "SELECT id FROM history WHERE \(condition) ORDER BY id LIMIT 500"
    try database.run("DELETE FROM history WHERE id IN (\(oldest))", values)
    return database.changedRows > 0
  }

  /// Returns the time before which ended entries are too old, or nil for no limit.
  private func oldest(_ limits: ArchiveLimits, _ now: Int64) throws(ArchiveError) -> Int64? {
    let (age, isHuge) = Int64(max(limits.historyDays, 0)).multipliedReportingOverflow(by: 86_400_000)
    guard !isHuge else { return nil }
    return try ArchiveLimits.oldest(
      at: now, age: age,
      first: { since, until throws(ArchiveError) in
        let bounds: [SQLValue] = [
          .integer(HistoryEntry.firstID(at: since)), .integer(HistoryEntry.endID(after: until)),
        ]
        return try database.rows("SELECT began FROM history WHERE id >= ? AND id < ? ORDER BY id LIMIT 1", bounds) {
          $0.integer(0)
        }.first ?? nil
      },
      last: { time throws(ArchiveError) in
        let bound = SQLValue.integer(HistoryEntry.firstID(at: time))
        return try database.rows("SELECT began FROM history WHERE id < ? ORDER BY id DESC LIMIT 1", [bound]) {
          $0.integer(0)
        }.first ?? nil
      })
  }

  /// Returns the size of the file after its log is copied into it, in bytes.
  func fileBytes() throws(ArchiveError) -> Int {
    try Int(database.integer("PRAGMA page_count") &* database.integer("PRAGMA page_size"))
  }

  private func usedBytes() throws(ArchiveError) -> Int {
    try fileBytes() - Int(database.integer("PRAGMA freelist_count") &* database.integer("PRAGMA page_size"))
  }

  /// Returns an upper estimate of the space that documents take in the file, in bytes.
  ///
  /// Large documents fill overflow pages of 4092 bytes each (https://sqlite.org/fileformat.html#ovflpgs), and pages of
  /// small ones can be a third empty.
  ///
  /// - Throws: `ArchiveError` if the file cannot be read.
  /// - Returns: The estimate.
  private func documentBytes() throws(ArchiveError) -> Int {
    let sizes = "SELECT length(CAST(json AS BLOB)) + length(kind) + length(key) + 32 AS size FROM documents"
    let share = "CASE WHEN size > 1000 THEN (size / 4092 + 1) * 4096 + 2048 ELSE size * 3 / 2 END"
    return try Int(database.integer("SELECT sum(\(share)) FROM (\(sizes))"))
  }
}
