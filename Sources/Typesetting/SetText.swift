public import Geometry

/// A message as it is set into a box: what to draw where, and what has to be said about it.
public struct SetText: Hashable, Sendable {
  /// The size taken, in 64ths of a pixel an em.
  public var size: Int
  /// Glyphs by line and font, from the top; their places count from the box's top left corner.
  public var runs: [GlyphRun]
  /// How many lines there are, empty ones included.
  public var lineCount: Int
  /// Pixels from the top of the first line to the bottom of the last; they stand in the middle of the box.
  public var height: Int
  /// The family that was taken.
  public var font: String
  /// Where a message had to be cut, nil where all of it is there.
  public var cut: TextCut?
  /// Code points that no font of this system has.
  public var missing: [Unicode.Scalar]
  /// What a person should know: another font taken, text cut, glyphs missing.
  public var warnings: [String]
}

/// Where a message was cut.
public struct TextCut: Hashable, Sendable {
  /// Characters before the cut.
  public var shown: Int
  /// Characters of the whole message.
  public var total: Int
}

/// Glyphs of one font and size on one line, in the order of the pen.
public struct GlyphRun: Hashable, Sendable {
  /// The font, as its typesetter numbers it.
  public var font: FontID
  /// 64ths of a pixel an em.
  public var size: Int32
  /// What to draw where.
  public var glyphs: [PlacedGlyph]
  /// Holds all the ink, in whole pixels.
  public var ink: Rect
  /// Their own colour; nil for the one of all the text.
  public var color: Color?
  /// The number of the style that they were set in.
  public var mark: Int32

  /// A run from its parts.
  public init(font: FontID, size: Int32, glyphs: [PlacedGlyph], ink: Rect, color: Color? = nil, mark: Int32 = 0) {
    self.font = font
    self.size = size
    self.glyphs = glyphs
    self.ink = ink
    self.color = color
    self.mark = mark
  }
}

/// One glyph and where its origin lies, in 64ths of a pixel: x on a quarter of a pixel, y on a whole one, downwards.
public struct PlacedGlyph: Hashable, Sendable {
  /// The glyph's number in its font.
  public var glyph: UInt32
  /// To the right.
  public var x: Int32
  /// Downwards, of the baseline.
  public var y: Int32

  /// A glyph at a place.
  public init(glyph: UInt32, x: Int32, y: Int32) {
    self.glyph = glyph
    self.x = x
    self.y = y
  }
}
