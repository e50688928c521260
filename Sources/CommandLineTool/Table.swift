/// Rows under a head, in columns that are as wide as they need to be, or as the terminal lets them.
struct Table {
  /// The head of each column.
  let head: [String]
  /// The cells, as many in each row as the head has.
  let rows: [[String]]
  /// The inks of a column's cells, by the column's place.
  var inks: [Int: @Sendable (String) -> Ink?] = [:]

  /// Its lines. On a terminal, what does not fit is cut, the widest columns first; a column keeps its head.
  func lines(_ paper: Paper) -> [String] {
    let cells = ([head] + rows).map { $0.map(Self.printable) }
    let widths = fit(head.indices.map { index in cells.map { TextWidth.columns($0[index]) }.max() ?? 0 }, paper.columns)
    return cells.indices.map { row in
      let last = cells[row].lastIndex { !$0.isEmpty } ?? 0
      return cells[row].indices.prefix(last + 1).map { column in
        let text = Self.cut(cells[row][column], to: widths[column])
        let ink = row == 0 ? .strong : inks[column]?(cells[row][column])
        // What fills the column has no ink, and behind the last one there is nothing.
        return paper.paint(text, ink) + (column == last ? "" : Self.padding(of: text, to: widths[column]))
      }.joined(separator: "  ")
    }
  }

  /// The lines as one text.
  func text(_ paper: Paper) -> String { lines(paper).joined(separator: "\n") }

  private func fit(_ widths: [Int], _ columns: Int?) -> [Int] {
    guard let columns else { return widths }
    var widths = widths.map { min($0, columns) }
    while widths.reduce(2 * (widths.count - 1), +) > columns {
      let cuttable = widths.indices.filter { widths[$0] > max(TextWidth.columns(head[$0]), 4) }
      guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
    }
    return widths
  }

  /// Monitors and messages are not trusted with the terminal: control characters and line breaks become spaces, and
  /// what turns the direction of all that follows is left out.
  static func printable(_ text: String) -> String {
    let kept = text.unicodeScalars.filter { !SafeText.isTurn($0) }
    return String(
      String(String.UnicodeScalarView(kept)).map { character in
        character.unicodeScalars.contains(where: SafeText.isBreak) ? " " : character
      })
  }

  private static func cut(_ text: String, to width: Int) -> String {
    TextWidth.columns(text) <= width ? text : TextWidth.prefix(text, max(0, width - 1)) + "…"
  }

  private static func padding(of text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - TextWidth.columns(text)))
  }
}
