extension ArchiveFile {
  /// Removes history that is over the limits, the oldest first, and gives the space back to the disk.
  ///
  /// Entries that are still shown stay, as do all documents. `now` is in milliseconds since 1970.
  func prune(_ limits: ArchiveLimits, now: Int64) throws(ArchiveError) {
    if let oldest = try oldest(limits, now) {
      let bounds: [SQLValue] = [.integer(oldest), .integer(HistoryEntry.firstID(at: oldest))]
      while try remove("ended < ? AND id < ?", bounds) {}
    }
    let documents = try documentBytes()
    if try usedBytes() - documents > limits.bytes {
      // A tenth more than needed, so that not each write finds the history too large again.
      while try usedBytes() - documents > limits.bytes / 10 * 9, try remove("ended IS NOT NULL", []) {}
    }
    let freePages = try database.integer("PRAGMA freelist_count")
    let isTooLarge = try fileBytes() - documents > limits.bytes
    if freePages > 256 || isTooLarge { try database.run("PRAGMA incremental_vacuum") }
  }

  /// Removes the oldest entries of which a condition is true; false when there were none. Few at a time: the log holds
  /// every page that one transaction touches.
  private func remove(_ condition: String, _ values: [SQLValue]) throws(ArchiveError) -> Bool {
    let oldest = "SELECT id FROM history WHERE \(condition) ORDER BY id LIMIT 500"
    try database.run("DELETE FROM history WHERE id IN (\(oldest))", values)
    return database.changedRows > 0
  }

  /// What ended before this time is too old; nil where nothing is.
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

  /// What the file takes, once its log is copied into it.
  func fileBytes() throws(ArchiveError) -> Int {
    try Int(database.integer("PRAGMA page_count") &* database.integer("PRAGMA page_size"))
  }

  private func usedBytes() throws(ArchiveError) -> Int {
    try fileBytes() - Int(database.integer("PRAGMA freelist_count") &* database.integer("PRAGMA page_size"))
  }

  /// What documents take of the file, rather too much than too little: large ones fill pages of their own, of which each
  /// holds 4092 bytes (https://sqlite.org/fileformat.html#ovflpgs), and pages of small ones may be a third empty.
  private func documentBytes() throws(ArchiveError) -> Int {
    let sizes = "SELECT length(CAST(json AS BLOB)) + length(kind) + length(key) + 32 AS size FROM documents"
    let share = "CASE WHEN size > 1000 THEN (size / 4092 + 1) * 4096 + 2048 ELSE size * 3 / 2 END"
    return try Int(database.integer("SELECT sum(\(share)) FROM (\(sizes))"))
  }
}
