import Geometry
public import Scenes
public import Typesetting

/// Decides where everything of a view goes on a display. The list that comes back is drawn with the same materials.
public func layOut(
  _ view: View, on metrics: DisplayMetrics, with materials: Materials
) throws(TypesettingError) -> DisplayList {
  switch view.content {
  case .banner(let text): try layOutBanner(text, view.style, on: metrics, with: materials)
  default: try layOutBanner("", view.style, on: metrics, with: materials)
  }
}

private func layOutBanner(
  _ text: String, _ style: Style, on metrics: DisplayMetrics, with materials: Materials
) throws(TypesettingError) -> DisplayList {
  let area = Rect(metrics.pixels).inset(by: safeInsets(style.safeArea, of: metrics.pixels))
  let message = StyledText(text, style: TextStyle(style))
  let set = try materials.typesetter.set(message, by: bannerRules(metrics, area.size, style))
  let items = set.runs.map { run in
    DisplayItem.text(TextItem(run: run.moved(by: area), color: run.color ?? style.foreground))
  }
  return DisplayList(
    size: metrics.pixels, background: style.background, items: items, safeArea: area, warnings: set.warnings)
}

/// A share of each extent at each edge, rounded up; at most 45%, so that something is left to write on.
private func safeInsets(_ share: Double, of size: Size) -> Insets {
  let share = share.isFinite ? min(max(share, 0), 0.45) : 0
  let horizontal = Int((Double(size.width) * share).rounded(.up))
  let vertical = Int((Double(size.height) * share).rounded(.up))
  return Insets(top: vertical, left: horizontal, bottom: vertical, right: horizontal)
}

/// Letters below a ninetieth of the short side (12 pixels at 1080 lines) or below 10 logical pixels nobody reads;
/// words are broken rather than set below a 24th (45 pixels at 1080 lines).
private func bannerRules(_ metrics: DisplayMetrics, _ box: Size, _ style: Style) -> FitRules {
  let short = metrics.pixels.shortSide
  func size(_ share: Double?) -> Int? { share.map { Int(Double(short) * min(max($0, 0), 1) * 64) } }
  let legible = max(short * 64 / 90, 10 * 64 * max(1, metrics.scale))
  let largest = size(style.largest) ?? 8192 * 64
  let minimum = min(size(style.smallest) ?? legible, largest)
  var rules = FitRules(box: box, minimum: minimum, wordBreak: max(minimum, short * 64 / 24), maximum: largest)
  rules.mostLines = style.mostLines ?? .max
  rules.lineHeight = style.lineHeight
  rules.alignment =
    switch style.alignment {
    case .start: .start
    case .center: .center
    case .end: .end
    case .justify: .justify
    }
  // Text from edge to edge is text to read: its lines are as long as they can be.
  rules.isBalanced = style.alignment != .justify
  return rules
}

extension TextStyle {
  fileprivate init(_ style: Style) {
    self.init(font: style.font, weight: style.weight, isItalic: style.isItalic)
    if style.hasTabularFigures { features.insert(.tabularFigures) }
    if style.hasSmallCaps { features.insert(.smallCaps) }
  }
}

extension GlyphRun {
  fileprivate func moved(by area: Rect) -> GlyphRun {
    var moved = self
    moved.ink.x += area.x
    moved.ink.y += area.y
    for index in moved.glyphs.indices {
      moved.glyphs[index].x += Int32(area.x * 64)
      moved.glyphs[index].y += Int32(area.y * 64)
    }
    return moved
  }
}
