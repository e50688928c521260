@testable import Archive

/// Returns an entry of which only the time and perhaps the display matter.
func entry(_ began: Int64, on display: String = "HDMI-A-1", ended: Int64? = nil) -> HistoryEntry {
  var entry = HistoryEntry(
    display: display, monitor: "DEL-1", session: "lobby", kind: "message", what: "Welcome", began: began)
  entry.ended = ended
  return entry
}

extension PendingChanges {
  /// Creates pending changes that were all made at one time.
  init(_ changes: [ArchiveChange], at now: Int64 = 1000) {
    self.init()
    add(changes, at: now)
  }
}

extension ArchiveFile {
  /// Writes changes that were all made at one time.
  func write(_ changes: [ArchiveChange], at now: Int64 = 1000) throws(ArchiveError) {
    try write(PendingChanges(changes, at: now))
  }

  /// Returns the whole history, newest first.
  func history() throws(ArchiveError) -> [HistoryEntry] { try history(HistoryQuery(limit: .max)) }

  /// Runs SQL that the archive itself never runs.
  static func tamper(_ path: String, _ sql: String) throws(ArchiveError) {
    try Database(opening: path, flags: 0x6, path: path).execute(sql)  // SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
  }
}
