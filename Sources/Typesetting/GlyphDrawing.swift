public import Geometry

/// A glyph as it is drawn at a size.
public enum GlyphDrawing: Sendable {
  /// Coverage, in the colour of the text.
  case spans(GlyphSpans)
  /// Coverage in several colours, one on the other (COLR).
  case layers([GlyphLayer])
  /// A picture (CBDT, sbix).
  case image(GlyphImage)

  /// Where it has ink, in pixels from the origin on the baseline, y downwards.
  public var bounds: Rect {
    switch self {
    case .spans(let spans): spans.bounds
    case .layers(let layers): layers.reduce(.empty) { $0.union($1.spans.bounds) }
    case .image(let image): image.bounds
    }
  }
}

/// One colour of a glyph.
public struct GlyphLayer: Sendable {
  /// What it covers.
  public var spans: GlyphSpans
  /// Nil for the colour of the text.
  public var color: Color?
  /// How much of the colour counts where it covers all, of 255.
  public var opacity: UInt8
}
