import Control
import Geometry
import Pictures

/// The screen of `placard watch`: an image with a status line below it.
///
/// It performs no I/O.
struct WatchScreen: Sendable {
  /// The current status line, and in `usual` the one for normal operation.
  private var note: String
  private var usual: String
  private let names: (display: String, monitor: String?)
  private var size: TerminalSize
  private let chosen: DrawingMethod?
  private let depth: ColorDepth
  private var answers = TerminalAnswers()
  /// The size that determines the aspect ratio of the display's frames.
  private var shape: Size
  /// The image that is drawn; `tag` is its entity tag.
  private var drawn: (picture: RGBImage, png: [UInt8])?
  private var tag: String?
  /// The rows of cells that are drawn.
  private var rows: [[UInt8]] = []
  private var kittyID = 1

  /// Creates a screen for a display, on a terminal of this size.
  init(_ report: DisplayReport, _ size: TerminalSize, way: DrawingMethod?, depth: ColorDepth) {
    (self.size, self.depth, chosen) = (size, depth, way)
    names = (report.name, report.monitor)
    usual = Self.usual(names, report.mode)
    note = usual
    shape = report.width > 0 && report.height > 0 ? Size(report.width, report.height) : Size(16, 9)
  }

  /// Whether the method of drawing is known.
  var isReady: Bool { chosen != nil || answers.isComplete }

  private var way: DrawingMethod { chosen ?? .best(answers, depth) }

  /// The size of the image's area in cells; the last row is for the status line.
  private var cells: Size { Size(max(1, size.columns), max(1, size.rows - 1)) }

  /// The size of a cell in pixels: as reported by the terminal, or 10x20; 1x2 for half blocks and characters.
  private var cell: Size {
    if way == .blocks || way == .ascii { return Size(1, 2) }
    if let cell = answers.cell { return Size(cell.width, cell.height) }
    let (width, height) = (size.width / max(1, size.columns), size.height / max(1, size.rows))
    return width > 0 && height > 0 ? Size(width, height) : Size(10, 20)
  }

  private var box: Size { Size(cells.width * cell.width, cells.height * cell.height) }

  /// The request for a preview, with as many pixels as are visible.
  var request: PreviewRequest {
    let width = ImageFit.size(shape, in: box).width
    let range = PreviewRequest.widths
    return PreviewRequest(width: min(max(width, range.lowerBound), range.upperBound), format: .png, known: tag)
  }

  // MARK: Terminal

  /// Returns the sequences that select the alternate screen (xterm's 1049), hide the cursor and query the terminal.
  func begin(asking questions: [UInt8]) -> [UInt8] { Array("\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J".utf8) + questions }

  /// Returns the sequences that restore the previous screen.
  func end() -> [UInt8] {
    (way == .kitty ? KittyEncoder.remove(id: 1) + KittyEncoder.remove(id: 2) : [])
      + Array("\u{1b}[0m\u{1b}[2J\u{1b}[?25h\u{1b}[?1049l".utf8)
  }

  /// Processes the terminal's input and returns the keys in it.
  mutating func receive(_ bytes: [UInt8]) -> [UInt8] { answers.receive(bytes) }

  /// Stops waiting for the terminal's answers.
  mutating func stopAsking() { answers.giveUp() }

  /// Sets the terminal's size and redraws everything; the next preview has the new number of pixels.
  mutating func resize(_ size: TerminalSize) -> [UInt8] {
    (self.size, tag, rows) = (size, nil, [])
    let clear = Array("\u{1b}[2J".utf8)
    return clear + (drawn.map { draw($0.picture, png: $0.png) } ?? []) + noteLine
  }

  // MARK: Display

  /// Sets the status line and returns the sequences that draw it; none if it is unchanged.
  mutating func say(_ text: String) -> [UInt8] {
    guard text != note else { return [] }
    note = text
    return noteLine
  }

  private static func usual(_ names: (display: String, monitor: String?), _ mode: String?) -> String {
    [names.display, mode, names.monitor, "q ends"].compactMap(\.self).joined(separator: "  ")
  }

  /// Sets the display's mode for the usual status line.
  mutating func remember(mode: String?) { usual = Self.usual(names, mode) }

  /// Sets the usual status line.
  mutating func showUsualStatus() -> [UInt8] { say(usual) }

  /// Returns the sequences that draw a new image; none if it is already drawn.
  mutating func show(_ preview: Preview) throws(Failure) -> [UInt8] {
    guard let bytes = preview.bytes, preview.tag != tag else { return [] }
    let picture = try picture(bytes)
    tag = preview.tag
    // After a mode change or a rotation, parts of the last image would remain.
    let isOther = drawn.map { $0.picture.size != picture.size } ?? true
    if isOther { rows = [] }
    (drawn, shape) = ((picture, bytes), picture.size)
    let clear = isOther ? Array("\u{1b}[2J".utf8) + noteLine : []
    // Terminals with synchronized output (2026) present it at once, as a whole.
    return Array("\u{1b}[?2026h".utf8) + clear + draw(picture, png: bytes) + Array("\u{1b}[?2026l".utf8)
  }

  /// Returns the sequences that remove the image, for a display that shows nothing.
  mutating func blank() -> [UInt8] {
    guard drawn != nil else { return [] }
    (drawn, tag, rows) = (nil, nil, [])
    return (way == .kitty ? KittyEncoder.remove(id: 3 - kittyID) : []) + Array("\u{1b}[2J".utf8) + noteLine
  }

  /// Decodes the PNG file of a preview.
  func picture(_ png: [UInt8]) throws(Failure) -> RGBImage {
    do {
      return try RGBImage(pngBytes: png)
    } catch {
      throw Failure(.refused, "The service's preview cannot be read: \(error).")
    }
  }

  /// Returns the sequences that print an image at the cursor.
  func lines(of picture: RGBImage) throws(Failure) -> [UInt8] {
    let fitted = ImageFit.size(picture.size, in: box, enlarges: way != .sixel)
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

  private mutating func draw(_ picture: RGBImage, png: [UInt8]) -> [UInt8] {
    switch way {
    case .kitty: return drawKitty(picture, png)
    case .sixel:
      let size = ImageFit.size(picture.size, in: box, enlarges: false)
      return Array("\u{1b}[H".utf8) + SixelEncoder.encode(picture.scaled(to: size))
    case .blocks, .ascii: return drawRows(picture)
    }
  }

  /// Draws the new image before it removes the old one, so that nothing flickers.
  private mutating func drawKitty(_ picture: RGBImage, _ png: [UInt8]) -> [UInt8] {
    let fitted = ImageFit.size(picture.size, in: box)
    let (columns, rows) = (
      max(1, fitted.width / max(1, cell.width)), max(1, fitted.height / max(1, cell.height))
    )
    let new = KittyEncoder.show(png: png, id: kittyID, columns: columns, rows: rows)
    kittyID = 3 - kittyID
    return Array("\u{1b}[H".utf8) + new + KittyEncoder.remove(id: kittyID)
  }

  /// Draws only the rows that have changed.
  private mutating func drawRows(_ picture: RGBImage) -> [UInt8] {
    let size = ImageFit.size(picture.size, in: box)
    let new = HalfBlocks.rows(picture.scaled(to: size), way == .ascii ? .none : depth)
    var bytes: [UInt8] = []
    for (place, row) in new.enumerated() where !rows.indices.contains(place) || rows[place] != row {
      bytes += "\u{1b}[\(place + 1);1H".utf8 + row
    }
    rows = new
    return bytes
  }
}
