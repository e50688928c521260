import Geometry
import Scenes
import Typesetting

extension LayoutContext {
  /// Lays out the identify screen.
  ///
  /// The display's name is as large as possible. Its properties are below, and the QR code of the address is beside
  /// them or, on tall displays, below them.
  ///
  /// - Parameter panel: The content.
  /// - Throws: `TypesettingError`.
  mutating func layOut(_ panel: IdentityPanel) throws(TypesettingError) {
    guard let address = panel.address.orNothing else { return try layOut(alone: panel) }
    var rest = area
    let foot = rest.removeBottom(Int(Double(rest.height) * LayoutRules.Identity.foot[breakpoint]), gap: gap)
    let name = try fit(bold(panel.name), rest.size, LayoutRules.Identity.name, .center, mostLines: 1)
    draw(name, x: rest.x, y: rest.y + (rest.height - name.size.height) / 2)
    if LayoutRules.Identity.isStacked[breakpoint] {
      try layOut(panel, over: address, in: foot)
    } else {
      try layOut(panel, beside: address, in: foot)
    }
  }

  /// Lays out the name and the display's properties, centered together, for a panel without an address.
  private mutating func layOut(alone panel: IdentityPanel) throws(TypesettingError) {
    let area = area
    let facts = try words(of: panel, nil, Size(area.width, area.height / 2), .center)
    let left = area.height - facts.height - gap
    let name = try fit(
      bold(panel.name), Size(area.width, left), LayoutRules.Identity.name, .center, mostLines: 1)
    let y = area.y + (left - name.size.height) / 2
    draw(name, x: area.x, y: y)
    facts.draw(on: &self, x: area.x, y: y + name.size.height + gap)
  }

  private mutating func layOut(
    _ panel: IdentityPanel, over address: String, in foot: Rect
  ) throws(TypesettingError) {
    let stack = try words(of: panel, address, Size(foot.width, foot.height / 2), .center)
    var rest = foot
    let place = rest.removeTop(stack.height, gap: gap)
    stack.draw(on: &self, x: place.x, y: place.y)
    let side = rest.size.shortSide
    draw(code(of: address), in: rest.middle(Size(side, side)))
  }

  private mutating func layOut(
    _ panel: IdentityPanel, beside address: String, in foot: Rect
  ) throws(TypesettingError) {
    let side = min(foot.height, foot.width * 2 / 5)
    let box = Size(foot.width - side - 2 * gap, foot.height)
    let stack = try words(of: panel, address, box, .start)
    // The text and the code are centered as a group.
    let whole = foot.middle(Size(stack.inkWidth + 2 * gap + side, side))
    stack.draw(on: &self, x: whole.x, y: foot.y + (foot.height - stack.height) / 2)
    let square = Rect(x: whole.right - side, y: foot.y + (foot.height - side) / 2, width: side, height: side)
    draw(code(of: address), in: square)
  }

  /// Returns the display's properties and the address.
  private func words(
    of panel: IdentityPanel, _ address: String?, _ box: Size, _ alignment: TextAlignment
  ) throws(TypesettingError) -> Stack {
    var stack = Stack()
    let facts = [panel.mode.orNothing, panel.role.orNothing].compactMap(\.self).joined(separator: " · ")
    let lines = [
      (panel.monitor.orNothing, LayoutRules.Common.title[breakpoint], style.foreground),
      (facts.isEmpty ? nil : facts, LayoutRules.Common.heading[breakpoint], quiet),
      (address, LayoutRules.Common.heading[breakpoint], style.accent),
    ]
    for (line, size, color) in lines {
      let left = box.height - stack.height - gap / 2
      guard let line, left >= pixels(size.smallest * 1.5) else { continue }
      stack.add(try fit(plain(line), Size(box.width, left), size, alignment, mostLines: 1), color, gap: gap / 2)
    }
    return stack
  }
}
