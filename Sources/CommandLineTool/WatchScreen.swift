import Control
import Geometry
import Pictures

/// What `placard watch` draws in a terminal: a picture, and a line below it. Knows no terminal and no service.
struct WatchScreen: Sendable {
  /// What is drawn at the bottom, and what is as long as nothing is wrong.
  private var note: String
  private var usual: String
  private let names: (display: String, monitor: String?)
  private var size: TerminalSize
  private let wish: PictureWay?
  private let depth: ColourDepth
  private var answers = TerminalAnswers()
  /// The shape of what the display shows.
  private var shape: Size
  /// The picture that is drawn, and its entity tag.
  private var drawn: (picture: Picture, png: [UInt8])?
  private var tag: String?
  /// The rows of cells that are drawn.
  private var rows: [[UInt8]] = []
  private var kittyID = 1

  /// A screen for a display, on a terminal of this size.
  init(_ report: DisplayReport, _ size: TerminalSize, way: PictureWay?, depth: ColourDepth) {
    (self.size, self.depth, wish) = (size, depth, way)
    names = (report.name, report.monitor)
    usual = Self.usual(names, report.mode)
    note = usual
    shape = report.width > 0 && report.height > 0 ? Size(report.width, report.height) : Size(16, 9)
  }

  /// Whether it is known how to draw.
  var isReady: Bool { wish != nil || answers.isComplete }

  private var way: PictureWay { wish ?? .best(answers, depth) }

  /// The cells for the picture; the last row is the note's.
  private var cells: Size { Size(max(1, size.columns), max(1, size.rows - 1)) }

  /// The pixels of a cell: what the terminal says, or what most have.
  private var cell: Size {
    if way == .blocks || way == .ascii { return Size(1, 2) }
    if let cell = answers.cell { return Size(cell.width, cell.height) }
    let (width, height) = (size.width / max(1, size.columns), size.height / max(1, size.rows))
    return width > 0 && height > 0 ? Size(width, height) : Size(10, 20)
  }

  private var box: Size { Size(cells.width * cell.width, cells.height * cell.height) }

  /// What to ask the service for: just as many pixels as are seen.
  var request: PreviewRequest {
    let width = PictureFit.size(shape, in: box).width
    let range = PreviewRequest.widths
    return PreviewRequest(width: min(max(width, range.lowerBound), range.upperBound), format: .png, known: tag)
  }

  // MARK: The terminal

  /// Takes the terminal's other screen (xterm's 1049), hides the cursor and asks what it can.
  func begin(asking questions: [UInt8]) -> [UInt8] { Array("\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J".utf8) + questions }

  /// Gives the screen back as it was.
  func end() -> [UInt8] {
    (way == .kitty ? KittyEncoder.remove(id: 1) + KittyEncoder.remove(id: 2) : [])
      + Array("\u{1b}[0m\u{1b}[2J\u{1b}[?25h\u{1b}[?1049l".utf8)
  }

  /// Takes what comes from the terminal; what is left are keys.
  mutating func take(_ bytes: [UInt8]) -> [UInt8] { answers.take(bytes) }

  /// The terminal has had time to say what it can.
  mutating func stopAsking() { answers.giveUp() }

  /// The terminal has another size: everything is drawn anew, with as many pixels as are seen now.
  mutating func resize(_ size: TerminalSize) -> [UInt8] {
    (self.size, tag, rows) = (size, nil, [])
    let clear = Array("\u{1b}[2J".utf8)
    return clear + (drawn.map { draw($0.picture, png: $0.png) } ?? []) + noteLine
  }

  // MARK: The display

  /// A line at the bottom; the one that is there already is not drawn again.
  mutating func say(_ text: String) -> [UInt8] {
    guard text != note else { return [] }
    note = text
    return noteLine
  }

  private static func usual(_ names: (display: String, monitor: String?), _ mode: String?) -> String {
    [names.display, mode, names.monitor, "q ends"].compactMap(\.self).joined(separator: "  ")
  }

  /// The display has another mode.
  mutating func remember(mode: String?) { usual = Self.usual(names, mode) }

  /// Nothing is wrong any more.
  mutating func sayUsual() -> [UInt8] { say(usual) }

  /// Draws another picture; nothing where it is the one that is there.
  mutating func show(_ preview: Preview) throws(Failure) -> [UInt8] {
    guard let bytes = preview.bytes, preview.tag != tag else { return [] }
    let picture = try picture(bytes)
    tag = preview.tag
    // A display that was turned or has another mode leaves something of the last picture.
    let isOther = drawn.map { $0.picture.size != picture.size } ?? true
    if isOther { rows = [] }
    (drawn, shape) = ((picture, bytes), picture.size)
    let clear = isOther ? Array("\u{1b}[2J".utf8) + noteLine : []
    // Terminals that know synchronised output (2026) show it at once, as a whole.
    return Array("\u{1b}[?2026h".utf8) + clear + draw(picture, png: bytes) + Array("\u{1b}[?2026l".utf8)
  }

  /// Nothing is on the glass: the picture goes.
  mutating func blank() -> [UInt8] {
    guard drawn != nil else { return [] }
    (drawn, tag, rows) = (nil, nil, [])
    return (way == .kitty ? KittyEncoder.remove(id: 3 - kittyID) : []) + Array("\u{1b}[2J".utf8) + noteLine
  }

  /// The picture in a PNG file that the service sent.
  func picture(_ png: [UInt8]) throws(Failure) -> Picture {
    do {
      return try Picture(pngBytes: png)
    } catch {
      throw Failure(.refused, "The service's preview cannot be read: \(error).")
    }
  }

  /// A picture as it is printed, from the cursor's place on.
  func lines(of picture: Picture) throws(Failure) -> [UInt8] {
    let fitted = PictureFit.size(picture.size, in: box, enlarges: way != .sixel)
    switch way {
    case .kitty:
      let place = Size((fitted.width + cell.width - 1) / cell.width, (fitted.height + cell.height - 1) / cell.height)
      let png = (try? picture.png()) ?? []
      return KittyEncoder.show(png: png, id: 1, columns: place.width, rows: place.height)
        + [UInt8](repeating: 10, count: place.height)
    case .sixel: return SixelEncoder.encode(picture.scaled(to: fitted)) + [10]
    case .blocks, .ascii:
      let rows = HalfBlocks.rows(picture.scaled(to: fitted), way == .ascii ? .none : depth)
      return Array(rows.map { $0 + [10] }.joined())
    }
  }

  // MARK: Drawing

  private var noteLine: [UInt8] {
    let text = TextWidth.prefix(Table.printable(note), size.columns)
    return Array("\u{1b}[\(size.rows);1H\u{1b}[0;2m\(text)\u{1b}[0m\u{1b}[K".utf8)
  }

  private mutating func draw(_ picture: Picture, png: [UInt8]) -> [UInt8] {
    switch way {
    case .kitty: return drawKitty(picture, png)
    case .sixel:
      let size = PictureFit.size(picture.size, in: box, enlarges: false)
      return Array("\u{1b}[H".utf8) + SixelEncoder.encode(picture.scaled(to: size))
    case .blocks, .ascii: return drawRows(picture)
    }
  }

  /// The new picture first, and then the old one goes: nothing flickers.
  private mutating func drawKitty(_ picture: Picture, _ png: [UInt8]) -> [UInt8] {
    let fitted = PictureFit.size(picture.size, in: box)
    let (columns, rows) = (
      max(1, fitted.width / max(1, cell.width)), max(1, fitted.height / max(1, cell.height))
    )
    let new = KittyEncoder.show(png: png, id: kittyID, columns: columns, rows: rows)
    kittyID = 3 - kittyID
    return Array("\u{1b}[H".utf8) + new + KittyEncoder.remove(id: kittyID)
  }

  /// Only rows that are others than before.
  private mutating func drawRows(_ picture: Picture) -> [UInt8] {
    let size = PictureFit.size(picture.size, in: box)
    let new = HalfBlocks.rows(picture.scaled(to: size), way == .ascii ? .none : depth)
    var bytes: [UInt8] = []
    for (place, row) in new.enumerated() where !rows.indices.contains(place) || rows[place] != row {
      bytes += "\u{1b}[\(place + 1);1H".utf8 + row
    }
    rows = new
    return bytes
  }
}
