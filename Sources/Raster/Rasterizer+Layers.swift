import Geometry
import Layout
import Typesetting

extension Rasterizer {
  /// What is drawn of a list in a part of the frame, in order.
  func layers(_ list: DisplayList, _ part: Rect, _ materials: Materials) -> [Layer] {
    let part = place(of: part)
    return list.items.filter { !$0.ink.intersection(part).isEmpty }.flatMap { item in
      switch item {
      case .text(let text): layers(text, part, materials.typesetter)
      case .fill, .gradient, .picture: [Layer]()
      }
    }
  }

  private func layers(_ item: TextItem, _ part: Rect, _ typesetter: Typesetter) -> [Layer] {
    var builder = LayerBuilder(clip: item.ink)
    for placed in item.run.glyphs {
      let (glyph, bounds) = drawn(placed, item.run, typesetter)
      guard !bounds.intersection(part).isEmpty else { continue }
      builder.add(glyph, x: Int(placed.x >> 6), y: Int(placed.y >> 6), color: item.color)
    }
    return builder.finish()
  }

  /// A glyph and where it is in the picture.
  func drawn(_ placed: PlacedGlyph, _ run: GlyphRun, _ typesetter: Typesetter) -> (DrawnGlyph, Rect) {
    let glyph = cache.glyph(of: placed, in: run, with: typesetter)
    let bounds = glyph.bounds
    let (x, y) = (Int(placed.x >> 6) &+ bounds.x, Int(placed.y >> 6) &+ bounds.y)
    return (glyph, Rect(x: x, y: y, width: bounds.width, height: bounds.height))
  }
}
