import Geometry
import Markdown
import Scenes
import Typesetting

extension MarkdownFlow {
  /// The columns of a table, which are as wide as their content if there is room; otherwise only narrow columns are.
  private struct Columns {
    var widths: [Int]
    var padding: Int
    var alignments: [TextAlignment?]

    var whole: Int { widths.reduce(0, +) + 2 * padding * widths.count }
  }

  /// Adds a table: a header and rows, with lines between them.
  mutating func add(_ table: Table, _ place: Place) throws(TypesettingError) {
    leave(0.75)
    let columns = try columns(of: table, place)
    let header = try add(row: table.header, columns, place, weight: 700)
    addLine(header, columns, place, color: sheet.style.accent, height: sheet.line(4))
    if !table.rows.isEmpty { for index in header { change(index) { $0.staysWithNext = true } } }
    for (number, row) in table.rows.enumerated() {
      let pieces = try add(row: row, columns, place, weight: nil)
      if number < table.rows.count - 1 {
        addLine(pieces, columns, place, color: sheet.faint, height: sheet.line(2))
      }
    }
    leave(0.75)
  }

  private mutating func columns(of table: Table, _ place: Place) throws(TypesettingError) -> Columns {
    var wants = table.columns.map { _ in 0 }
    for (number, row) in ([table.header] + table.rows).enumerated() {
      for (column, cell) in row.enumerated() where column < wants.count {
        wants[column] = max(wants[column], try width(of: cell, weight: number == 0 ? 700 : nil))
      }
    }
    let padding = min(pixels(0.5), place.width / max(1, 8 * wants.count))
    let shares = fairShares(of: place.width - 2 * padding * wants.count, for: wants)
    let alignments = table.columns.map { alignment -> TextAlignment? in
      switch alignment {
      case .natural, .left: .start
      case .center: .center
      case .right: .end
      }
    }
    return Columns(widths: shares, padding: padding, alignments: alignments)
  }

  private mutating func width(of cell: Table.Cell, weight: Int?) throws(TypesettingError) -> Int {
    var width = 0
    for case .text(let text) in inlineText(cell, weight: weight).parts {
      width = max(width, try flow(text, width: 16384).width)
    }
    return width
  }

  /// Adds a row and returns its pieces: each piece contains one line of every cell.
  private mutating func add(
    row: [Table.Cell], _ columns: Columns, _ place: Place, weight: Int?
  ) throws(TypesettingError) -> Range<Int> {
    let top = begin()
    let first = pieces.count
    var lines: [Piece] = []
    var x = place.x + columns.padding
    for (column, cell) in row.enumerated() where column < columns.widths.count {
      let cellPlace = Place(x: x, width: columns.widths[column], color: place.color)
      let cellLines = try self.lines(of: cell, cellPlace, columns.alignments[column], weight, top: top + pixels(0.32))
      for (number, line) in cellLines.enumerated() {
        if number == lines.count { lines.append(line) } else { lines[number].absorb(line) }
      }
      x += columns.widths[column] + 2 * columns.padding
    }
    for line in lines { append(line) }
    if lines.isEmpty { append(Piece(top: top, bottom: top + pixels(1.4))) }
    change(first) { $0.top = top }
    // Rows of up to 8 lines stay on one page. Taller rows contain running text, which may be split.
    if lines.count <= 8 { for index in first..<pieces.count - 1 { change(index) { $0.staysWithNext = true } } }
    let bottom = height + pixels(0.32)
    change(pieces.count - 1) { $0.bottom = bottom }
    end(at: bottom)
    return first..<pieces.count
  }

  private mutating func lines(
    of cell: Table.Cell, _ place: Place, _ alignment: TextAlignment?, _ weight: Int?, top: Int
  ) throws(TypesettingError) -> [Piece] {
    let text = inlineText(cell, weight: weight)
    var (lines, y) = ([Piece](), top)
    for case .text(let words) in text.parts {
      let flowed = try flow(words, width: place.width, Setting(alignment: alignment))
      lines += flowed.lines.map { piece($0, text.decorations, x: place.x, top: y, em: em, place.color) }
      y += flowed.height
    }
    return lines
  }

  /// Adds a line at the bottom of the last piece of a row.
  private mutating func addLine(
    _ row: Range<Int>, _ columns: Columns, _ place: Place, color: Color, height: Int
  ) {
    guard let last = row.last else { return }
    let bottom = pieces[last].bottom
    let rect = Rect(x: place.x, y: bottom - height, width: min(columns.whole, place.width), height: height)
    change(last) { $0.items.append(.fill(FillItem(rect: rect, color: color))) }
  }
}

extension MarkdownFlow.Piece {
  /// Merges a piece that is beside this one.
  fileprivate mutating func absorb(_ other: MarkdownFlow.Piece) {
    top = min(top, other.top)
    bottom = max(bottom, other.bottom)
    items += other.items
  }
}
