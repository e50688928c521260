/// Rows under a head, in columns that are as wide as they need to be, or as the terminal lets them.
struct Table {
  /// The head of each column.
  let head: [String]
  /// The cells, as many in each row as the head has.
  let rows: [[String]]
  /// The inks of a column's cells, by the column's place.
  var inks: [Int: @Sendable (String) -> Ink?] = [:]
  /// Heads of the columns that are left out on a narrow terminal, in this order.
  var optional: [String] = []
  /// Heads of the columns that are never cut: names, times and commands that someone types or compares.
  var whole: Set<String> = []
  /// Heads of the columns whose cells go on in the next lines where they are too narrow, at most `mostLines` of them.
  var wrapped: Set<String> = []
  /// Heads of wrapped columns with lists of names or commands: no word of theirs is cut, whatever number of lines it takes.
  var lists: Set<String> = []

  /// Cells of wrapped columns that are never cut, whatever number of lines they take: they end with a command to type.
  var uncut: Set<String> = []

  /// The most lines of one cell; the rest of a longer text is cut.
  static let mostLines = 4

  /// The width in columns below which no text is wrapped: lines of one syllable cannot be read.
  static let leastWrapped = 10

  /// Its lines. On a terminal that is too narrow, optional columns are left out; then the widest columns are narrowed,
  /// but none below its head. Their texts are wrapped or cut. Columns of `whole` keep their width.
  func lines(_ paper: Paper) -> [String] {
    let table = [head] + rows
    var (shown, left) = (Array(head.indices), optional[...])
    func widths() -> [Int] {
      shown.map { index in table.map { TextWidth.columns(Self.printable($0[index])) }.max() ?? 0 }
    }
    while let columns = paper.columns, Self.total(widths()) > columns, let name = left.popFirst() {
      shown.removeAll { head[$0] == name }
    }
    let inks = Dictionary(
      uniqueKeysWithValues: shown.enumerated().compactMap { place, index in self.inks[index].map { (place, $0) } })
    let fitting = fit(widths(), shown.map { head[$0] }, paper.columns)
    let cells = table.flatMap { row in
      lines(of: shown.map { Self.printable(row[$0]) }, shown.map { head[$0] }, fitting)
    }
    return Self.lines(cells, fitting, inks, paper)
  }

  /// The lines of one row: more than one where a cell is wrapped.
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
    _ cells: [[String]], _ widths: [Int], _ inks: [Int: @Sendable (String) -> Ink?], _ paper: Paper
  ) -> [String] {
    cells.indices.map { row in
      let last = cells[row].lastIndex { !$0.isEmpty } ?? 0
      return cells[row].indices.prefix(last + 1).map { column in
        let text = TextWidth.cut(cells[row][column], to: widths[column])
        let ink = row == 0 ? .strong : inks[column]?(cells[row][column])
        // What fills the column has no ink, and behind the last one there is nothing.
        return paper.paint(text, ink) + (column == last ? "" : Self.padding(of: text, to: widths[column]))
      }.joined(separator: "  ")
    }
  }

  /// The lines as one text.
  func text(_ paper: Paper) -> String { lines(paper).joined(separator: "\n") }

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

  /// The width below which a column is not narrowed.
  private func least(_ name: String) -> Int {
    let width = max(TextWidth.columns(name), wrapped.contains(name) ? Self.leastWrapped : 4)
    guard lists.contains(name), let column = head.firstIndex(of: name) else { return width }
    return rows.map { TextWidth.longestWord(of: Self.printable($0[column])) }.reduce(width, max)
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

  private static func padding(of text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - TextWidth.columns(text)))
  }
}
