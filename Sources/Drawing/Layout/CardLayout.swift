import Geometry
import Scenes
import Typesetting

extension LayoutContext {
  /// Lays out one card: a bar in its color, the title, the content, and small print at the bottom.
  ///
  /// The title is above the content or, on wide displays, beside it.
  ///
  /// - Parameter card: The card.
  /// - Throws: `TypesettingError`.
  mutating func layOut(_ card: Card) throws(TypesettingError) {
    var area = area
    let bar = line(LayoutRules.Card.bar[breakpoint])
    let accent = card.accent ?? style.accent
    let small = try card.footer.orNothing.map { (text) throws(TypesettingError) in
      try fit(
        plain(text), Size(area.width - bar - gap, area.height / 4), LayoutRules.Common.caption[breakpoint], mostLines: 2
      )
    }
    if let small {
      let place = area.removeBottom(small.size.height, gap: gap)
      draw(small, x: place.x + bar + gap, y: place.y, quiet)
    }
    let title = card.title.orNothing
    let content = card.content.orNothing
    if LayoutRules.Card.titleShare[breakpoint] >= 1, let title, let content {
      try layOut(title, beside: content, in: area, bar: bar, accent)
    } else {
      try layOut(title, over: content, in: area, bar: bar, accent)
    }
  }

  private mutating func layOut(
    _ title: String?, over content: String?, in area: Rect, bar: Int, _ accent: Color
  ) throws(TypesettingError) {
    var box = area
    _ = box.removeLeft(bar, gap: gap)
    var stack = Stack()
    if let title {
      let share = content == nil ? 1 : LayoutRules.Card.titleShare[breakpoint]
      let height = Int(Double(box.height) * share)
      stack.add(try cardTitle(title, Size(box.width, height)))
    }
    if let content {
      let left = box.height - stack.height - gap
      stack.add(try fit(plain(content), Size(box.width, left), LayoutRules.Card.content[breakpoint]), gap: gap)
    }
    let y = box.y + (box.height - stack.height) / 2
    fill(Rect(x: area.x, y: y, width: bar, height: stack.height), accent, radius: bar / 2)
    stack.draw(on: &self, x: box.x, y: y)
  }

  private mutating func layOut(
    _ title: String, beside content: String, in area: Rect, bar: Int, _ accent: Color
  ) throws(TypesettingError) {
    var right = area
    let left = right.removeLeft(Int(Double(area.width) * LayoutRules.Card.sideShare), gap: gap)
    let middle = right.removeLeft(bar, gap: gap)
    let first = try fit(
      bold(title), left.size, LayoutRules.Card.title[breakpoint], .end, mostLines: LayoutRules.Card.titleLines)
    let second = try fit(plain(content), right.size, LayoutRules.Card.content[breakpoint])
    let height = max(first.size.height, second.size.height)
    let y = area.y + (area.height - height) / 2
    fill(Rect(x: middle.x, y: y, width: bar, height: height), accent, radius: bar / 2)
    draw(first, x: left.x, y: y + (height - first.size.height) / 2)
    draw(second, x: right.x, y: y + (height - second.size.height) / 2)
  }

  private func cardTitle(_ title: String, _ box: Size) throws(TypesettingError) -> FittedText {
    try fit(bold(title), box, LayoutRules.Card.title[breakpoint], mostLines: LayoutRules.Card.titleLines)
  }
}
