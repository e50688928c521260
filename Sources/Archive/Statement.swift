import CSQLite

/// A value for a place in a statement.
enum SQLValue {
  case null
  case integer(Int64)
  case text(String)

  init(_ value: Int64?) { self = value.map(SQLValue.integer) ?? .null }
  init(_ value: String?) { self = value.map(SQLValue.text) ?? .null }
}

/// A prepared statement (sqlite3_stmt), finalized with its last reference. SQLite keeps its connection until then.
@safe final class Statement {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) { unsafe self.statement = unsafe statement }

  deinit { unsafe sqlite3_finalize(statement) }

  /// Fills the places, which count from 1; answers SQLITE_OK, or what SQLite refused one with.
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
      // A null pointer would bind NULL; an empty buffer may have one.
      guard let start = bytes.baseAddress else { return unsafe placard_sqlite_bind_text(statement, place, "", 0) }
      return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        unsafe placard_sqlite_bind_text(statement, place, $0, length)
      }
    }
  }

  /// Goes to the next row (SQLITE_ROW), to the end (SQLITE_DONE), or fails.
  func step() -> Int32 { unsafe sqlite3_step(statement) }

  /// Makes it ready for the next run, and lets go of the locks and texts of this one.
  func reset() {
    unsafe sqlite3_reset(statement)
    unsafe sqlite3_clear_bindings(statement)
  }

  /// A column of the row, from 0; nil for NULL.
  func integer(_ column: Int32) -> Int64? {
    guard unsafe sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
    return unsafe sqlite3_column_int64(statement, column)
  }

  /// A column of the row, from 0, copied; bytes that are no UTF-8 are repaired; NULL is empty.
  func text(_ column: Int32) -> String {
    guard let start = unsafe sqlite3_column_text(statement, column) else { return "" }
    let length = unsafe Int(sqlite3_column_bytes(statement, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
  }
}
