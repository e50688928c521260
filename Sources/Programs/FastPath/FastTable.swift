/// Rows of plain texts (see `FastText`), in columns as wide as their widest cell.
struct FastTable {
  /// The cells, with the same number in each row; the first row holds the headings.
  let rows: [[String]]
  /// The color of a cell, by its column and text.
  let color: (Int, String) -> FastStyle.TextColor?

  /// Returns the same lines as `Table` of the full program.
  ///
  /// - Parameters:
  ///   - style: The output style.
  ///   - optional: The headings of the columns to omit on a narrow terminal, in this order.
  /// - Returns: The lines; nil if texts must be wrapped or truncated.
  func lines(_ style: FastStyle, leavingOut optional: [String]) -> [String]? {
    guard let head = rows.first else { return [] }
    let widths = head.indices.map { column in rows.reduce(0) { max($0, FastText.columns($1[column])) } }
    var (shown, left) = (Array(head.indices), optional[...])
    while let columns = style.columns, total(widths, shown) > columns {
      guard let name = left.popFirst() else { return nil }
      shown.removeAll { head[$0].utf8.elementsEqual(name.utf8) }
    }
    return rows.indices.map { row in
      let last = shown.lastIndex { !rows[row][$0].utf8.isEmpty } ?? 0
      var line = ""
      for place in 0...last {
        let (column, cell) = (shown[place], rows[row][shown[place]])
        line += style.paint(cell, row == 0 ? .strong : color(column, cell))
        if place < last { line += FastText.spaces(widths[column] - FastText.columns(cell) + 2) }
      }
      return line
    }
  }

  private func total(_ widths: [Int], _ shown: [Int]) -> Int {
    shown.reduce(2 * (shown.count - 1)) { $0 + widths[$1] }
  }
}
