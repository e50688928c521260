import Geometry
import Scenes
import Typesetting

extension LayoutContext {
  /// Lays out a test pattern over the whole display.
  mutating func layOut(_ pattern: TestPattern) throws(TypesettingError) {
    background = .black
    switch pattern {
    case .bars: bars()
    case .grid: try grid()
    case .gradient: gradients()
    }
  }

  private mutating func bars() {
    for (number, color) in Color.full.enumerated() {
      let (left, right) = (size.width * number / 8, size.width * (number + 1) / 8)
      fill(Rect(x: left, y: 0, width: right - left, height: size.height), color)
    }
  }

  /// Draws squares around the center, a line at each edge, the safe area, and the size in the center.
  private mutating func grid() throws(TypesettingError) {
    let (thin, cell) = (line(2), max(2, size.shortSide / 12))
    let gray = Color(red: 90, green: 90, blue: 90)
    for step in 0...(size.longSide / 2 / cell) {
      for offset in Set([step * cell, -step * cell]) {
        let color = step == 0 ? Color.white : gray
        fill(
          Rect(x: size.width / 2 + offset - thin / 2, y: 0, width: thin, height: size.height), color, clip: Rect(size))
        fill(
          Rect(x: 0, y: size.height / 2 + offset - thin / 2, width: size.width, height: thin), color, clip: Rect(size))
      }
    }
    outline(Rect(size), line(3), .white)
    outline(safeArea, thin, style.accent)
    let words = "\(size.width) × \(size.height)"
    let label = try fit(
      bold(words), Size(size.width * 3 / 4, size.height / 4), LayoutRules.Common.title[breakpoint], .center,
      mostLines: 1)
    let box = Rect(size).middle(label.size)
    let ground = Size(label.ink.width + 2 * gap, label.size.height + gap)
    fill(Rect(size).middle(ground), .black, radius: gap / 2)
    draw(label, x: box.x, y: box.y, .white)
  }

  private mutating func outline(_ rect: Rect, _ width: Int, _ color: Color) {
    var rest = rect
    fill(rest.removeTop(width), color)
    fill(rest.removeBottom(width), color)
    fill(rest.removeLeft(width), color)
    fill(Rect(x: rect.right - width, y: rest.y, width: width, height: rest.height), color)
  }

  private mutating func gradients() {
    let ends: [Color] = [.white] + Color.primaries
    for (number, color) in ends.enumerated() {
      let (top, bottom) = (size.height * number / ends.count, size.height * (number + 1) / ends.count)
      let rect = Rect(x: 0, y: top, width: size.width, height: bottom - top)
      if !rect.isEmpty { items.append(.gradient(GradientItem(rect: rect, from: .black, to: color, axis: .horizontal))) }
    }
  }
}

extension Color {
  fileprivate static let primaries = [
    Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 255, blue: 0), Color(red: 0, green: 0, blue: 255),
  ]

  /// The fully saturated colors from the brightest to black, in the usual order of color bars.
  fileprivate static let full = [
    Color.white, Color(red: 255, green: 255, blue: 0), Color(red: 0, green: 255, blue: 255), primaries[1],
    Color(red: 255, green: 0, blue: 255), primaries[0], primaries[2], .black,
  ]
}
