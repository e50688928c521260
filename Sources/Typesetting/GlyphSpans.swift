public import Geometry

/// A pixel at the edge of a glyph, covered in part.
public struct EdgePixel: Sendable {
  /// Its column, from the glyph's origin.
  public var x: Int16
  /// 1...254, of 255.
  public var coverage: UInt8

  /// A pixel from its parts.
  public init(x: Int16, coverage: UInt8) {
    self.x = x
    self.coverage = coverage
  }
}

/// Pixels of one row that are wholly covered.
public struct SolidRun: Sendable {
  /// The first column, from the glyph's origin.
  public var x: Int16
  /// How many pixels.
  public var length: UInt16

  /// A run from its parts.
  public init(x: Int16, length: UInt16) {
    self.x = x
    self.length = length
  }
}

/// A glyph, or another shape, drawn at a size: for each row its edge pixels and its solid runs. What is inside a letter takes no memory
/// and next to no time, and a loop over either kind meets no branch that it cannot foresee.
public struct GlyphSpans: Sendable {
  /// The first edge pixel and the first solid run of a row.
  public struct RowStart: Sendable {
    /// Place in `edges`.
    public var edge: Int32
    /// Place in `solids`.
    public var solid: Int32

    /// A start from its parts.
    public init(edge: Int32, solid: Int32) {
      self.edge = edge
      self.solid = solid
    }
  }

  /// Where it has ink, in pixels from the origin on the baseline, y downwards.
  public let bounds: Rect
  /// For each row of the bounds where its part begins, and at the end where all parts end.
  public let rows: [RowStart]
  /// All edge pixels, row by row from the top, from left to right.
  public let edges: [EdgePixel]
  /// All solid runs, row by row from the top, from left to right.
  public let solids: [SolidRun]

  /// Spans from their parts, which must fit together.
  public init(bounds: Rect, rows: [RowStart], edges: [EdgePixel], solids: [SolidRun]) {
    self.bounds = bounds
    self.rows = rows
    self.edges = edges
    self.solids = solids
  }

  /// A glyph without ink.
  public static let empty = GlyphSpans(bounds: .empty, rows: [RowStart(edge: 0, solid: 0)], edges: [], solids: [])

  /// Bytes that this glyph takes in memory, about.
  public var byteCount: Int { (edges.count + solids.count) * 4 + rows.count * 8 + 192 }
}
