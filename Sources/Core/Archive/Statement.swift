import CSQLite

/// A value to bind to a statement parameter.
enum SQLValue {
  case null
  case integer(Int64)
  case text(String)

  init(_ value: Int64?) { self = value.map(SQLValue.integer) ?? .null }
  init(_ value: String?) { self = value.map(SQLValue.text) ?? .null }
}

/// A prepared statement (`sqlite3_stmt`), finalized with its last reference; SQLite keeps its connection until then.
@safe final class Statement {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) { unsafe self.statement = unsafe statement }

  deinit { unsafe sqlite3_finalize(statement) }

  /// Binds the parameters, which are numbered from 1, and returns SQLITE_OK or the first error code.
  func bind(_ values: [SQLValue]) -> Int32 {
    for (place, value) in zip(Int32(1)..., values) {
      let code =
        switch value {
        case .null: unsafe sqlite3_bind_null(statement, place)
        case .integer(let number): unsafe sqlite3_bind_int64(statement, place, number)
        case .text(let text): bind(text, at: place)
        }
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  private func bind(_ text: String, at place: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      guard let length = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
      // A null pointer would bind NULL, and an empty buffer can have one.
      guard let start = bytes.baseAddress else { return unsafe placard_sqlite_bind_text(statement, place, "", 0) }
      return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        unsafe placard_sqlite_bind_text(statement, place, $0, length)
      }
    }
  }

  /// Advances to the next row and returns SQLITE_ROW, SQLITE_DONE, or an error code.
  func step() -> Int32 { unsafe sqlite3_step(statement) }

  /// Prepares the statement for the next run, and releases the locks and texts of this one.
  func reset() {
    unsafe sqlite3_reset(statement)
    unsafe sqlite3_clear_bindings(statement)
  }

  /// Returns a column of the row, from 0; nil for NULL.
  func integer(_ column: Int32) -> Int64? {
    guard unsafe sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
    return unsafe sqlite3_column_int64(statement, column)
  }

  /// Returns a copy of a column of the row, from 0; invalid UTF-8 is repaired, and NULL is empty.
  func text(_ column: Int32) -> String {
    guard let start = unsafe sqlite3_column_text(statement, column) else { return "" }
    let length = unsafe Int(sqlite3_column_bytes(statement, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
  }
}
