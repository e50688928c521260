/// Comma-separated values (RFC 4180), also with semicolons or tabs.
enum CSVText {
  /// Reads the rows of a text. Empty lines are left out.
  ///
  /// - Parameter text: The text. Its first line determines the separator: the one of `,`, `;` and tab that it has most of.
  /// - Throws: `Failure` that names the line with a mistake in its quotes.
  /// - Returns: The cells of each row.
  static func rows(of text: String) throws(Failure) -> [[String]] {
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
        throw Failure(.refused, "Line \(line) has text after a closing quote: double each quote inside of a cell.")
      } else {
        cell.append(character)
      }
    }
    if isQuoted { throw Failure(.refused, "The quote that opens in line \(start) is not closed.") }
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
