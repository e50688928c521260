import CSQLite
import Glibc

/// A connection to an SQLite file (`sqlite3`), closed with its last reference; not thread-safe.
@safe final class Database {
  /// The path of the file, for errors.
  let path: String
  private let connection: OpaquePointer
  private var prepared: [String: Statement] = [:]

  /// Opens a path, `:memory:`, or with SQLITE_OPEN_URI a `file:` URI, without reading anything yet.
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
    // Readers, such as a backup, block no writer. Other writers get 200 ms, during which all other changes wait.
    unsafe sqlite3_busy_timeout(connection, 200)
  }

  // The _v2 form waits for statements that are not yet finalized, in whatever order Swift releases them.
  deinit { unsafe sqlite3_close_v2(connection) }

  /// Runs statements without parameters and discards their rows.
  func execute(_ script: String) throws(ArchiveError) {
    let code = unsafe sqlite3_exec(connection, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, script) }
  }

  /// Runs one statement and discards its rows.
  func run(_ sql: String, _ values: [SQLValue] = []) throws(ArchiveError) {
    _ = try rows(sql, values) { _ in () }
  }

  /// Runs a statement, keeps it prepared for reuse, and returns the results of `read` for its rows.
  func rows<Row>(_ sql: String, _ values: [SQLValue] = [], read: (Statement) -> Row) throws(ArchiveError) -> [Row] {
    var rows: [Row] = []
    try eachRow(sql, values) { rows.append(read($0)) }
    return rows
  }

  /// Calls a closure with each row of a statement, including those before an error.
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

  /// Returns the first column of the first row, or 0 if there is none or it is NULL.
  func integer(_ sql: String, _ values: [SQLValue] = []) throws(ArchiveError) -> Int64 {
    try rows(sql, values) { $0.integer(0) ?? 0 }.first ?? 0
  }

  /// Runs `body` in a transaction, which is on disk when this returns.
  func transaction(_ body: () throws(ArchiveError) -> Void) throws(ArchiveError) {
    try execute("BEGIN IMMEDIATE")
    do {
      try body()
      try execute("COMMIT")
    } catch {
      // This fails if SQLite has already rolled back, which it does by itself after some failures.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// The number of rows that the latest INSERT, UPDATE, or DELETE changed.
  var changedRows: Int { unsafe Int(sqlite3_changes(connection)) }

  /// Whether SQLite has opened the file read-only, to which it falls back without an error.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(connection, "main") == 1 }

  /// Keeps the log when the connection closes: SQLite would unlink it by path, which may by then name another file's
  /// log.
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
    // SQLite reports the errno of an open but not that of a COMMIT, which is then the errno of the last failed call.
    let last = errno
    let systemCode = unsafe connection.map { unsafe sqlite3_system_errno($0) } ?? 0
    let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) } ?? "SQLite error \(code)"
    return ArchiveError(
      sqlite: code & 0xFF, errno: systemCode == 0 ? last : systemCode, operation, on: path, words: message)
  }
}
