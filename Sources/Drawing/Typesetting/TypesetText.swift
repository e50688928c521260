package import Geometry

/// A message set into a box: its glyphs and their positions, and warnings.
package struct TypesetText: Hashable, Sendable {
  /// The chosen size, in 64ths of a pixel per em.
  package var size: Int
  /// The glyph runs by line and font, from the top, in coordinates relative to the top left corner of the box.
  package var runs: [GlyphRun]
  /// The number of lines, including empty ones.
  package var lineCount: Int
  /// The distance in pixels from the top of the first line to the bottom of the last, centered in the box.
  package var height: Int
  /// The name of the chosen font family.
  package var font: String
  /// The position at which the message was truncated; nil if it is complete.
  package var cut: TextTruncation?
  /// Code points that no installed font has.
  package var missing: [Unicode.Scalar]
  /// Warnings for the user: a substituted font, truncated text, or missing glyphs.
  package var warnings: [String]
}

/// The position at which a message was truncated.
package struct TextTruncation: Hashable, Sendable {
  /// The number of Characters before the cut.
  package var shown: Int
  /// The number of Characters in the whole message.
  package var total: Int
}

/// The glyphs of one font and size on one line, in pen order.
package struct GlyphRun: Hashable, Sendable {
  /// The font, as numbered by its typesetter.
  package var font: FontID
  /// The size, in 64ths of a pixel per em.
  package var size: Int32
  /// The glyphs with their positions.
  package var glyphs: [PlacedGlyph]
  /// A box that contains all the ink, in whole pixels.
  package var ink: Rect
  /// The color of the run; nil for the text color.
  package var color: Color?
  /// The mark of the style in which the glyphs were set.
  package var mark: Int32

  /// Creates a run from its parts.
  package init(font: FontID, size: Int32, glyphs: [PlacedGlyph], ink: Rect, color: Color? = nil, mark: Int32 = 0) {
    self.font = font
    self.size = size
    self.glyphs = glyphs
    self.ink = ink
    self.color = color
    self.mark = mark
  }
}

/// One glyph and the position of its origin, in 64ths of a pixel: x on quarter pixels, y on whole pixels.
package struct PlacedGlyph: Hashable, Sendable {
  /// The glyph ID in its font.
  package var glyph: UInt32
  /// The distance to the right.
  package var x: Int32
  /// The downward distance to the baseline.
  package var y: Int32

  /// Creates a glyph at a position in 64ths of a pixel.
  package init(glyph: UInt32, x: Int32, y: Int32) {
    self.glyph = glyph
    self.x = x
    self.y = y
  }
}
