import Geometry
import Scenes
import Typesetting

extension LayoutContext {
  /// Lays out the view of another display by that display's rules, scaled to fit, with black borders.
  mutating func layOut(_ mirrored: MirroredView, mirrors: Int) throws(TypesettingError) {
    background = .black
    var frame = mirrored.pixels.frame(in: Rect(size), .fit)
    guard mirrors > 0, mirrored.pixels.area > 0, !frame.isEmpty else { return }
    let scale = Double(max(1, mirrored.scale))
    let ratio = Double(frame.size.shortSide) / Double(mirrored.pixels.shortSide)
    let shift = mirrored.view.shift
    var inner = LayoutContext(
      mirrored.view.style,
      shift: Shift(x: Int(Double(shift.x) * ratio), y: Int(Double(shift.y) * ratio)),
      size: frame.size, logicalPixel: scale * ratio, breakpoint: Breakpoint(mirrored.pixels, logicalPixel: scale),
      with: materials)
    try inner.layOut(mirrored.view.content, mirrors: mirrors - 1)
    // A scroll layer moves anyway, and must stay inside the display.
    if inner.strip == nil { frame = frame.moved(x: self.shift.x, y: self.shift.y) }
    let seen = frame.intersection(Rect(size))
    fill(seen, inner.background)
    items += inner.items.map { $0.moved(x: frame.x, y: frame.y).clipped(to: seen) }
    strip = inner.strip?.moved(x: frame.x, y: frame.y)
    warn(as: inner)
    pages = inner.pages
    headings = inner.headings
  }
}

extension DisplayItem {
  /// Returns the item at another position, with its clip rectangle.
  func moved(x: Int, y: Int) -> DisplayItem {
    switch self {
    case .text(let item):
      .text(TextItem(run: item.run.moved(x: x, y: y), color: item.color, clip: item.clip?.moved(x: x, y: y)))
    case .fill(let item):
      .fill(
        FillItem(
          rect: item.rect.moved(x: x, y: y), color: item.color, cornerRadius: item.cornerRadius,
          clip: item.clip?.moved(x: x, y: y)))
    case .gradient(let item):
      .gradient(
        GradientItem(
          rect: item.rect.moved(x: x, y: y), from: item.from, to: item.to, axis: item.axis,
          clip: item.clip?.moved(x: x, y: y)))
    case .picture(let item):
      .picture(
        ImageItem(picture: item.picture, frame: item.frame.moved(x: x, y: y), clip: item.clip?.moved(x: x, y: y)))
    }
  }

  /// Returns the item clipped to a rectangle, or unchanged if it lies inside.
  func clipped(to rect: Rect) -> DisplayItem {
    if rect.contains(ink) { return self }
    func cut(_ clip: Rect?) -> Rect { clip.map(rect.intersection) ?? rect }
    switch self {
    case .text(let item): return .text(TextItem(run: item.run, color: item.color, clip: cut(item.clip)))
    case .fill(var item):
      item.clip = cut(item.clip)
      return .fill(item)
    case .gradient(var item):
      item.clip = cut(item.clip)
      return .gradient(item)
    case .picture(var item):
      item.clip = cut(item.clip)
      return .picture(item)
    }
  }
}
