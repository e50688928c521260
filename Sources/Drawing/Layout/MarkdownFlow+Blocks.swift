import Geometry
import Markdown
import Scenes
import Typesetting

extension MarkdownFlow {
  /// Returns a place that is indented, but keeps a minimum width for text at any nesting depth.
  private func indented(_ place: Place, by indent: Int) -> Place {
    let indent = min(indent, max(0, place.width - pixels(6)))
    var inner = place
    inner.x += indent
    inner.width -= indent
    return inner
  }

  /// Adds a block quote with a bar beside it.
  mutating func add(quote blocks: [Block], _ place: Place) throws(TypesettingError) {
    leave(0.75)
    let first = pieces.count
    var inner = indented(place, by: pixels(1))
    inner.color = sheet.background.mixed(with: sheet.style.foreground, 0.8)
    inner.isTight = false
    try add(blocks, inner)
    guard first < pieces.count else { return }
    let (top, bar) = (pieces[first].top, max(1, pixels(0.16)))
    let rect = Rect(x: place.x, y: top, width: bar, height: height - top)
    if bar < inner.x - place.x { addGround(Background(rect: rect, color: sheet.style.accent, radius: bar / 2)) }
    leave(0.75)
  }

  /// Adds a code block with a background; long lines are first scaled down and then broken.
  mutating func add(code: String, _ place: Place) throws(TypesettingError) {
    leave(0.75)
    let pad = min(pixels(0.6), place.width / 8)
    let text = StyledText(withFixedSpaces(code), style: sheet.letters().monospaced)
    let room = place.width - 2 * pad
    var setting = Setting(lineHeight: 1.1, alignment: .start)
    let natural = try flow(text, width: 16384, setting).width
    let smallest = Double(sheet.pixels64(LayoutRules.smallestText)) / (64 * em * LayoutRules.Markdown.code)
    setting.factor = min(1, max(smallest, Double(room) / Double(max(1, natural))))
    codeScale = min(codeScale, setting.factor)
    let flowed = try flow(text, width: room, setting)
    let top = begin()
    let first = pieces.count
    for line in flowed.lines {
      append(piece(line, [], x: place.x + pad, top: top + pad, em: em, place.color))
    }
    guard first < pieces.count else { return }
    change(first) { $0.top = top }
    change(pieces.count - 1) { $0.bottom += pad }
    end(at: height)
    let rect = Rect(x: place.x, y: top, width: place.width, height: height - top)
    addGround(Background(rect: rect, color: sheet.panel, radius: pixels(0.25)))
    leave(0.75)
  }

  /// Returns code with its indentation as no-break spaces, which prevents line breaks within it.
  private func withFixedSpaces(_ code: String) -> String {
    code.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let indent = line.prefix { $0 == " " }
      return String(repeating: "\u{A0}", count: indent.count) + line.dropFirst(indent.count)
    }.joined(separator: "\n")
  }

  // MARK: Lists

  /// Adds a list, with bullets, numbers or check boxes beside the first lines of its items.
  mutating func add(_ list: List, _ place: Place) throws(TypesettingError) {
    leave(place.isTight ? 0.3 : 0.75)
    let gutter = try gutter(of: list)
    var inner = indented(place, by: gutter)
    inner.isTight = list.isTight
    for (number, item) in list.items.enumerated() {
      leave(list.isTight ? 0.3 : 0.75)
      let first = pieces.count
      try add(item.blocks, inner)
      if first == pieces.count { addEmptyLine() }
      let marker = try marker(of: item, list.start.map { $0 &+ number }, gutter: inner.x - place.x, at: first)
      change(first) { $0.items += marker.map { $0.moved(x: place.x, y: 0) } }
    }
    leave(place.isTight ? 0.3 : 0.75)
  }

  private mutating func addEmptyLine() {
    let top = begin()
    append(Piece(top: top, bottom: top + pixels(1.2), baseline: top + pixels(0.95)))
  }

  private mutating func gutter(of list: List) throws(TypesettingError) -> Int {
    guard let start = list.start else { return pixels(list.items.contains { $0.isDone != nil } ? 1.7 : 1.2) }
    let last = StyledText("\(start &+ list.items.count).", style: sheet.letters())
    return max(pixels(1.5), try flow(last, width: 16384).width + pixels(0.5))
  }

  /// Returns the marker beside an item's first line, relative to the left edge of the gutter.
  private mutating func marker(
    of item: List.Item, _ number: Int?, gutter: Int, at index: Int
  ) throws(TypesettingError) -> [DisplayItem] {
    let baseline = pieces[index].baseline ?? pieces[index].top + pixels(0.95)
    if let isDone = item.isDone { return try box(isDone, above: baseline) }
    if let number {
      let text = StyledText("\(number).", style: sheet.letters())
      guard let line = try flow(text, width: gutter - pixels(0.4), Setting(alignment: .end)).lines.first else {
        return []
      }
      return line.runs.map {
        .text(TextItem(run: $0.moved(x: 0, y: baseline - line.baseline), color: sheet.quiet))
      }
    }
    let side = max(3, pixels(0.3))
    let bullet = Rect(x: pixels(0.3), y: baseline - pixels(0.28) - side / 2, width: side, height: side)
    return [.fill(FillItem(rect: bullet, color: sheet.style.accent, cornerRadius: side / 2))]
  }

  /// Returns a task's check box, a frame with a check mark if the task is done. Without a font that has a check mark,
  /// the frame contains a square.
  private mutating func box(_ isDone: Bool, above baseline: Int) throws(TypesettingError) -> [DisplayItem] {
    let (side, edge) = (pixels(0.8), max(1, pixels(0.09)))
    let frame = Rect(x: pixels(0.2), y: baseline - pixels(0.74), width: side, height: side)
    let inner = frame.inset(by: edge)
    let fills = [
      FillItem(rect: frame, color: isDone ? sheet.style.accent : sheet.quiet, cornerRadius: pixels(0.12)),
      FillItem(rect: inner, color: sheet.background, cornerRadius: pixels(0.06)),
    ]
    var items = fills.filter { !$0.rect.isEmpty }.map { DisplayItem.fill($0) }
    guard isDone else { return items }
    let mark = try checkMark(in: inner.inset(by: edge))
    items += mark.isEmpty ? [.fill(FillItem(rect: inner.inset(by: edge), color: sheet.style.accent))] : mark
    return items
  }

  /// Returns a check mark whose ink fills a square; nothing if no font has one.
  private func checkMark(in square: Rect) throws(TypesettingError) -> [DisplayItem] {
    var style = sheet.letters(weight: 700)
    style.isItalic = false
    let text = StyledText("\u{2713}", style: style)
    func line(_ size: Int) throws(TypesettingError) -> (runs: [GlyphRun], ink: Rect)? {
      let flowed = try sheet.materials.typesetter.flow(text, by: FlowRules(width: 16384, size: max(64, size)))
      guard flowed.warnings.isEmpty, let line = flowed.lines.first else { return nil }
      return (line.runs, line.runs.reduce(Rect.empty) { $0.union($1.ink) })
    }
    let size = square.height * 64
    guard let large = try line(size), large.ink.size.area > 0 else { return [] }
    let ratio = min(
      Double(square.width) / Double(large.ink.width), Double(square.height) / Double(large.ink.height))
    guard let fitted = try line(Int(Double(size) * ratio)) else { return [] }
    let (x, y) = (
      square.x + (square.width - fitted.ink.width) / 2 - fitted.ink.x,
      square.y + (square.height - fitted.ink.height) / 2 - fitted.ink.y
    )
    return fitted.runs.map { .text(TextItem(run: $0.moved(x: x, y: y), color: sheet.style.accent)) }
  }
}
