public import Geometry
public import Typesetting

/// What to draw on a display, in device pixels: a value without fonts or pixels. Font numbers are those of the
/// typesetter that laid it out.
public struct DisplayList: Hashable, Sendable {
  /// The display's pixels.
  public var size: Size
  /// The colour of all that no item covers.
  public var background: Color
  /// What is drawn on it, in this order.
  public var items: [TextItem]
  /// Where ink may be.
  public var safeArea: Rect
  /// What a person should know: another font taken, text cut, glyphs missing.
  public var warnings: [String]

  /// A list from its parts.
  public init(
    size: Size, background: Color, items: [TextItem] = [], safeArea: Rect? = nil, warnings: [String] = []
  ) {
    self.size = size
    self.background = background
    self.items = items
    self.safeArea = safeArea ?? Rect(size)
    self.warnings = warnings
  }
}

/// Glyphs of one line, font and colour. `run.ink` holds all their ink: nothing is drawn outside of it.
public struct TextItem: Hashable, Sendable {
  /// The glyphs and their places on the display.
  public var run: GlyphRun
  /// Their colour.
  public var color: Color

  /// An item from its parts.
  public init(run: GlyphRun, color: Color) {
    self.run = run
    self.color = color
  }

  /// Where it draws.
  public var ink: Rect { run.ink }
}
