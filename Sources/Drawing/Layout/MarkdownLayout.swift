import Geometry
import Markdown
import Pictures
import Scenes
import Typesetting

extension LayoutContext {
  /// Lays out a text, or the page or part at a position if it does not fit.
  mutating func layOut(_ text: MarkdownText, at place: Place) throws(TypesettingError) {
    let area = area
    let flow = try flow(of: text, in: area)
    warn(as: flow.sheet)
    if flow.height <= area.height {
      draw(flow, 0..<flow.height, in: column(of: flow, in: area))
    } else {
      switch text.flow {
      case .pages: try drawPage(of: flow, at: place, in: area)
      case .scroll: drawWindow(of: flow, at: place, in: area)
      }
    }
  }

  // MARK: The column

  /// Returns the column of a text, from the cache if its images are unchanged.
  private func flow(of text: MarkdownText, in area: Rect) throws(TypesettingError) -> MarkdownFlow {
    let requested = text.size.flatMap { $0.isFinite ? $0 : nil }
    let key = MarkdownFlow.Key(
      text: text.text, folder: text.folder, flow: text.flow, size: requested, area: area.size, style: style,
      breakpoint: breakpoint, unitSide: unitSide)
    if let known = materials.flows[key], isUpToDate(known) { return known }
    let sizes = LayoutRules.Markdown.sizes
    var usual = LayoutRules.Markdown.size[breakpoint]
    // A narrow zone has smaller letters.
    while usual > sizes.lowerBound, !Self.hasRoom(Double(pixels64(usual)) / 64, in: area.width) { usual -= 1 }
    let document = Document(text.text)
    var flow = try self.flow(
      of: document, text, units: min(max(requested ?? usual, sizes.lowerBound), sizes.upperBound), in: area)
    // A short page is set in larger letters, as long as it stays on the page.
    if requested == nil, text.flow == .pages, flow.height <= area.height {
      // Words must not be broken for that. Letters are about 0.6 em wide on average.
      let longest = text.text.split { $0.isWhitespace }.map(\.count).max() ?? 0
      let codeScale = min(flow.codeScale, LayoutRules.Markdown.leastCodeScale)
      for factor in LayoutRules.Markdown.growth {
        let larger = try self.flow(of: document, text, units: usual * factor, in: area)
        let hasRoom = 0.6 * Double(longest) * larger.em <= Double(larger.width)
        guard larger.height <= area.height, hasRoom, Self.hasRoom(larger.em, in: larger.width),
          larger.codeScale >= codeScale
        else { break }
        flow = larger
      }
    }
    if text.flow == .scroll, flow.height > area.height { flow.join() }
    materials.flows[key] = flow
    return flow
  }

  /// Returns whether lines of a width in pixels have room for a list and its bullets.
  private static func hasRoom(_ em: Double, in width: Int) -> Bool {
    Double(width) >= LayoutRules.Markdown.narrowest * em
  }

  /// Lays out the column of a text with body letters of a size.
  private func flow(
    of document: Document, _ text: MarkdownText, units: Double, in area: Rect
  ) throws(TypesettingError) -> MarkdownFlow {
    let em = Double(pixels64(units)) / 64
    let count = text.flow == .pages ? LayoutRules.Markdown.columns[breakpoint] : 1
    let width = min(try measure(em), (area.width - (count - 1) * columnGap) / count)
    return try MarkdownFlow(
      document, folder: text.folder, em: max(1, em), width: max(0, width),
      highestPicture: Int(Double(area.height) * LayoutRules.Markdown.image), on: emptied)
  }

  private var columnGap: Int { 2 * gap }

  /// Returns whether the images of a column are unchanged.
  ///
  /// An image that could not be shown must fail for the same reason as before: a file that had not been read before may
  /// be missing now.
  ///
  /// - Parameter flow: The column.
  /// - Returns: False if the column must be laid out again.
  private func isUpToDate(_ flow: MarkdownFlow) -> Bool {
    flow.pictures.allSatisfy { path, id in
      do throws(ImageError) {
        return try materials.pictures.load(path) == id
      } catch {
        let version = lastVersion(of: path, instead: error)
        return id == version?.picture && flow.sheet.lostPictures.contains(version?.warning ?? "\(error)")
      }
    }
  }

  /// Returns the width of a line of about 70 characters, by the average width of an English sentence.
  private func measure(_ em: Double) throws(TypesettingError) -> Int {
    let sample = "the quick brown fox jumps over the lazy dog, and then it rests"
    let rules = FlowRules(width: 16384, size: Int(em * 64))
    let width = try materials.typesetter.flow(plain(sample), by: rules).width
    return Int(Double(width) / Double(sample.count) * LayoutRules.Markdown.measure)
  }

  /// Returns the bounds of a column, centered in an area.
  private func column(of flow: MarkdownFlow, in area: Rect) -> Rect {
    Rect(x: area.x + (area.width - flow.width) / 2, y: area.y, width: flow.width, height: area.height)
  }

  // MARK: Pages

  private mutating func drawPage(of flow: MarkdownFlow, at place: Place, in area: Rect) throws(TypesettingError) {
    var area = area
    let mark = area.removeBottom(
      Int(Double(pixels(LayoutRules.Common.caption[breakpoint].largest)) * 1.3), gap: gap / 2)
    let columns = flow.columns(height: area.height)
    let beside = LayoutRules.Markdown.columns[breakpoint]
    pages = (columns.count + beside - 1) / beside
    func number(at y: Int) -> Int { (columns.lastIndex { $0.lowerBound <= y } ?? 0) / beside }
    headings = flow.headings.map { .init(anchor: $0.anchor, share: Double(number(at: $0.top)) / Double(pages)) }
    let page: Int
    switch place {
    case .share(let share): page = Place.page(at: share, of: pages)
    case .heading(let name): page = flow.headings.first { $0.anchor == name }.map { number(at: $0.top) } ?? 0
    }
    let whole = Rect(
      x: area.x + (area.width - beside * flow.width - (beside - 1) * columnGap) / 2, y: area.y, width: flow.width,
      height: area.height)
    for number in 0..<beside where page * beside + number < columns.count {
      draw(flow, columns[page * beside + number], in: whole.moved(x: number * (flow.width + columnGap)))
    }
    let words = plain("\(page + 1)/\(pages)")
    let text = try fit(words, mark.size, LayoutRules.Common.caption[breakpoint], .end, mostLines: 1)
    draw(text, x: mark.x, y: mark.bottom - text.size.height, quiet)
  }

  // MARK: Scrolling

  private mutating func drawWindow(of flow: MarkdownFlow, at place: Place, in area: Rect) {
    let free = flow.height - area.height
    pages = (flow.height + area.height - 1) / max(1, area.height)
    headings = flow.headings.map { .init(anchor: $0.anchor, share: Double(min($0.top, free)) / Double(free)) }
    var top: Int
    switch place {
    case .share(let share): top = Int((share.within01 * Double(free)).rounded())
    case .heading(let name): top = min(free, flow.headings.first { $0.anchor == name }?.top ?? 0)
    }
    // If the last line is partly visible, show all of it: it may be a line that is still being written.
    if let last = flow.pieces.last, last.bottom - last.top <= area.height / 3, last.top < top + area.height {
      top = free
    }
    let column = column(of: flow, in: area)
    // Overhanging ink at the sides is still inside the safe area.
    let safe = Rect(x: safeArea.x, y: area.y, width: safeArea.width, height: area.height)
    let window = Rect(x: column.x + flow.ink.x, y: area.y, width: flow.ink.width, height: area.height)
      .intersection(safe)
    guard !window.isEmpty else { return }
    let strip = ScrollLayer(
      window: window, items: flow.items, edge: column.x - window.x, length: flow.height, direction: .up,
      ground: background,
      distance: top)
    self.strip = strip
    items += strip.items(from: top, in: window)
  }

  // MARK: Drawing

  /// Draws rows of a column, the first one at the top of a rectangle, clipped to these rows.
  private mutating func draw(_ flow: MarkdownFlow, _ rows: Range<Int>, in rect: Rect) {
    // Overhanging ink at the sides is still inside the safe area.
    let seen = Rect(x: safeArea.x, y: rect.y, width: safeArea.width, height: rows.count)
    let (x, y) = (rect.x, rect.y - rows.lowerBound)
    for ground in flow.grounds where ground.rect.y < rows.upperBound && ground.rect.bottom > rows.lowerBound {
      let part = ground.rect.rows(from: rows.lowerBound - 2 * ground.radius, to: rows.upperBound + 2 * ground.radius)
      fill(part.moved(x: x, y: y), ground.color, radius: ground.radius, clip: seen)
    }
    var index = flow.firstPiece(below: rows.lowerBound)
    while index < flow.pieces.count, flow.pieces[index].top < rows.upperBound {
      for item in flow.pieces[index].items {
        let clipped = item.moved(x: x, y: y).clipped(to: seen)
        if !clipped.ink.isEmpty { items.append(clipped) }
      }
      index += 1
    }
  }
}

extension MarkdownFlow {
  /// All inputs of a column's layout, except for the contents of its image files.
  struct Key: Hashable {
    var text: String
    var folder: String?
    var flow: MarkdownText.Flow
    /// The requested size of body letters, in units; nil for the usual one, which grows to fill a page.
    var size: Double?
    var area: Size
    var style: Style
    var breakpoint: Breakpoint
    var unitSide: Int
  }

  /// Splits the column into parts that are at most as tall as a page, and that end neither within a line nor after a
  /// heading.
  func columns(height: Int) -> [Range<Int>] {
    var columns: [Range<Int>] = []
    var first = 0
    while first < pieces.count {
      let top = pieces[first].top
      var end = first + 1
      while end < pieces.count, pieces[end].bottom - top <= height { end += 1 }
      var last = end
      if end < pieces.count { while last > first + 1, pieces[last - 1].staysWithNext { last -= 1 } }
      // A page that would contain only headings ends after one of them.
      if last == first + 1, pieces[first].staysWithNext { last = end }
      columns.append(top..<max(top, min(pieces[last - 1].bottom, top + height)))
      first = last
    }
    return columns.isEmpty ? [0..<0] : columns
  }

  /// Returns the index of the first piece that extends below a row; pieces are sorted from top to bottom.
  func firstPiece(below row: Int) -> Int {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].bottom > row { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Double {
  fileprivate var within01: Double { isFinite ? Swift.min(Swift.max(self, 0), 1) : 0 }
}

extension Rect {
  /// Returns the part of the rectangle between two rows.
  fileprivate func rows(from top: Int, to bottom: Int) -> Rect {
    let (top, bottom) = (Swift.max(y, top), Swift.min(self.bottom, bottom))
    return Rect(x: x, y: top, width: width, height: Swift.max(0, bottom - top))
  }
}
