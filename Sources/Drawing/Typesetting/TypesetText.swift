public import Geometry

/// A message set into a box: its glyphs and their positions, and warnings.
public struct TypesetText: Hashable, Sendable {
  /// The chosen size, in 64ths of a pixel per em.
  public var size: Int
  /// The glyph runs by line and font, from the top, in coordinates relative to the top left corner of the box.
  public var runs: [GlyphRun]
  /// The number of lines, including empty ones.
  public var lineCount: Int
  /// The distance in pixels from the top of the first line to the bottom of the last, centered in the box.
  public var height: Int
  /// The name of the chosen font family.
  public var font: String
  /// The position at which the message was truncated; nil if it is complete.
  public var cut: TextTruncation?
  /// Code points that no installed font has.
  public var missing: [Unicode.Scalar]
  /// Warnings for the user: a substituted font, truncated text, or missing glyphs.
  public var warnings: [String]
}

/// The position at which a message was truncated.
public struct TextTruncation: Hashable, Sendable {
  /// The number of Characters before the cut.
  public var shown: Int
  /// The number of Characters in the whole message.
  public var total: Int
}

/// The glyphs of one font and size on one line, in pen order.
public struct GlyphRun: Hashable, Sendable {
  /// The font, as numbered by its typesetter.
  public var font: FontID
  /// The size, in 64ths of a pixel per em.
  public var size: Int32
  /// The glyphs with their positions.
  public var glyphs: [PlacedGlyph]
  /// A box that contains all the ink, in whole pixels.
  public var ink: Rect
  /// The color of the run; nil for the text color.
  public var color: Color?
  /// The mark of the style in which the glyphs were set.
  public var mark: Int32

  /// Creates a run from its parts.
  public init(font: FontID, size: Int32, glyphs: [PlacedGlyph], ink: Rect, color: Color? = nil, mark: Int32 = 0) {
    self.font = font
    self.size = size
    self.glyphs = glyphs
    self.ink = ink
    self.color = color
    self.mark = mark
  }
}

/// One glyph and the position of its origin, in 64ths of a pixel: x on quarter pixels, y on whole pixels.
public struct PlacedGlyph: Hashable, Sendable {
  /// The glyph ID in its font.
  public var glyph: UInt32
  /// The distance to the right.
  public var x: Int32
  /// The downward distance to the baseline.
  public var y: Int32

  /// Creates a glyph at a position in 64ths of a pixel.
  public init(glyph: UInt32, x: Int32, y: Int32) {
    self.glyph = glyph
    self.x = x
    self.y = y
  }
}
