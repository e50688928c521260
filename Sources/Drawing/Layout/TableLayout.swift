import Geometry
import Scenes
import Typesetting

/// The measures of a table's rows and columns on a display.
private struct TableMeasures {
  /// The size of the letters, in units.
  var size: Double
  /// The height of a row.
  var pitch: Int
  /// The widths of the columns.
  var widths: [Int]
  /// The rows on a page.
  var perPage: Int
}

extension LayoutContext {
  /// Lays out rows of cells under the titles of their columns.
  ///
  /// A table that fits on one page is set in larger letters. Otherwise its pages have as many rows as fit in the usual
  /// size. Columns that are too narrow for their content have smaller letters, and then end in an ellipsis.
  ///
  /// - Parameter table: The table.
  /// - Throws: `TypesettingError`.
  mutating func layOut(_ table: TableView) throws(TypesettingError) {
    var area = area
    if let title = table.title.orNothing {
      let text = try fit(
        bold(title), Size(area.width, area.height / 5), LayoutRules.Common.title[breakpoint], edge(.start, table),
        mostLines: 1)
      draw(text, x: area.x, y: area.removeTop(text.size.height, gap: gap).y)
    }
    guard !table.columns.isEmpty, !area.isEmpty else { return }
    let hasHead = table.columns.contains { $0.title.orNothing != nil }
    // The lower edge is kept free for the page number if the rows do not fit without it.
    var measures = try measures(of: table, hasHead, in: area)
    let needsFoot = table.note != nil || measures.perPage < table.rows.count
    if needsFoot {
      let foot = area.removeBottom(
        Int(Double(pixels(LayoutRules.Common.caption[breakpoint].largest)) * 1.3), gap: gap / 2)
      measures = try self.measures(of: table, hasHead, in: area)
      pages = max(1, (table.rows.count + measures.perPage - 1) / measures.perPage)
      try drawFoot(of: table, in: foot)
    }
    if hasHead { try drawHead(of: table, measures, in: area.removeTop(measures.pitch)) }
    guard !table.rows.isEmpty else { return try drawEmpty(table, in: area) }
    let first = page(of: table) * measures.perPage
    for row in table.rows.dropFirst(first).prefix(measures.perPage) {
      try draw(row, of: table, measures, in: area.removeTop(measures.pitch))
    }
  }

  private func page(of table: TableView) -> Int {
    if case .share(let share) = table.place { Place.page(at: share, of: pages) } else { 0 }
  }

  // MARK: Measures

  /// Returns the measures of the largest table that fits, or those of its pages.
  private func measures(
    of table: TableView, _ hasHead: Bool, in area: Rect
  ) throws(TypesettingError) -> TableMeasures {
    let usual = LayoutRules.Table.text[breakpoint]
    let natural = try naturalWidths(of: table, units: usual)
    let free = max(0, area.width - (table.columns.count - 1) * columnGap)
    let lines = Double(table.rows.count + (hasHead ? 1 : 0))
    // Without rows, the titles have the usual size.
    let most = table.rows.isEmpty ? 1 : LayoutRules.Table.scales.upperBound
    let down = Double(area.height) / max(1, lines * Double(pixels(usual)) * LayoutRules.Table.pitch)
    let hasWeights = table.columns.contains { $0.weight != nil }
    let across =
      hasWeights
      ? zip(natural, weighted(table, free)).map { Double($1) / Double(max(1, $0)) }.min() ?? 1
      : Double(free) / Double(max(1, natural.reduce(0, +)))
    let scale = max(min(across, max(1, min(down, most))), LayoutRules.Table.scales.lowerBound)
    let size = usual * scale
    let pitch = max(1, Int(Double(pixels(size)) * LayoutRules.Table.pitch))
    let rows = max(1, area.height / pitch - (hasHead ? 1 : 0))
    let widths = hasWeights ? weighted(table, free) : shared(natural.map { Int(Double($0) * scale) + 1 }, table, free)
    return TableMeasures(size: size, pitch: pitch, widths: widths, perPage: rows)
  }

  private var columnGap: Int { pixels(LayoutRules.Table.gap) }

  /// Returns the widths of the longest cells of each column in a size.
  private func naturalWidths(of table: TableView, units: Double) throws(TypesettingError) -> [Int] {
    var widths: [Int] = []
    let rules = FlowRules(width: 16384, size: pixels64(units))
    for (index, column) in table.columns.enumerated() {
      // The widest cell is among the longest ones, except for letters of very different widths.
      let longest = table.rows.map { $0.cells[index] }.sorted { $0.utf8.count > $1.utf8.count }.prefix(4)
      var width = 0
      for text in longest where !text.isEmpty {
        width = max(width, try materials.typesetter.flow(cell(text), by: rules).width)
      }
      if let title = column.title.orNothing {
        width = max(width, try materials.typesetter.flow(bold(title), by: rules).width)
      }
      widths.append(width)
    }
    return widths
  }

  /// Returns widths by the weights of the columns; a column without a weight has 1.
  private func weighted(_ table: TableView, _ free: Int) -> [Int] {
    let weights = table.columns.map { column in
      column.weight.map { $0.isFinite ? min(max($0, 0.1), 100) : 1 } ?? 1
    }
    let sum = weights.reduce(0, +)
    return weights.map { Int(Double(free) * $0 / sum) }
  }

  /// Returns widths by the content. What is left goes to the widest column of texts that start at its edge.
  private func shared(_ wanted: [Int], _ table: TableView, _ free: Int) -> [Int] {
    var widths = fairShares(of: free, for: wanted)
    let left = free - widths.reduce(0, +)
    let texts = table.columns.indices.filter { table.columns[$0].alignment == .start }
    if left > 0, let widest = texts.max(by: { widths[$0] < widths[$1] }) { widths[widest] += left }
    return widths
  }

  // MARK: Drawing

  private func cell(_ text: String) -> StyledText {
    var letters = letters()
    letters.features.insert(.tabularFigures)
    return StyledText(text, style: letters)
  }

  private func edge(_ alignment: Alignment, _ table: TableView) -> TextAlignment {
    switch alignment {
    case .start, .justify: table.isRightToLeft ? .right : .left
    case .center: .center
    case .end: table.isRightToLeft ? .left : .right
    }
  }

  /// Returns the bounds of the cells in a row.
  private func rects(_ table: TableView, _ measures: TableMeasures, in row: Rect) -> [Rect] {
    let rects = row.divided(measures.widths, gap: columnGap, isStacked: false)
    return table.isRightToLeft
      ? rects.map { $0.moved(x: row.x + row.right - $0.x - $0.right) } : rects
  }

  private mutating func draw(
    _ text: StyledText, in rect: Rect, _ measures: TableMeasures, _ alignment: TextAlignment, _ color: Color?
  ) throws(TypesettingError) {
    let text = try fit(
      text, rect.size, TextSize(measures.size, max(measures.size * 0.8, LayoutRules.smallestText)), alignment,
      mostLines: 1)
    draw(text, x: rect.x, y: rect.y + (rect.height - text.size.height) / 2, color)
  }

  private mutating func drawHead(
    of table: TableView, _ measures: TableMeasures, in row: Rect
  ) throws(TypesettingError) {
    for (column, rect) in zip(table.columns, rects(table, measures, in: row)) {
      guard let title = column.title.orNothing else { continue }
      try draw(bold(title), in: rect, measures, edge(column.alignment, table), style.accent)
    }
    let height = line(LayoutRules.Table.line)
    fill(Rect(x: row.x, y: row.bottom - height, width: row.width, height: height), style.accent)
  }

  private mutating func draw(
    _ row: TableView.Row, of table: TableView, _ measures: TableMeasures, in rect: Rect
  ) throws(TypesettingError) {
    if row.isHighlighted {
      let margin = min(columnGap / 2, rect.x)
      fill(
        Rect(x: rect.x - margin, y: rect.y, width: rect.width + 2 * margin, height: rect.height),
        background.mixed(with: style.accent, LayoutRules.Table.highlight))
    }
    for (index, cell) in rects(table, measures, in: rect).enumerated() where !row.cells[index].isEmpty {
      try draw(
        self.cell(row.cells[index]), in: cell, measures, edge(table.columns[index].alignment, table), style.foreground)
    }
    let height = line(LayoutRules.Table.line / 2)
    fill(Rect(x: rect.x, y: rect.bottom - height, width: rect.width, height: height), faint)
  }

  private mutating func drawFoot(of table: TableView, in foot: Rect) throws(TypesettingError) {
    let size = LayoutRules.Common.caption[breakpoint]
    if let note = table.note {
      let text = try fit(plain(note), foot.size, size, edge(.start, table), mostLines: 1)
      draw(text, x: foot.x, y: foot.bottom - text.size.height, style.accent)
    }
    guard pages > 1 else { return }
    let text = try fit(plain("\(page(of: table) + 1)/\(pages)"), foot.size, size, edge(.end, table), mostLines: 1)
    draw(text, x: foot.x, y: foot.bottom - text.size.height, quiet)
  }

  private mutating func drawEmpty(_ table: TableView, in area: Rect) throws(TypesettingError) {
    guard let empty = table.empty.orNothing else { return }
    let text = try fit(plain(empty), area.size, LayoutRules.Common.heading[breakpoint], .center)
    draw(text, x: area.x, y: area.y + (area.height - text.size.height) / 2, quiet)
  }
}
