package import JSON

/// Comma-separated values (RFC 4180), also with semicolons or tabs.
package enum CSVText {
  /// Reads the rows of a file as a live value.
  ///
  /// - Parameters:
  ///   - bytes: The file in UTF-8, with or without a byte order mark.
  ///   - hasHeader: Whether the first row has titles, and is left out.
  /// - Throws: `ControlError` of kind `invalid` that names the mistake and its line.
  /// - Returns: The rows, in which each cell is a text.
  package static func value(of bytes: [UInt8], hasHeader: Bool) throws(ControlError) -> JSONValue {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ControlError(.invalid, "the file is not UTF-8: convert it, for example with iconv")
    }
    return .array(try rows(of: text).dropFirst(hasHeader ? 1 : 0).map { .array($0.map { .string($0) }) })
  }

  /// Reads the rows of a text. Empty lines are left out.
  ///
  /// - Parameter text: The text. Its first line determines the separator: the one of `,`, `;` and tab that it has most of.
  /// - Throws: `ControlError` of kind `invalid` that names the line with a mistake in its quotes.
  /// - Returns: The cells of each row.
  package static func rows(of text: String) throws(ControlError) -> [[String]] {
    let characters = Array(text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...])
    let separator = separator(of: characters.prefix { !$0.isNewline })
    var (rows, row, cell) = ([[String]](), [String](), "")
    var (isQuoted, wasQuoted, line, start) = (false, false, 1, 1)
    var index = 0
    while index < characters.count {
      let character = characters[index]
      index += 1
      if character.isNewline { line += 1 }
      if isQuoted {
        if character != "\"" {
          cell.append(character)
        } else if index < characters.count, characters[index] == "\"" {
          cell.append("\"")
          index += 1
        } else {
          isQuoted = false
        }
      } else if character == "\"", cell.isEmpty, !wasQuoted {
        (isQuoted, wasQuoted, start) = (true, true, line)
      } else if character == separator || character.isNewline {
        row.append(cell)
        (cell, wasQuoted) = ("", false)
        if character.isNewline {
          if row != [""] { rows.append(row) }
          row = []
        }
      } else if wasQuoted {
        throw ControlError(
          .invalid, "line \(line) has text after a closing quote: double each quote inside of a cell")
      } else {
        cell.append(character)
      }
    }
    if isQuoted { throw ControlError(.invalid, "the quote that opens in line \(start) is not closed") }
    row.append(cell)
    if row != [""] { rows.append(row) }
    return rows
  }

  private static func separator(of line: ArraySlice<Character>) -> Character {
    let candidates: [Character] = [",", ";", "\t"]
    let counts = candidates.map { candidate in line.count { $0 == candidate } }
    return candidates[counts.indices.max { counts[$0] < counts[$1] } ?? 0]
  }
}
