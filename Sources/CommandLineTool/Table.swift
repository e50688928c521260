/// Rows under a head, in columns that are as wide as they need to be, or as the terminal lets them.
struct Table {
  /// The head of each column.
  let head: [String]
  /// The cells, as many in each row as the head has.
  let rows: [[String]]

  /// Its lines. With `columns`, what does not fit is cut, the widest columns first; a column keeps its head.
  func lines(columns: Int?) -> [String] {
    let cells = ([head] + rows).map { $0.map(Self.printable) }
    let widths = fit(head.indices.map { index in cells.map { $0[index].count }.max() ?? 0 }, columns)
    return cells.map { row in
      let line = zip(row, widths).map { Self.padded(Self.cut($0, to: $1), to: $1) }.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private func fit(_ widths: [Int], _ columns: Int?) -> [Int] {
    guard let columns else { return widths }
    var widths = widths.map { min($0, columns) }
    while widths.reduce(2 * (widths.count - 1), +) > columns {
      let cuttable = widths.indices.filter { widths[$0] > max(head[$0].count, 4) }
      guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }) else { break }
      widths[widest] -= 1
    }
    return widths
  }

  /// Monitors and messages are not trusted with the terminal: control characters and line breaks become spaces.
  static func printable(_ text: String) -> String {
    String(text.map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 })
  }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
