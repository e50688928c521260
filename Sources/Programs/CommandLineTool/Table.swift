/// Rows under headings, in columns as wide as their content or as the terminal allows.
struct Table {
  /// The heading of each column.
  let head: [String]
  /// The cells, with one for each heading in every row.
  let rows: [[String]]
  /// The colors of a column's cells, by the column's index.
  var colors: [Int: @Sendable (String) -> TextColor?] = [:]
  /// The headings of the columns to omit on a narrow terminal, in this order.
  var optional: [String] = []
  /// The headings of the columns that are never truncated: names, times and commands to type or compare.
  var whole: Set<String> = []
  /// The headings of the columns whose narrow cells continue in the next lines, at most `mostLines` of them.
  var wrapped: Set<String> = []
  /// The headings of wrapped columns with lists of names or commands.
  ///
  /// Their words are never truncated, whatever number of lines they take.
  var lists: Set<String> = []

  /// Cells of wrapped columns that are never cut, whatever number of lines they take: they end with a command to type.
  var uncut: Set<String> = []

  /// The maximum number of lines of one cell; the rest of a longer text is truncated.
  static let mostLines = 4

  /// The minimum width of a wrapped column in terminal columns; lines of one syllable are unreadable.
  static let leastWrapped = 10

  /// Returns the lines of the table.
  ///
  /// On a narrow terminal, optional columns are omitted. Then the widest columns are narrowed, but none below the width
  /// of its heading. Their texts are wrapped or truncated. Columns in `whole` keep their width.
  ///
  /// - Parameter style: The output style.
  /// - Returns: The lines without line breaks.
  func lines(_ style: OutputStyle) -> [String] {
    let table = [head] + rows
    var (shown, left) = (Array(head.indices), optional[...])
    func widths() -> [Int] {
      shown.map { index in table.map { TextWidth.columns(Self.printable($0[index])) }.max() ?? 0 }
    }
    while let columns = style.columns, Self.total(widths()) > columns, let name = left.popFirst() {
      shown.removeAll { head[$0] == name }
    }
    let colors = Dictionary(
      uniqueKeysWithValues: shown.enumerated().compactMap { place, index in self.colors[index].map { (place, $0) } })
    let fitting = fit(widths(), shown.map { head[$0] }, style.columns)
    let cells = table.flatMap { row in
      lines(of: shown.map { Self.printable(row[$0]) }, shown.map { head[$0] }, fitting)
    }
    return Self.lines(cells, fitting, colors, style)
  }

  /// Returns the lines of one row: more than one if a cell is wrapped.
  private func lines(of row: [String], _ head: [String], _ widths: [Int]) -> [[String]] {
    let cells = row.indices.map { column in
      wrapped.contains(head[column])
        ? TextWidth.wrapped(
          row[column], to: widths[column],
          most: lists.contains(head[column]) || uncut.contains(row[column]) ? .max : Self.mostLines)
        : [row[column]]
    }
    return (0..<(cells.map(\.count).max() ?? 1)).map { line in cells.map { line < $0.count ? $0[line] : "" } }
  }

  private static func lines(
    _ cells: [[String]], _ widths: [Int], _ colors: [Int: @Sendable (String) -> TextColor?], _ style: OutputStyle
  ) -> [String] {
    cells.indices.map { row in
      let last = cells[row].lastIndex { !$0.isEmpty } ?? 0
      return cells[row].indices.prefix(last + 1).map { column in
        let text = TextWidth.cut(cells[row][column], to: widths[column])
        let color = row == 0 ? .strong : colors[column]?(cells[row][column])
        // Padding has no color, and nothing follows the last column.
        return style.paint(text, color) + (column == last ? "" : Self.padding(of: text, to: widths[column]))
      }.joined(separator: "  ")
    }
  }

  /// Returns the lines as one text.
  func text(_ style: OutputStyle) -> String { lines(style).joined(separator: "\n") }

  private static func total(_ widths: [Int]) -> Int { widths.reduce(2 * (widths.count - 1), +) }

  private func fit(_ widths: [Int], _ head: [String], _ columns: Int?) -> [Int] {
    guard let columns else { return widths }
    var widths = zip(widths, head).map { width, name in whole.contains(name) ? width : min(width, columns) }
    while Self.total(widths) > columns {
      let cuttable = widths.indices.filter {
        !whole.contains(head[$0]) && widths[$0] > least(head[$0])
      }
      guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
    }
    return widths
  }

  /// Returns the minimum width of a column.
  private func least(_ name: String) -> Int {
    let width = max(TextWidth.columns(name), wrapped.contains(name) ? Self.leastWrapped : 4)
    guard lists.contains(name), let column = head.firstIndex(of: name) else { return width }
    return rows.map { TextWidth.longestWord(of: Self.printable($0[column])) }.reduce(width, max)
  }

  /// Returns an untrusted text, such as the name of a monitor, without characters that a terminal may act on.
  static func printable(_ text: String) -> String {
    // Bidirectional controls are removed. Other control characters and line breaks become spaces.
    let kept = text.unicodeScalars.filter { !SafeText.isBidirectionalControl($0) }
    return String(
      String(String.UnicodeScalarView(kept)).map { character in
        character.unicodeScalars.contains(where: SafeText.isControlOrSeparator) ? " " : character
      })
  }

  private static func padding(of text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - TextWidth.columns(text)))
  }
}
