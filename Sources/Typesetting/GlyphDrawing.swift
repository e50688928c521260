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
  /// What it covers. A colour that lets the ground through covers no pixel wholly.
  public var spans: GlyphSpans
  /// Nil for the colour of the text.
  public var color: Color?
}

extension GlyphSpans {
  /// The same, `opacity` of 255 as strong.
  func faded(_ opacity: UInt8) -> GlyphSpans {
    guard opacity < 255 else { return self }
    var result: [EdgePixel] = []
    var starts = [RowStart(edge: 0, solid: 0)]
    for row in 0..<max(0, rows.count &- 1) {
      // A row's pixels need no order: none is covered twice.
      for edge in edges[Int(rows[row].edge)..<Int(rows[row + 1].edge)] {
        result.append(EdgePixel(x: edge.x, coverage: UInt8((Int(edge.coverage) * Int(opacity) + 127) / 255)))
      }
      for solid in solids[Int(rows[row].solid)..<Int(rows[row + 1].solid)] {
        for offset in 0..<solid.length {
          result.append(EdgePixel(x: solid.x &+ Int16(truncatingIfNeeded: offset), coverage: opacity))
        }
      }
      starts.append(RowStart(edge: Int32(truncatingIfNeeded: result.count), solid: 0))
    }
    return GlyphSpans(bounds: bounds, rows: starts, edges: result, solids: [])
  }
}
