package import Geometry

/// A glyph drawn at one size.
package enum GlyphDrawing: Sendable {
  /// Coverage in the text color.
  case spans(GlyphSpans)
  /// Coverage in several colors, stacked (COLR).
  case layers([GlyphLayer])
  /// A bitmap image (CBDT, sbix).
  case image(GlyphImage)

  /// The ink box, in pixels from the origin on the baseline, with y downward.
  package var bounds: Rect {
    switch self {
    case .spans(let spans): spans.bounds
    case .layers(let layers): layers.reduce(.empty) { $0.union($1.spans.bounds) }
    case .image(let image): image.bounds
    }
  }
}

/// One layer of a color glyph.
package struct GlyphLayer: Sendable {
  /// The coverage of the layer.
  package var spans: GlyphSpans
  /// The color of the layer; nil for the text color.
  package var color: Color?
  /// The opacity of the layer, 0...255.
  package var opacity: UInt8
}
