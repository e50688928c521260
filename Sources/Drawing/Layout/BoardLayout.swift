import Geometry
import Scenes
import Typesetting

/// The laid out cards of a board's column at one text scale.
private struct ColumnOfCards {
  var title: FittedText?
  var cards: [CardPanel] = []
  /// The note about the cards that do not fit.
  var more: FittedText?
  /// The total height of the column's content.
  var height = 0
  var isComplete: Bool { more == nil }
}

/// A measured card of a board.
private struct CardPanel {
  var stack = Stack()
  var accent: Color
  var height: Int
}

extension LayoutContext {
  /// Lays out columns of cards under a title.
  ///
  /// The text is as large as possible with all cards visible. If no scale fits all cards, a note counts the hidden
  /// ones.
  ///
  /// - Parameter board: The board.
  /// - Throws: `TypesettingError`.
  mutating func layOut(_ board: Board) throws(TypesettingError) {
    var area = area
    if let title = board.title.orNothing {
      let text = try fit(
        bold(title), Size(area.width, area.height / 5), LayoutRules.Common.title[breakpoint], mostLines: 1)
      draw(text, x: area.x, y: area.removeTop(text.size.height, gap: gap).y)
    }
    let columns = try shownColumns(of: board, in: &area)
    guard !columns.isEmpty, !area.isEmpty else { return }
    for (column, rect) in try filled(columns, in: area) { draw(column, in: rect) }
  }

  private var boardGap: Int { pixels(LayoutRules.Board.gap[breakpoint]) }
  private var padding: Int { pixels(LayoutRules.Board.padding[breakpoint]) }

  /// Returns as many columns as reach the minimum width, or the minimum height if they are stacked; a note lists the
  /// others.
  private mutating func shownColumns(
    of board: Board, in area: inout Rect
  ) throws(TypesettingError) -> ArraySlice<Board.Column> {
    let least = max(1, pixels(LayoutRules.Board.column[breakpoint]))
    let isStacked = LayoutRules.Board.isStacked[breakpoint]
    let room = max(1, ((isStacked ? area.height : area.width) + boardGap) / (least + boardGap))
    guard board.columns.count > room else { return board.columns[...] }
    let hidden = board.columns.count - room
    let names = board.columns[room...].compactMap(\.title.orNothing).joined(separator: ", ")
    let words = "+\(hidden) more \(hidden == 1 ? "column" : "columns")" + (names.isEmpty ? "" : ": \(names)")
    let text = try fit(
      plain(words), Size(area.width, area.height / 8), LayoutRules.Common.caption[breakpoint], mostLines: 1)
    draw(text, x: area.x, y: area.removeBottom(text.size.height, gap: gap / 2).y, quiet)
    warn("\(hidden) of \(board.columns.count) columns do not fit on the display")
    return board.columns[..<room]
  }

  private func rects(of columns: ArraySlice<Board.Column>, in area: Rect, _ scale: Double) throws(TypesettingError)
    -> [Rect]
  {
    let isStacked = LayoutRules.Board.isStacked[breakpoint]
    let free = max(0, (isStacked ? area.height : area.width) - (columns.count - 1) * boardGap)
    if !isStacked { return area.divided(columns.map { _ in free / columns.count }, gap: boardGap, isStacked: false) }
    // Stacked columns share the height: short columns get all they need, and the others equal parts of the rest.
    var wants: [Int] = []
    for column in columns { wants.append(try fill(column, Size(area.width, 1 << 14), scale).height) }
    return area.divided(fairShares(of: free, for: wants), gap: boardGap, isStacked: true)
  }

  /// Returns the columns at the largest text scale that shows the most cards.
  private mutating func filled(
    _ columns: ArraySlice<Board.Column>, in area: Rect
  ) throws(TypesettingError) -> [(column: ColumnOfCards, rect: Rect)] {
    var best: [(column: ColumnOfCards, rect: Rect)] = []
    for scale in LayoutRules.Board.scales {
      var filled: [(column: ColumnOfCards, rect: Rect)] = []
      for (column, rect) in zip(columns, try rects(of: columns, in: area, scale)) {
        filled.append((try fill(column, rect.size, scale), rect))
      }
      if best.isEmpty || filled.cardCount > best.cardCount { best = filled }
      if best.allSatisfy(\.column.isComplete) { break }
    }
    for (column, cards) in zip(columns, best) where !cards.column.isComplete {
      let name = column.title.orNothing.map { " of \($0)" } ?? ""
      let hidden = column.cards.count - cards.column.cards.count
      warn("\(hidden) of \(column.cards.count) cards\(name) do not fit on the display")
    }
    return best
  }

  private func fill(
    _ column: Board.Column, _ size: Size, _ scale: Double
  ) throws(TypesettingError) -> ColumnOfCards {
    var result = ColumnOfCards()
    if let title = column.title.orNothing {
      let text = try fit(
        bold(title), size, LayoutRules.Common.body[breakpoint], mostLines: 1)
      result.title = text
      result.height = text.size.height + boardGap / 2
    }
    for (index, card) in column.cards.enumerated() {
      let left = size.height - result.height
      var panel = try panel(card, Size(size.width, 1 << 14), scale)
      // The first card is always shown, truncated if necessary.
      if index == 0, panel.height > left { panel = try self.panel(card, Size(size.width, left), scale) }
      let isLast = index == column.cards.count - 1
      let reserve = isLast ? 0 : boardGap + pixels(LayoutRules.Common.caption[breakpoint].largest * 1.3)
      guard panel.height + reserve <= left else {
        let words = plain("+\(column.cards.count - index) more")
        let box = Size(size.width, max(0, left))
        result.more = try fit(words, box, LayoutRules.Common.caption[breakpoint], mostLines: 1)
        break
      }
      result.cards.append(panel)
      result.height += panel.height + (isLast ? 0 : boardGap)
    }
    return result
  }

  private func panel(_ card: Card, _ size: Size, _ scale: Double) throws(TypesettingError) -> CardPanel {
    let bar = line(LayoutRules.Board.bar)
    let box = Size(size.width - bar - 2 * padding, max(0, size.height - 2 * padding))
    var panel = CardPanel(accent: card.accent ?? style.accent, height: 0)
    if let title = card.title.orNothing {
      let size = LayoutRules.Board.title[breakpoint].scaled(by: scale)
      panel.stack.add(try fit(bold(title), box, size, mostLines: LayoutRules.Board.titleLines))
    }
    if let content = card.content.orNothing {
      let size = LayoutRules.Board.content[breakpoint].scaled(by: scale)
      let text = try fit(plain(content), box, size, mostLines: LayoutRules.Board.contentLines)
      panel.stack.add(text, background.mixed(with: style.foreground, 0.86), gap: padding / 3)
    }
    if let footer = card.footer.orNothing {
      let size = LayoutRules.Board.footer[breakpoint].scaled(by: scale)
      panel.stack.add(try fit(plain(footer), box, size, mostLines: 1), quiet, gap: padding / 2)
    }
    panel.height = panel.stack.height + 2 * padding
    return panel
  }

  private mutating func draw(_ column: ColumnOfCards, in rect: Rect) {
    var rest = rect
    if let title = column.title {
      draw(title, x: rest.x, y: rest.removeTop(title.size.height, gap: boardGap / 2).y, style.accent)
    }
    for panel in column.cards { draw(panel, in: rest.removeTop(panel.height, gap: boardGap)) }
    if let more = column.more { draw(more, x: rest.x + padding, y: rest.y, quiet) }
  }

  private mutating func draw(_ card: CardPanel, in rect: Rect) {
    let radius = pixels(LayoutRules.Board.radius)
    var rest = rect
    let bar = rest.removeLeft(line(LayoutRules.Board.bar))
    fill(rect, card.accent, radius: radius, clip: bar)
    fill(rect, panel, radius: radius, clip: rest)
    card.stack.draw(on: &self, x: rest.x + padding, y: rect.y + padding)
  }
}

extension [(column: ColumnOfCards, rect: Rect)] {
  fileprivate var cardCount: Int { reduce(0) { $0 + $1.column.cards.count } }
}
