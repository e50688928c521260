public import Geometry

/// Where lines stand between the two edges of their box.
public enum TextAlignment: String, Hashable, Sendable, CaseIterable {
  /// At the edge where reading starts: the left one, or the right one of a paragraph that is read to the left.
  case start
  /// In the middle.
  case center
  /// At the edge where reading ends.
  case end
  /// At both edges: gaps are widened, but for a paragraph's last line.
  case justify
}

/// What a message is fitted into; sizes are in 64ths of a pixel an em.
public struct FitRules: Hashable, Sendable {
  /// The box, in pixels; no ink lies outside.
  public var box: Size
  /// The smallest size; what does not fit at it is cut, with an ellipsis.
  public var minimum: Int
  /// Words are broken only where whole ones would have to be smaller than this.
  public var wordBreak: Int
  /// The largest size.
  public var maximum: Int
  /// Most lines there may be.
  public var mostLines = Int.max
  /// Where lines stand.
  public var alignment = TextAlignment.center
  /// From one baseline to the next beside what the font says: 1 is the same. From 0.5 to 4; below 1 lines may touch.
  public var lineHeight = 1.0 {
    didSet { lineHeight = lineHeight.isFinite ? min(max(lineHeight, 0.5), 4) : 1 }
  }
  /// Whether the lines of a paragraph are made as long as each other where that needs no more lines: no lonely last word.
  public var isBalanced = true
  /// Whether lines go on below the box, from its top edge.
  var isEndless = false

  /// What ink is cut at.
  var bounds: Rect {
    isEndless ? Rect(x: 0, y: -1 << 24, width: box.width, height: 1 << 30) : Rect(box)
  }

  /// Rules for a box. The largest size is the tallest that FreeType's 16-bit spans can hold with ease.
  public init(box: Size, minimum: Int, wordBreak: Int, maximum: Int = 8192 * 64) {
    self.box = Size(min(max(0, box.width), 16384), min(max(0, box.height), 16384))
    self.maximum = min(max(64, maximum), 8192 * 64)
    self.minimum = min(max(64, minimum), self.maximum)
    self.wordBreak = min(max(64, wordBreak), self.maximum)
  }
}
