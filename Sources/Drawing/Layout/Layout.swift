import Geometry
package import Scenes
package import Typesetting

/// Lays out a view on a display.
///
/// `LayoutRules` is the table of positions and sizes.
///
/// - Parameters:
///   - view: The view.
///   - metrics: The display's size and scale.
///   - materials: The render resources, which are also needed to draw the list.
/// - Throws: `TypesettingError` if the text cannot be set.
/// - Returns: The items to draw. Its warnings report images that cannot be shown and text that does not fit.
package func layOut(
  _ view: View, on metrics: DisplayMetrics, with materials: RenderResources
) throws(TypesettingError) -> DisplayList {
  let scale = Double(max(1, metrics.scale))
  var sheet = LayoutContext(view.style, shift: view.shift, size: metrics.pixels, logicalPixel: scale, with: materials)
  try sheet.layOut(view.content)
  return sheet.list
}

extension LayoutContext {
  /// Lays out the content of a view; `mirrors` limits the nesting of mirrors.
  mutating func layOut(_ content: View.Content, mirrors: Int = 4) throws(TypesettingError) {
    switch content {
    case .banner(let text): try layOut(banner: text)
    case .markdown(let text, let place): try layOut(text, at: place)
    case .ticker(let ticker): try layOut(ticker)
    case .card(let card): try layOut(card)
    case .board(let board): try layOut(board)
    case .table(let table): try layOut(table)
    case .now(let now): try layOut(now)
    case .image(let panel): try layOut(panel)
    case .clock(let face): try layOut(face)
    case .countdown(let face): try layOut(face)
    case .qr(let panel): try layOut(panel)
    case .blank: break
    case .pattern(let pattern): try layOut(pattern)
    case .mirror(let mirrored): try layOut(mirrored, mirrors: mirrors)
    case .zones(let zoned): try layOut(zoned, mirrors: mirrors)
    case .controller(let panel): try layOut(panel)
    case .identify(let panel): try layOut(panel)
    }
  }
}
