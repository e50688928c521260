import Geometry
public import Scenes
public import Typesetting

/// Decides where everything of a view goes on a display. The list that comes back is drawn with the same materials.
///
/// `LayoutRules` is the table of what is where and how large. Files that cannot be shown, and texts that do not fit, are
/// told by the list's warnings.
public func layOut(
  _ view: View, on metrics: DisplayMetrics, with materials: Materials
) throws(TypesettingError) -> DisplayList {
  let scale = Double(max(1, metrics.scale))
  var sheet = Sheet(view.style, shift: view.shift, size: metrics.pixels, logicalPixel: scale, with: materials)
  try sheet.layOut(view.content)
  return sheet.list
}

extension Sheet {
  /// Draws what is seen. A mirror of a mirror ends at `mirrors`.
  mutating func layOut(_ content: View.Content, mirrors: Int = 4) throws(TypesettingError) {
    switch content {
    case .banner(let text): try layOut(banner: text)
    case .markdown(let text, let place): try layOut(text, at: place)
    case .ticker(let ticker): try layOut(ticker)
    case .card(let card): try layOut(card)
    case .board(let board): try layOut(board)
    case .now(let now): try layOut(now)
    case .image(let panel): try layOut(panel)
    case .clock(let face): try layOut(face)
    case .countdown(let face): try layOut(face)
    case .qr(let panel): try layOut(panel)
    case .blank: break
    case .pattern(let pattern): try layOut(pattern)
    case .mirror(let mirrored): try layOut(mirrored, mirrors: mirrors)
    case .controller(let panel): try layOut(panel)
    case .identify(let panel): try layOut(panel)
    }
  }
}
