import Geometry
import Scenes
import Typesetting

extension LayoutContext {
  /// Lays out the controller screen.
  ///
  /// The host and how to send it a message are at the left or at the top, and the list of displays fills the rest.
  /// Without displays and a message, this is the first screen.
  ///
  /// - Parameter controller: The content.
  /// - Throws: `TypesettingError`.
  mutating func layOut(_ controller: ControllerPanel) throws(TypesettingError) {
    guard !controller.displays.isEmpty || controller.message.orNothing != nil else {
      return try layOut(firstScreen: controller)
    }
    var rest = area
    let isStacked = LayoutRules.Controller.isStacked[breakpoint]
    let share = LayoutRules.Controller.side[breakpoint]
    let part =
      isStacked
      ? rest.removeTop(Int(Double(rest.height) * share), gap: 2 * gap)
      : rest.removeLeft(Int(Double(rest.width) * share), gap: 2 * gap)
    try drawSide(controller, in: part, isStacked: isStacked)
    if let message = controller.message.orNothing { try draw(message, at: &rest) }
    try draw(controller.displays, in: rest)
  }

  /// Sets an address on one line if it fits, or otherwise with line breaks between its parts.
  func fit(
    address: String, _ box: Size, _ size: TextSize, _ alignment: TextAlignment
  ) throws(TypesettingError) -> FittedText {
    let line = try fit(plain(address), box, size, alignment, mostLines: 1)
    if !line.isCut { return line }
    let host =
      address.firstIndex(of: ":").flatMap { address[$0...].hasPrefix("://") ? $0 : nil }
      .map { address.index($0, offsetBy: 3) } ?? address.startIndex
    let parts = address[..<host] + "\u{200B}" + address[host...]
    return try fit(plain(String(parts)), box, size, alignment, mostLines: 4)
  }

  /// Draws the message that is showing now, at the bottom.
  private mutating func draw(_ message: String, at rest: inout Rect) throws(TypesettingError) {
    let padding = pixels(LayoutRules.Board.padding[breakpoint])
    let box = Size(rest.width - 2 * padding, rest.height / 3)
    var stack = Stack()
    stack.add(try fit(plain("Now"), box, LayoutRules.Common.caption[breakpoint], mostLines: 1), style.accent)
    stack.add(try fit(bold(message), box, LayoutRules.Common.heading[breakpoint], mostLines: 3), gap: gap / 6)
    let panel = rest.removeBottom(stack.height + 2 * padding, gap: gap)
    fill(panel, self.panel, radius: pixels(LayoutRules.Board.radius))
    stack.draw(on: &self, x: panel.x + padding, y: panel.y + padding)
  }

  /// Draws a heading and a line for each display: a lamp, its name, its state and what it shows.
  ///
  /// Each line has a background panel if there is enough room.
  ///
  /// - Parameters:
  ///   - displays: The lines.
  ///   - area: The available area.
  /// - Throws: `TypesettingError`.
  private mutating func draw(_ displays: [ControllerPanel.Line], in area: Rect) throws(TypesettingError) {
    var rest = area
    let head = rest.removeTop(brandAside, gap: gap)
    let heading = try fit(bold("Displays"), head.size, LayoutRules.Common.caption[breakpoint], mostLines: 1)
    draw(heading, x: head.x, y: head.y + (head.height - heading.size.height) / 2, quiet)
    let most = LayoutRules.Controller.mostLines[breakpoint]
    let shown = displays.count > most ? most - 1 : displays.count
    let list = try list(displays.prefix(shown), in: rest)
    for (place, line) in list.lines.enumerated() {
      let height = line.height + 2 * list.padding
      guard height <= rest.height, line.height > 0 else {
        return try say("+\(displays.count - place) more", at: rest)
      }
      draw(line, of: displays[place], list, in: rest.removeTop(height, gap: list.gap))
    }
    if shown < displays.count { try say("+\(displays.count - shown) more", at: rest) }
  }

  /// The measured lines of the list of displays.
  private struct DisplayLines {
    struct Line {
      var name: FittedText
      var words: FittedText

      var height: Int { max(name.size.height, words.size.height) }
    }

    var lines: [Line] = []
    /// The padding around a line; 0 for lines without background panels.
    var padding: Int
    var gap: Int
    /// The width of the widest name.
    var column = 0

    var height: Int { lines.reduce(-gap) { $0 + $1.height + 2 * padding + gap } }
  }

  private func list(
    _ displays: ArraySlice<ControllerPanel.Line>, in area: Rect
  ) throws(TypesettingError) -> DisplayLines {
    let roomy = try list(displays, area.size, padding: pixels(LayoutRules.Controller.padding[breakpoint]), gap: gap / 2)
    return roomy.height <= area.height ? roomy : try list(displays, area.size, padding: 0, gap: gap * 2 / 3)
  }

  private func list(
    _ displays: ArraySlice<ControllerPanel.Line>, _ room: Size, padding: Int, gap: Int
  ) throws(TypesettingError) -> DisplayLines {
    let names = try names(of: displays, Size(room.width / 3, room.height))
    var list = DisplayLines(padding: padding, gap: gap, column: names.map(\.ink.right).max() ?? 0)
    let box = Size(room.width - 2 * padding - wordsEdge(list.column), room.height)
    for (display, name) in zip(displays, names) {
      let words = [display.state, display.detail.orNothing].compactMap(\.self).joined(separator: " · ")
      list.lines.append(
        .init(name: name, words: try fit(plain(words), box, LayoutRules.Common.body[breakpoint], mostLines: 2)))
    }
    return list
  }

  private var lamp: Int { pixels(22) }

  /// Returns the distance from the left edge of a line to its description.
  private func wordsEdge(_ column: Int) -> Int { lamp + gap / 2 + column + gap * 3 / 4 }

  /// Sets the names of the displays in one common size.
  private func names(
    of displays: ArraySlice<ControllerPanel.Line>, _ box: Size
  ) throws(TypesettingError) -> [FittedText] {
    var size = LayoutRules.Common.heading[breakpoint]
    for display in displays {
      let letters = try fit(bold(display.name), box, size, mostLines: 1).letterSize
      size = TextSize(units(letters), size.smallest)
    }
    return try displays.map { (display) throws(TypesettingError) in
      try fit(bold(display.name), box, size, mostLines: 1)
    }
  }

  private mutating func say(_ words: String, at rest: Rect) throws(TypesettingError) {
    warn("\(words) displays do not fit in the list")
    draw(
      try fit(plain(words), rest.size, LayoutRules.Common.caption[breakpoint], mostLines: 1), x: rest.x, y: rest.y,
      quiet)
  }

  private mutating func draw(
    _ line: DisplayLines.Line, of display: ControllerPanel.Line, _ list: DisplayLines, in row: Rect
  ) {
    if list.padding > 0 { fill(row, panel, radius: pixels(LayoutRules.Board.radius)) }
    let inner = row.inset(by: list.padding)
    func top(_ height: Int) -> Int { inner.y + (inner.height - height) / 2 }
    fill(Rect(x: inner.x, y: top(lamp), width: lamp, height: lamp), lampColor(display.state), radius: lamp / 2)
    draw(line.name, x: inner.x + lamp + gap / 2, y: top(line.name.size.height))
    draw(line.words, x: inner.x + wordsEdge(list.column), y: top(line.words.size.height), quiet)
  }

  private func lampColor(_ state: String) -> Color {
    switch state {
    case "lit": Color(red: 0x3D, green: 0xC9, blue: 0x7A)
    case "asleep": style.accent
    default: faint
    }
  }
}
