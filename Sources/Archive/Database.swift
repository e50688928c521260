import CSQLite
import Glibc

/// A connection to an SQLite file (sqlite3), closed with its last reference. For one thread at a time.
@safe final class Database {
  /// The file's path, for errors.
  let path: String
  private let connection: OpaquePointer
  private var prepared: [String: Statement] = [:]

  /// Opens `name`: a path, `:memory:`, or with SQLITE_OPEN_URI among the flags a `file:` URI. Nothing is read yet.
  init(opening name: String, flags: Int32, path: String) throws(ArchiveError) {
    self.path = path
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let connection = unsafe opened else {
      let error = unsafe Self.error(code, "open", on: path, opened)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe self.connection = unsafe connection
    // Readers (a backup, say) keep nobody waiting; whoever else writes has this long. All other changes wait with this.
    unsafe sqlite3_busy_timeout(connection, 200)
  }

  // The _v2 form waits for statements that are not finalized yet, in whatever order Swift lets go of them.
  deinit { unsafe sqlite3_close_v2(connection) }

  /// Runs statements that take no values and whose rows nobody wants.
  func execute(_ script: String) throws(ArchiveError) {
    let code = unsafe sqlite3_exec(connection, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, script) }
  }

  /// Runs one statement to its end.
  func run(_ sql: String, _ values: [SQLValue] = []) throws(ArchiveError) {
    _ = try rows(sql, values) { _ in () }
  }

  /// What `read` makes of each row of a statement. The statement stays prepared for the next time.
  func rows<Row>(_ sql: String, _ values: [SQLValue] = [], read: (Statement) -> Row) throws(ArchiveError) -> [Row] {
    var rows: [Row] = []
    try eachRow(sql, values) { rows.append(read($0)) }
    return rows
  }

  /// Hands over each row of a statement; those before an error are handed over, too.
  func eachRow(_ sql: String, _ values: [SQLValue] = [], read: (Statement) -> Void) throws(ArchiveError) {
    let statement = try prepare(sql)
    defer { statement.reset() }
    let bound = statement.bind(values)
    guard bound == SQLITE_OK else { throw error(bound, sql) }
    while true {
      let code = statement.step()
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw error(code, sql) }
      read(statement)
    }
  }

  /// The first column of the first row; 0 where there is none, or it is NULL.
  func integer(_ sql: String, _ values: [SQLValue] = []) throws(ArchiveError) -> Int64 {
    try rows(sql, values) { $0.integer(0) ?? 0 }.first ?? 0
  }

  /// All that `body` does, or nothing of it; on the disk when this returns.
  func transaction(_ body: () throws(ArchiveError) -> Void) throws(ArchiveError) {
    try execute("BEGIN IMMEDIATE")
    do {
      try body()
      try execute("COMMIT")
    } catch {
      // SQLite has rolled back some failures by itself, and then refuses this.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// How many rows the newest INSERT, UPDATE or DELETE touched.
  var changedRows: Int { unsafe Int(sqlite3_changes(connection)) }

  /// Whether the file could only be opened for reading, which SQLite does without a word.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(connection, "main") == 1 }

  /// Leaves the log alone when the connection is closed. SQLite would remove it by its path, where another file's log may
  /// be by then.
  func keepLog() {
    var isKept: Int32 = 1
    unsafe _ = sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
  }

  private func prepare(_ sql: String) throws(ArchiveError) -> Statement {
    if let statement = prepared[sql] { return statement }
    var made: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(connection, sql, -1, &made, nil)
    guard code == SQLITE_OK, let made = unsafe made else { throw error(code, sql) }
    let statement = unsafe Statement(made)
    prepared[sql] = statement
    return statement
  }

  private func error(_ code: Int32, _ sql: String) -> ArchiveError {
    let operation = sql.split(whereSeparator: \.isWhitespace).prefix(3).joined(separator: " ")
    return unsafe Self.error(code, operation, on: path, connection)
  }

  private static func error(
    _ code: Int32, _ operation: String, on path: String, _ connection: OpaquePointer?
  ) -> ArchiveError {
    // SQLite tells the errno of an open, but not that of a COMMIT; then it is the one of the call that failed last.
    let last = errno
    let told = unsafe connection.map { unsafe sqlite3_system_errno($0) } ?? 0
    let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) } ?? "SQLite's error \(code)"
    return ArchiveError(
      sqlite: code & 0xFF, errno: told == 0 ? last : told, operation, on: path, words: message)
  }
}
