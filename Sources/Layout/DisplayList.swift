public import Geometry

/// What to draw on a display, in device pixels: a value without fonts or pixels. Numbers of fonts and of pictures are
/// those of the materials that it was laid out with.
public struct DisplayList: Hashable, Sendable {
  /// The display's pixels.
  public var size: Size
  /// The colour of all that no item covers.
  public var background: Color
  /// What is drawn on it, in this order.
  public var items: [DisplayItem]
  /// Where ink may be.
  public var safeArea: Rect
  /// What a person should know: another font taken, text cut, glyphs missing.
  public var warnings: [String]

  /// A list from its parts.
  public init(
    size: Size, background: Color, items: [DisplayItem] = [], safeArea: Rect? = nil, warnings: [String] = []
  ) {
    self.size = size
    self.background = background
    self.items = items
    self.safeArea = safeArea ?? Rect(size)
    self.warnings = warnings
  }
}
