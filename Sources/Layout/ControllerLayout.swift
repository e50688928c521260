import Geometry
import Scenes
import Typesetting

extension Sheet {
  /// How to reach the machine, at the left or the top, and what it shows where.
  mutating func layOut(_ controller: ControllerPanel) throws(TypesettingError) {
    var rest = area
    let isStacked = LayoutRules.Controller.isStacked[breakpoint]
    if let address = controller.address.orNothing {
      let share = LayoutRules.Controller.side[breakpoint]
      let part =
        isStacked
        ? rest.takeTop(Int(Double(rest.height) * share), gap: 2 * gap)
        : rest.takeLeft(Int(Double(rest.width) * share), gap: 2 * gap)
      try draw(address, in: part, isStacked: isStacked)
    }
    if let message = controller.message.orNothing { try draw(message, at: &rest) }
    try draw(controller.displays, in: rest)
  }

  /// The code of the address with the address in letters.
  private mutating func draw(_ address: String, in part: Rect, isStacked: Bool) throws(TypesettingError) {
    if isStacked {
      let side = min(part.width, part.height)
      var box = part
      let square = box.takeLeft(side, gap: gap)
      let text = try fit(plain(address), box.size, LayoutRules.Common.body[breakpoint], .start, mostLines: 1)
      if !text.isCut {
        draw(code(of: address), in: Rect(x: square.x, y: square.y, width: side, height: side))
        return draw(text, x: box.x, y: box.y + (side - text.size.height) / 2)
      }
    }
    let side = min(part.width, isStacked ? part.height * 4 / 5 : part.height * 3 / 5)
    var stack = Stack()
    let box = Size(part.width, part.height - side - gap)
    stack.add(try fit(address: address, box, LayoutRules.Common.heading[breakpoint], .center))
    draw(code(of: address), in: Rect(x: part.x + (part.width - side) / 2, y: part.y, width: side, height: side))
    stack.draw(on: &self, x: part.x, y: part.y + side + gap)
  }

  /// An address on one line, if there is room, else broken where its parts end.
  private func fit(
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

  /// What is shown now, at the bottom.
  private mutating func draw(_ message: String, at rest: inout Rect) throws(TypesettingError) {
    let padding = pixels(LayoutRules.Board.padding[breakpoint])
    let box = Size(rest.width - 2 * padding, rest.height / 3)
    var stack = Stack()
    stack.add(try fit(plain("Now"), box, LayoutRules.Common.caption[breakpoint], mostLines: 1), style.accent)
    stack.add(try fit(bold(message), box, LayoutRules.Common.heading[breakpoint], mostLines: 3), gap: gap / 6)
    let panel = rest.takeBottom(stack.height + 2 * padding, gap: gap)
    fill(panel, self.panel, radius: pixels(LayoutRules.Board.radius))
    stack.draw(on: &self, x: panel.x + padding, y: panel.y + padding)
  }

  /// A line for each display: a lamp, its name and state, and what it shows.
  private mutating func draw(_ displays: [ControllerPanel.Line], in area: Rect) throws(TypesettingError) {
    var rest = area
    let most = LayoutRules.Controller.mostLines[breakpoint]
    let shown = displays.count > most ? most - 1 : displays.count
    let names = try names(of: displays.prefix(shown), Size(area.width / 3, area.height))
    let column = names.map(\.ink.right).max() ?? 0
    for (place, (display, name)) in zip(displays, names).enumerated() {
      let height = try draw(display, name, column, in: rest)
      guard let height else {
        return try say("+\(displays.count - place) more", at: rest)
      }
      _ = rest.takeTop(height, gap: gap * 2 / 3)
    }
    if shown < displays.count { try say("+\(displays.count - shown) more", at: rest) }
  }

  /// The displays' names, all of one size.
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
    warn("\(words) displays have no room in the list")
    draw(
      try fit(plain(words), rest.size, LayoutRules.Common.caption[breakpoint], mostLines: 1), x: rest.x, y: rest.y,
      quiet)
  }

  /// The line's height; nil where there is no room for it.
  private mutating func draw(
    _ display: ControllerPanel.Line, _ name: FittedText, _ column: Int, in rest: Rect
  ) throws(TypesettingError) -> Int? {
    let lamp = pixels(22)
    let left = lamp + gap / 2 + column + gap * 3 / 4
    let words = [display.state, display.detail.orNothing].compactMap(\.self).joined(separator: " · ")
    let box = Size(rest.width - left, rest.height)
    let text = try fit(plain(words), box, LayoutRules.Common.body[breakpoint], mostLines: 2)
    let height = max(name.size.height, text.size.height)
    guard height <= rest.height, height > 0 else { return nil }
    fill(
      Rect(x: rest.x, y: rest.y + (height - lamp) / 2, width: lamp, height: lamp), lampColor(display.state),
      radius: lamp / 2)
    draw(name, x: rest.x + lamp + gap / 2, y: rest.y + (height - name.size.height) / 2)
    draw(text, x: rest.x + left, y: rest.y + (height - text.size.height) / 2, quiet)
    return height
  }

  private func lampColor(_ state: String) -> Color {
    switch state {
    case "lit": Color(red: 0x3D, green: 0xC9, blue: 0x7A)
    case "asleep": style.accent
    default: faint
    }
  }
}
