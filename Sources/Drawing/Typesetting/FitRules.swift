package import Geometry

/// The horizontal alignment of lines within their box.
package enum TextAlignment: String, Hashable, Sendable, CaseIterable {
  /// The edge where reading starts: left, or right for a right-to-left paragraph.
  case start
  /// The center of the box.
  case center
  /// The edge where reading ends.
  case end
  /// Both edges: gaps are widened, except in the last line of a paragraph.
  case justify
  /// The left edge, in any direction of reading.
  case left
  /// The right edge, in any direction of reading.
  case right
}

/// The constraints for fitting a message into a box; sizes are in 64ths of a pixel per em.
package struct FitRules: Hashable, Sendable {
  /// The box, in pixels. No ink lies outside it.
  package var box: Size
  /// The smallest size. A text that does not fit at this size is truncated with an ellipsis.
  package var minimum: Int
  /// The size below which words are broken: whole words are preferred down to this size.
  package var wordBreak: Int
  /// The size below which words are divided with hyphens, if that makes the letters at least a quarter larger.
  ///
  /// By default it is `wordBreak`.
  package var division: Int
  /// The largest size.
  package var maximum: Int
  /// The largest number of lines.
  package var mostLines = Int.max
  /// The alignment of the lines.
  package var alignment = TextAlignment.center
  /// The distance between baselines, as a factor of the font's own, from 0.5 to 4. Below 1, lines may touch.
  package var lineHeight = 1.0 {
    didSet { lineHeight = lineHeight.isFinite ? min(max(lineHeight, 0.5), 4) : 1 }
  }
  /// Whether the lines of a paragraph get similar lengths if that needs no additional lines.
  package var isBalanced = true
  /// Whether lines continue below the box, starting at its top edge.
  var isEndless = false

  /// The rectangle to which ink is clipped.
  var bounds: Rect {
    isEndless ? Rect(x: 0, y: -1 << 24, width: box.width, height: 1 << 30) : Rect(box)
  }

  /// Creates rules for a box.
  ///
  /// The default maximum is the largest size that fits well within FreeType's 16-bit spans.
  ///
  /// - Parameters:
  ///   - box: The box, in pixels. Each side is clamped to 0...16384.
  ///   - minimum: The smallest size, clamped to the range from 64 to `maximum`.
  ///   - wordBreak: The size below which words are broken, clamped to the range from 64 to `maximum`.
  ///   - maximum: The largest size, clamped to the range from 64 to 8192 × 64.
  package init(box: Size, minimum: Int, wordBreak: Int, maximum: Int = 8192 * 64) {
    self.box = Size(min(max(0, box.width), 16384), min(max(0, box.height), 16384))
    self.maximum = min(max(64, maximum), 8192 * 64)
    self.minimum = min(max(64, minimum), self.maximum)
    self.wordBreak = min(max(64, wordBreak), self.maximum)
    division = self.wordBreak
  }
}
