extension ArchiveFile {
  /// Removes history that is over the limits, the oldest first, and gives the space back to the disk.
  ///
  /// Entries that are still shown stay, as do all documents. `now` is in milliseconds since 1970.
  func prune(_ limits: ArchiveLimits, now: Int64) throws(ArchiveError) {
    let (age, isHuge) = Int64(max(limits.historyDays, 0)).multipliedReportingOverflow(by: 86_400_000)
    if !isHuge {
      let oldest = now &- age
      let bounds: [SQLValue] = [.integer(oldest), .integer(HistoryEntry.firstID(at: oldest))]
      while try remove("ended < ? AND id < ?", bounds) {}
    }
    if try usedBytes() > limits.bytes {
      // A tenth more than needed, so that not each write finds the file too large again.
      while try usedBytes() > limits.bytes / 10 * 9, try remove("ended IS NOT NULL", []) {}
    }
    let freePages = try database.integer("PRAGMA freelist_count")
    let isTooLarge = try fileBytes() > limits.bytes
    if freePages > 256 || isTooLarge { try database.run("PRAGMA incremental_vacuum") }
  }

  /// Removes the oldest entries of which a condition is true; false when there were none. Few at a time: the log holds
  /// every page that one transaction touches.
  private func remove(_ condition: String, _ values: [SQLValue]) throws(ArchiveError) -> Bool {
    let oldest = "SELECT id FROM history WHERE \(condition) ORDER BY id LIMIT 500"
    try database.run("DELETE FROM history WHERE id IN (\(oldest))", values)
    return database.changedRows > 0
  }

  /// What the file takes, once its log is copied into it.
  func fileBytes() throws(ArchiveError) -> Int {
    try Int(database.integer("PRAGMA page_count") &* database.integer("PRAGMA page_size"))
  }

  private func usedBytes() throws(ArchiveError) -> Int {
    try fileBytes() - Int(database.integer("PRAGMA freelist_count") &* database.integer("PRAGMA page_size"))
  }
}
