package import Geometry

/// A partly covered pixel at the edge of a glyph.
package struct EdgePixel: Sendable {
  /// The column, from the glyph's origin.
  package var x: Int16
  /// The coverage, 1...254 of 255.
  package var coverage: UInt8

  /// Creates a pixel from a column and a coverage.
  package init(x: Int16, coverage: UInt8) {
    self.x = x
    self.coverage = coverage
  }
}

/// A run of fully covered pixels in one row.
package struct SolidRun: Sendable {
  /// The first column, from the glyph's origin.
  package var x: Int16
  /// The number of pixels.
  package var length: UInt16

  /// Creates a run from its first column and length.
  package init(x: Int16, length: UInt16) {
    self.x = x
    self.length = length
  }
}

/// The coverage of a glyph or another shape at one size: per row, its edge pixels and its solid runs.
///
/// The interior of a letter takes almost no memory or time, and a loop over either list has no unpredictable branch.
package struct GlyphSpans: Sendable {
  /// The first edge pixel and the first solid run of a row.
  package struct RowStart: Sendable {
    /// The index in `edges`.
    package var edge: Int32
    /// The index in `solids`.
    package var solid: Int32

    /// Creates a row start from its indices.
    package init(edge: Int32, solid: Int32) {
      self.edge = edge
      self.solid = solid
    }
  }

  /// The ink box, in pixels from the origin on the baseline, with y downward.
  package let bounds: Rect
  /// The row starts, one for each row of `bounds`, followed by the end of both lists.
  package let rows: [RowStart]
  /// All edge pixels, row by row from the top, left to right.
  package let edges: [EdgePixel]
  /// All solid runs, row by row from the top, left to right.
  package let solids: [SolidRun]

  /// Creates spans from consistent parts: `rows` must have one entry more than `bounds` has rows.
  package init(bounds: Rect, rows: [RowStart], edges: [EdgePixel], solids: [SolidRun]) {
    self.bounds = bounds
    self.rows = rows
    self.edges = edges
    self.solids = solids
  }

  /// A glyph without ink.
  package static let empty = GlyphSpans(bounds: .empty, rows: [RowStart(edge: 0, solid: 0)], edges: [], solids: [])

  /// The approximate memory use, in bytes.
  package var byteCount: Int { (edges.count + solids.count) * 4 + rows.count * 8 + 192 }
}
