import SystemFiles

/// The open file of an archive: documents and history, written in transactions.
///
/// All calls block on the disk. The file is in WAL mode with synchronous=FULL: a transaction is on disk when its COMMIT
/// returns (https://sqlite.org/pragma.html#pragma_synchronous).
final class ArchiveFile {
  let database: Database
  /// The reason why the file is read-only; nil if it is writable.
  let refusal: ArchiveError?
  /// The identities of the database, its log, and the log's index when opened, keyed by path suffix.
  private(set) var places: [String: FileIdentity] = [:]

  init(_ database: Database, refusal: ArchiveError? = nil) {
    self.database = database
    self.refusal = refusal
  }

  /// Writes changes in one transaction.
  func write(_ changes: PendingChanges) throws(ArchiveError) {
    try database.transaction { () throws(ArchiveError) in
      for (name, text) in changes.documents {
        if let json = text.json { try put(name, json, text.changed) } else { try remove(name) }
      }
      for entry in changes.entries.values.sorted(by: { $0.id < $1.id }) { try insert(entry) }
      for (id, time) in changes.ends {
        try database.run("UPDATE history SET ended = ?, exact = 1 WHERE id = ?", [.integer(time), .integer(id)])
      }
    }
  }

  func put(_ name: DocumentName, _ json: String, _ changed: Int64) throws(ArchiveError) {
    try database.run(
      "INSERT OR REPLACE INTO documents(kind, key, json, changed) VALUES(?, ?, ?, ?)",
      [.text(name.kind), .text(name.key), .text(json), .integer(changed)])
  }

  private func remove(_ name: DocumentName) throws(ArchiveError) {
    try database.run("DELETE FROM documents WHERE kind = ? AND key = ?", [.text(name.kind), .text(name.key)])
  }

  /// Inserts or replaces an entry: a failed commit may have reached the disk nevertheless.
  func insert(_ entry: HistoryEntry) throws(ArchiveError) {
    try database.run(
      "INSERT OR REPLACE INTO history(\(Self.columns)) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        .integer(entry.id), .text(entry.display), .text(entry.monitor), .text(entry.session), .text(entry.kind),
        .text(entry.what), .integer(entry.began), SQLValue(entry.ended), .integer(entry.isExact ? 1 : 0),
      ])
  }

  /// Returns all documents, by kind and key.
  func documents() throws(ArchiveError) -> [StoredDocument] {
    var documents: [StoredDocument] = []
    try eachDocument { documents.append($0) }
    return documents
  }

  /// Calls a closure with each document, including those before an error.
  func eachDocument(_ body: (StoredDocument) -> Void) throws(ArchiveError) {
    try database.eachRow("SELECT kind, key, json, changed FROM documents ORDER BY kind, key") { row in
      body(StoredDocument(kind: row.text(0), key: row.text(1), json: row.text(2), changed: row.integer(3) ?? 0))
    }
  }

  /// Returns the newest entries that match a query, newest first.
  ///
  /// IDs are in order of time, so a time range is read as an ID range. Entries that began earlier and extend into the
  /// range are found by their end. Neither access reads the whole history.
  ///
  /// - Parameter query: The query.
  /// - Throws: `ArchiveError` if the file cannot be read.
  /// - Returns: The entries.
  func history(_ query: HistoryQuery) throws(ArchiveError) -> [HistoryEntry] {
    let first = query.since.map(HistoryEntry.firstID) ?? 0
    let last = min(query.until.map(HistoryEntry.firstID) ?? .max, query.before ?? .max)
    var entries = try entries("id >= ? AND id < ?", [.integer(first), .integer(last)], "id", query, query.limit)
      .filter(query.matches)
    if let since = query.since, entries.count < query.limit {
      let bounds: [SQLValue] = [.integer(since), .integer(min(first, last))]
      let rest = query.limit - entries.count
      entries += try self.entries("(ended > ? OR ended IS NULL) AND +id < ?", bounds, "+id", query, rest)
    }
    return entries.filter(query.matches)
  }

  private func entries(
    _ condition: String, _ values: [SQLValue], _ order: String, _ query: HistoryQuery, _ limit: Int
  ) throws(ArchiveError) -> [HistoryEntry] {
    let ofDisplay = query.display == nil ? "" : " AND display = ?"
    let values = values + (query.display.map { [.text($0)] } ?? []) + [.integer(Int64(max(limit, 0)))]
    let sql = "SELECT \(Self.columns) FROM history WHERE \(condition)\(ofDisplay) ORDER BY \(order) DESC LIMIT ?"
    return try database.rows(sql, values, read: Self.entry)
  }

  /// Calls a closure with each history entry, oldest first, including those before an error.
  func eachEntry(_ body: (HistoryEntry) -> Void) throws(ArchiveError) {
    try database.eachRow("SELECT \(Self.columns) FROM history ORDER BY id") { body(Self.entry($0)) }
  }

  private static func entry(_ row: Statement) -> HistoryEntry {
    HistoryEntry(
      id: row.integer(0) ?? 0, display: row.text(1), monitor: row.text(2), session: row.text(3), kind: row.text(4),
      what: row.text(5), began: row.integer(6) ?? 0, ended: row.integer(7), isExact: row.integer(8) != 0)
  }

  private static let columns = "id, display, monitor, session, kind, what, began, ended, exact"

  /// Records the identities of the open files.
  func recordIdentities() {
    for suffix in ["", "-wal", "-shm"] { places[suffix] = FileIdentity(path: database.path + suffix) }
  }

  /// Ends the entries that a crashed daemon left open, at the latest time recorded in the file.
  func endAbandoned() throws(ArchiveError) {
    guard try database.integer("SELECT EXISTS(SELECT 1 FROM history WHERE ended IS NULL)") == 1 else { return }
    let newest = try max(
      database.integer("SELECT max(changed) FROM documents"), database.integer("SELECT max(ended) FROM history"),
      database.integer("SELECT began FROM history ORDER BY id DESC LIMIT 1"))
    try database.run(
      "UPDATE history SET ended = max(began, ?), exact = 0 WHERE ended IS NULL", [.integer(newest)])
  }
}
