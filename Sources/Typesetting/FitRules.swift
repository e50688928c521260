public import Geometry

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

  /// Rules for a box. The largest size is the tallest that FreeType's 16-bit spans can hold with ease.
  public init(box: Size, minimum: Int, wordBreak: Int, maximum: Int = 8192 * 64) {
    self.box = Size(min(max(0, box.width), 16384), min(max(0, box.height), 16384))
    self.minimum = min(max(64, minimum), 8192 * 64)
    self.wordBreak = min(max(64, wordBreak), 8192 * 64)
    self.maximum = min(max(64, maximum), 8192 * 64)
  }
}
