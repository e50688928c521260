import Geometry
import QRCodes
import Scenes
import Typesetting

/// The measured texts of the first screen, or of the side of the controller screen.
private struct Introduction {
  /// The host's name; nil if the panel has none.
  var host: FittedText?
  var lead: FittedText
  /// The page's address, or the command in its box.
  var way: FittedText
  /// The padding of the command's box; 0 for an address, which has no box.
  var padding: Int
  var gap: Int
  var isCentered: Bool

  /// The total height above the address or the command.
  private var head: Int { (host.map { $0.size.height + gap } ?? 0) + lead.size.height + gap / 2 }

  var height: Int { head + way.size.height + 2 * padding }
}

/// The sizes of the introduction's texts.
private struct IntroductionSizes {
  var host: TextSize
  var lead: TextSize
}

extension LayoutContext {
  private static let command = "placard show \"Hello\""

  /// Lays out the first screen: the product, the host, and how to send a message.
  ///
  /// A message is sent through the web page, whose address is shown with its QR code, or otherwise with the command.
  ///
  /// - Parameter panel: The content.
  /// - Throws: `TypesettingError`.
  mutating func layOut(firstScreen panel: ControllerPanel) throws(TypesettingError) {
    var rest = area
    rest = rest.middle(Size(min(rest.width, Int(Double(rest.height) * LayoutRules.Start.widest)), rest.height))
    let isStacked = LayoutRules.Start.isStacked[breakpoint]
    let alignment = isStacked ? TextAlignment.center : .start
    try drawBrand(in: rest.removeTop(pixels(LayoutRules.Start.mark[breakpoint]), gap: gap), alignment)
    let note = try fit(
      plain(note(panel)), Size(rest.width, rest.height / 4), LayoutRules.Start.note[breakpoint], alignment, mostLines: 3
    )
    let foot = rest.removeBottom(note.size.height, gap: gap)
    draw(note, x: foot.x, y: foot.y, quiet)
    var sizes = IntroductionSizes(
      host: LayoutRules.Start.hostAlone[breakpoint], lead: LayoutRules.Start.lead[breakpoint])
    guard let address = panel.address.orNothing else {
      let texts = try introduction(panel, "To show a message, run", rest.size, sizes, alignment)
      return draw(texts, x: rest.x, y: rest.y + (rest.height - texts.height) / 2)
    }
    sizes.host = LayoutRules.Start.host[breakpoint]
    let extent = Double(isStacked ? rest.height : rest.width) * LayoutRules.Start.code[breakpoint]
    let code = self.code(of: address)
    let side = self.side(of: code, in: min(Int(extent), rest.size.shortSide))
    let room =
      isStacked ? Size(rest.width, rest.height - side - 2 * gap) : Size(rest.width - side - 2 * gap, rest.height)
    let texts = try introduction(panel, "To show a message, scan the code or open", room, sizes, alignment)
    if isStacked {
      let y = rest.y + (rest.height - texts.height - 2 * gap - side) / 2
      draw(texts, x: rest.x, y: y)
      draw(
        code, in: Rect(x: rest.x + (rest.width - side) / 2, y: y + texts.height + 2 * gap, width: side, height: side))
    } else {
      draw(texts, x: rest.x, y: rest.y + (rest.height - texts.height) / 2)
      draw(code, in: Rect(x: rest.right - side, y: rest.y + (rest.height - side) / 2, width: side, height: side))
    }
  }

  /// Draws the content of the first screen beside the list of displays on the controller screen.
  mutating func drawSide(_ panel: ControllerPanel, in part: Rect, isStacked: Bool) throws(TypesettingError) {
    var rest = part
    let share = LayoutRules.Start.codeAside[breakpoint]
    let code: QRCode? = if let address = panel.address.orNothing { self.code(of: address) } else { nil }
    let side = self.side(of: code, in: min(Int(Double(part.height) * share), isStacked ? part.width / 2 : part.width))
    if code != nil, isStacked { draw(code, in: rest.removeLeft(side, gap: gap).top(side)) }
    try drawBrand(in: rest.removeTop(brandAside, gap: gap), .start)
    if code != nil, !isStacked { draw(code, in: rest.removeBottom(side, gap: gap).left(side)) }
    let sizes = IntroductionSizes(
      host: LayoutRules.Start.hostAside[breakpoint], lead: LayoutRules.Start.leadAside[breakpoint])
    let lead = panel.address.orNothing == nil ? "To show a message, run" : "Scan the code or open"
    let texts = try introduction(panel, lead, rest.size, sizes, .start)
    draw(texts, x: rest.x, y: rest.y)
    guard panel.address.orNothing == nil else { return }
    // The note is left out if it does not fit.
    let box = Size(rest.width, rest.height - texts.height - gap)
    let note = try fit(plain(note(panel)), box, LayoutRules.Start.noteAside[breakpoint], mostLines: 6)
    if !note.isCut { draw(note, x: rest.x, y: rest.bottom - note.size.height, quiet) }
  }

  /// The height of the product's logo on the controller screen, and of the heading beside it.
  var brandAside: Int { pixels(LayoutRules.Start.mark[breakpoint] * 0.75) }

  /// Returns the side of a QR code's background that fits into a square, with modules of whole pixels.
  private func side(of code: QRCode?, in most: Int) -> Int {
    guard let code, most > 0 else { return max(0, most) }
    let modules = code.side + 2 * QRCode.margin
    return most / modules * modules
  }

  /// Draws the product's logo and name.
  private mutating func drawBrand(in row: Rect, _ alignment: TextAlignment) throws(TypesettingError) {
    let side = row.height
    let box = Size(row.width - side * 4 / 3, row.height)
    let name = try fit(bold("Placard"), box, TextSize(units(side * 64) * 0.66, LayoutRules.smallestText), mostLines: 1)
    let x = alignment == .center ? row.x + (row.width - side * 4 / 3 - name.ink.right) / 2 : row.x
    // The logo is a display on a stand with two lines of text, on a grid of 32 by 32.
    let tile = Rect(x: x, y: row.y, width: side, height: side)
    fill(tile, style.accent, radius: side / 4)
    func part(_ left: Double, _ top: Double, _ width: Double, _ height: Double) -> Rect {
      let grid = Double(side) / 32
      return Rect(
        x: tile.x + Int((left * grid).rounded()), y: tile.y + Int((top * grid).rounded()),
        width: max(1, Int((width * grid).rounded())), height: max(1, Int((height * grid).rounded()))
      ).intersection(tile)
    }
    fill(part(5, 7, 22, 15), background, radius: side / 12)
    for line in [part(9, 11, 14, 2.5), part(9, 15.5, 9, 2.5)] { fill(line, style.accent) }
    fill(part(11, 24, 10, 2.5), background)
    draw(name, x: x + side * 4 / 3, y: row.y + (side - name.size.height) / 2)
  }

  private func introduction(
    _ panel: ControllerPanel, _ lead: String, _ room: Size, _ sizes: IntroductionSizes, _ alignment: TextAlignment
  ) throws(TypesettingError) -> Introduction {
    let lead = try fit(plain(lead), Size(room.width, room.height / 3), sizes.lead, alignment, mostLines: 2)
    let way: FittedText
    let address = panel.address.orNothing
    let padding = address == nil ? pixels(LayoutRules.Start.padding[breakpoint]) : 0
    let box = Size(room.width - 2 * padding, room.height / 3)
    if let address {
      // The trailing slash is not needed when typing the address.
      let typed = address.hasSuffix("/") ? String(address.dropLast()) : address
      way = try fit(address: typed, box, LayoutRules.Start.address[breakpoint], alignment)
    } else {
      let words = StyledText(Self.command, style: letters().monospaced)
      let line = try fit(words, box, LayoutRules.Start.command[breakpoint], alignment, mostLines: 1)
      way = line.isCut ? try fit(words, box, LayoutRules.Start.command[breakpoint], alignment, mostLines: 2) : line
    }
    let left = room.height - lead.size.height - way.size.height - 2 * padding - 3 * gap / 2
    let host = try panel.host.orNothing.map { (name) throws(TypesettingError) in
      try fit(bold(name), Size(room.width, left), sizes.host, alignment, mostLines: 2)
    }
    return Introduction(host: host, lead: lead, way: way, padding: padding, gap: gap, isCentered: alignment == .center)
  }

  private mutating func draw(_ texts: Introduction, x: Int, y: Int) {
    var y = y
    if let host = texts.host {
      draw(host, x: x, y: y)
      y += host.size.height + gap
    }
    draw(texts.lead, x: x, y: y, quiet)
    y += texts.lead.size.height + gap / 2
    guard texts.padding > 0 else { return draw(texts.way, x: x, y: y, style.accent) }
    let (ink, padding) = (texts.way.ink, texts.padding)
    let left = texts.isCentered ? ink.x : 0
    let box = Rect(
      x: x + left, y: y, width: ink.right - left + 2 * padding, height: texts.way.size.height + 2 * padding)
    fill(box, self.panel, radius: pixels(LayoutRules.Board.radius))
    draw(texts.way, x: x + padding, y: y + padding)
  }

  /// Returns the alternative way to send messages, or how to make the web page reachable.
  private func note(_ panel: ControllerPanel) -> String {
    panel.address.orNothing == nil
      ? "To open the web page on a phone, set listen and token_file in placard.toml."
      : "Or run \(Self.command) on this machine."
  }
}

extension Rect {
  /// Returns a square at the top left corner.
  fileprivate func top(_ side: Int) -> Rect { Rect(x: x, y: y, width: side, height: side) }

  /// Returns a square at the bottom left corner.
  fileprivate func left(_ side: Int) -> Rect { Rect(x: x, y: bottom - side, width: side, height: side) }
}
