import Geometry
import Markdown
import Pictures
import Scenes
import Typesetting

/// A document laid out as one long column of pieces from top to bottom, with its origin in the top left corner.
struct MarkdownFlow {
  /// A line or a similar element, which page breaks do not split.
  struct Piece {
    var top: Int
    var bottom: Int
    /// The text baseline; nil for a piece without text.
    var baseline: Int?
    var items: [DisplayItem] = []
    /// Whether the next piece must be on the same page.
    var staysWithNext = false
  }

  /// A background behind several pieces.
  struct Background {
    var rect: Rect
    var color: Color
    var radius = 0
  }

  /// The position, width and color of blocks.
  struct Place {
    var x = 0
    var width: Int
    var color: Color
    /// Whether blocks are separated by small gaps.
    var isTight = false
  }

  private(set) var pieces: [Piece] = []
  private(set) var grounds: [Background] = []
  private(set) var headings: [(anchor: String, top: Int)] = []
  /// The images that the text shows, by path, with nil for those that cannot be shown; a changed file requires a new
  /// layout.
  private(set) var pictures: [String: ImageID?] = [:]
  /// The factor by which the longest line of code is scaled down to fit.
  var codeScale = 1.0
  /// The words below old versions of images, by path.
  private var marks: [String: String] = [:]
  /// All items in drawing order, of which scroll windows show parts; empty until `join()` is called.
  private(set) var items: [DisplayItem] = []
  private(set) var ink = Rect.empty
  /// The layout context, which provides metrics and colors and collects warnings.
  private(set) var sheet: LayoutContext
  /// The size of body text in pixels.
  let em: Double
  let width: Int
  private let folder: String?
  private let highestPicture: Int
  private var y = 0
  private var pendingGap = 0

  /// The total height in pixels.
  var height: Int { pieces.last?.bottom ?? 0 }

  init(
    _ document: Document, folder: String?, em: Double, width: Int, highestPicture: Int, on sheet: LayoutContext
  ) throws(TypesettingError) {
    (self.em, self.width, self.folder, self.sheet) = (em, width, folder, sheet)
    self.highestPicture = highestPicture
    try add(document.blocks, Place(width: width, color: sheet.style.foreground))
    // Glyphs of fallback fonts may extend below their line. The end of the column shows them in full.
    if let last = pieces.last, let ink = last.items.map(\.ink.bottom).max(), ink > last.bottom {
      pieces[pieces.count - 1].bottom = ink
    }
    for warning in document.warnings { self.sheet.warn("\(warning)") }
  }

  func pixels(_ ems: Double) -> Int { Int((ems * em).rounded()) }

  mutating func add(_ blocks: [Block], _ place: Place) throws(TypesettingError) {
    for block in blocks {
      switch block {
      case .heading(let heading): try add(heading, place)
      case .paragraph(let content):
        leave(place.isTight ? 0.3 : 0.75)
        try add(content, place)
      case .quote(let blocks): try add(quote: blocks, place)
      case .list(let list): try add(list, place)
      case .code(let code, _): try add(code: code, place)
      case .rule: addRule(place)
      case .table(let table): try add(table, place)
      }
    }
  }

  /// Requests a gap before the next piece, in ems; the largest of several requests wins.
  mutating func leave(_ ems: Double) { pendingGap = max(pendingGap, pixels(ems)) }

  /// Returns the top of the next piece.
  mutating func begin() -> Int {
    if !pieces.isEmpty { y += pendingGap }
    pendingGap = 0
    return y
  }

  mutating func append(_ piece: Piece) {
    pieces.append(piece)
    y = max(y, piece.bottom)
  }

  // MARK: Text

  private mutating func add(_ heading: Heading, _ place: Place) throws(TypesettingError) {
    let factors = LayoutRules.Markdown.headings
    leave(heading.level == 1 ? 1.3 : 1.1)
    let first = pieces.count
    var look = Setting(factor: factors[min(max(heading.level, 1), factors.count) - 1])
    (look.weight, look.lineHeight, look.isBalanced) = (700, 1.05, false)
    var place = place
    if heading.level > factors.count { place.color = sheet.quiet }
    try add(heading.content, place, look)
    guard first < pieces.count else { return }
    headings.append((heading.anchor, pieces[first].top))
    for index in first..<pieces.count { pieces[index].staysWithNext = true }
    leave(0.45)
  }

  /// The differences of a text from body text.
  struct Setting {
    var factor = 1.0
    var weight: Int?
    var lineHeight = LayoutRules.Markdown.lineHeight
    var isBalanced = false
    var alignment: TextAlignment?
  }

  mutating func add(_ content: [Inline], _ place: Place, _ setting: Setting = Setting()) throws(TypesettingError) {
    let text = inlineText(content, weight: setting.weight)
    for part in text.parts {
      switch part {
      case .text(let words):
        let flowed = try flow(words, width: place.width, setting)
        let top = begin()
        for line in flowed.lines {
          append(piece(line, text.decorations, x: place.x, top: top, em: em * setting.factor, place.color))
        }
        y = max(y, top + flowed.height)
      case .image(let source, _): try add(picture: source, place)
      }
    }
  }

  mutating func inlineText(_ content: [Inline], weight: Int? = nil) -> InlineText {
    for source in content.pictures { find(source) }
    let known = pictures
    let folder = folder
    return InlineText(content, InlineText.Look(base: sheet.letters(weight: weight), accent: sheet.style.accent)) {
      known[path($0, in: folder)].flatMap(\.self) != nil
    }
  }

  mutating func flow(
    _ text: StyledText, width: Int, _ setting: Setting = Setting()
  ) throws(TypesettingError) -> FlowedText {
    var rules = FlowRules(width: width, size: Int(em * setting.factor * 64))
    rules.lineHeight = setting.lineHeight * sheet.style.lineHeight
    rules.alignment = setting.alignment ?? sheet.reading
    rules.isBalanced = setting.isBalanced
    let flowed = try sheet.materials.typesetter.flow(text, by: rules)
    for warning in flowed.warnings { sheet.warn(warning) }
    return flowed
  }

  /// Returns the piece of a line, with the decorations behind and across its text.
  func piece(
    _ line: FlowedText.Line, _ decorations: [InlineText.Decoration], x: Int, top: Int, em: Double, _ color: Color
  ) -> Piece {
    var piece = Piece(top: top + line.top, bottom: top + line.bottom, baseline: top + line.baseline)
    var across: [DisplayItem] = []
    for (mark, ink) in line.marked {
      guard decorations.indices.contains(Int(mark) - 1) else { continue }
      let base = line.baseline
      switch decorations[Int(mark) - 1] {
      case .code:
        let pad = Int(em * 0.14)
        let box = Rect(
          x: ink.x - pad, y: base - Int(em * 0.82), width: ink.width + 2 * pad, height: Int(em * 1.08))
        piece.items.append(
          .fill(FillItem(rect: box.moved(x: x, y: top), color: sheet.panel, cornerRadius: Int(em * 0.12))))
      case .strike:
        let box = Rect(x: ink.x, y: base - Int(em * 0.3), width: ink.width, height: max(1, Int(em * 0.07)))
        across.append(.fill(FillItem(rect: box.moved(x: x, y: top), color: color)))
      }
    }
    piece.items += line.runs.map { .text(TextItem(run: $0.moved(x: x, y: top), color: $0.color ?? color)) }
    piece.items += across
    return piece
  }

  // MARK: Images and rules

  /// Looks up an image once.
  private mutating func find(_ source: String) {
    let path = path(source, in: folder)
    guard pictures[path] == nil else { return }
    let (flow, box) = (self, pictureBox(width))
    let placed = sheet.picture(path, in: box) { Rect(flow.pictureSize($0, in: box)) }
    pictures[path] = .some(placed?.item.picture)
    marks[path] = placed?.mark
  }

  private func pictureBox(_ width: Int) -> Rect { Rect(Size(width, highestPicture)) }

  private mutating func add(picture source: String, _ place: Place) throws(TypesettingError) {
    let path = path(source, in: folder)
    guard let id = pictures[path].flatMap(\.self), let size = sheet.materials.pictures.size(of: id)
    else { return }
    let frame = pictureSize(size, in: pictureBox(place.width))
    // In a list, there is less room than assumed by the first lookup.
    guard (try? sheet.shown(ImageItem(picture: id, frame: Rect(frame)))) != nil else { return }
    leave(0.5)
    let top = begin()
    let item = ImageItem(picture: id, frame: Rect(x: place.x, y: top, width: frame.width, height: frame.height))
    append(Piece(top: top, bottom: top + frame.height, items: [.picture(item)]))
    if let mark = marks[path] {
      let (words, below) = (try flow(sheet.plain(mark), width: place.width, Setting(factor: 0.8)), begin())
      for line in words.lines { append(piece(line, [], x: place.x, top: below, em: em, sheet.quiet)) }
      y = max(y, below + words.height)
    }
    leave(0.5)
  }

  /// Returns the size of an image: one unit per pixel, reduced to fit the box.
  private func pictureSize(_ size: Size, in box: Rect) -> Size {
    let natural = Size(max(1, sheet.pixels(Double(size.width))), max(1, sheet.pixels(Double(size.height))))
    let frame = natural.frame(in: box, .fit).size
    return frame.width > natural.width ? natural : frame
  }

  private mutating func addRule(_ place: Place) {
    leave(0.9)
    let (top, height) = (begin(), sheet.line(3))
    let rect = Rect(x: place.x, y: top, width: place.width, height: height)
    append(Piece(top: top, bottom: top + height, items: [.fill(FillItem(rect: rect, color: sheet.faint))]))
    leave(0.9)
  }

  /// Collects all items, once for all scroll positions.
  mutating func join() {
    let fills = grounds.map { ground in
      DisplayItem.fill(
        FillItem(
          rect: ground.rect, color: ground.color,
          cornerRadius: min(ground.radius, max(0, ground.rect.size.shortSide / 2))))
    }
    items = (fills + pieces.flatMap(\.items)).filter { !$0.ink.isEmpty }
    ink = items.reduce(.empty) { $0.union($1.ink) }
  }

  // MARK: Piece access

  mutating func change(_ index: Int, _ body: (inout Piece) -> Void) { body(&pieces[index]) }

  mutating func addGround(_ ground: Background) { grounds.append(ground) }

  /// Continues below a position that no piece reaches.
  mutating func end(at bottom: Int) { y = max(y, bottom) }
}

/// Returns the path of an image's file; relative names are resolved against a folder.
private func path(_ source: String, in folder: String?) -> String {
  if source.hasPrefix("/") { return source }
  if source.hasPrefix("file:///") { return String(source.dropFirst("file://".count)) }
  let isAddress = source.firstIndex(of: ":").map { source[$0...].hasPrefix("://") } ?? false
  guard let folder, !isAddress else { return source }
  return folder.hasSuffix("/") ? folder + source : folder + "/" + source
}

extension [Inline] {
  /// The sources of the images, including those inside of links and emphasis.
  fileprivate var pictures: [String] {
    flatMap { inline -> [String] in
      switch inline {
      case .image(let source, _, _): [source]
      case .emphasis(let content), .strong(let content), .strikethrough(let content), .link(let content, _, _):
        content.pictures
      case .text, .code, .softBreak, .hardBreak: []
      }
    }
  }
}

extension FlowedText.Line {
  /// The ink bounds of adjacent runs with the same mark.
  fileprivate var marked: [(mark: Int32, ink: Rect)] {
    var marked: [(mark: Int32, ink: Rect)] = []
    for run in runs where run.mark > 0 {
      if let last = marked.last, last.mark == run.mark {
        marked[marked.count - 1].ink = last.ink.union(run.ink)
      } else {
        marked.append((run.mark, run.ink))
      }
    }
    return marked
  }
}

extension LayoutContext {
  /// The alignment of body text: only short, large text is centered.
  var reading: TextAlignment { style.alignment == .center ? .start : TextAlignment(style.alignment) }
}
