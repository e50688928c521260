import Geometry
public import Scenes
public import Typesetting

/// Decides where everything of a scene goes on a display. The list that comes back is drawn with the same typesetter.
public func layOut(
  _ scene: Scene, on metrics: DisplayMetrics, with typesetter: Typesetter
) throws(TypesettingError) -> DisplayList {
  switch scene {
  case .banner(let banner): try layOut(banner, on: metrics, with: typesetter)
  }
}

private func layOut(
  _ banner: Banner, on metrics: DisplayMetrics, with typesetter: Typesetter
) throws(TypesettingError) -> DisplayList {
  let area = Rect(metrics.pixels).inset(by: safeInsets(banner.style.safeArea, of: metrics.pixels))
  let text = try typesetter.set(banner.text, by: bannerRules(metrics, area.size), font: banner.style.font)
  let items = text.runs.map { run in TextItem(run: run.moved(by: area), color: banner.style.foreground) }
  return DisplayList(
    size: metrics.pixels, background: banner.style.background, items: items, safeArea: area, warnings: text.warnings)
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
private func bannerRules(_ metrics: DisplayMetrics, _ box: Size) -> FitRules {
  let short = metrics.pixels.shortSide
  let minimum = max(short * 64 / 90, 10 * 64 * max(1, metrics.scale))
  return FitRules(box: box, minimum: minimum, wordBreak: max(minimum, short * 64 / 24))
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
