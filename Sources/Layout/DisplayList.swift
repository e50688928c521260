public import Geometry
public import Pictures

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
  /// The warnings that say that a picture is not shown at all, since its file is missing or unreadable.
  public var lostPictures: [String] = []
  /// How many pages there are; 1 where all is seen at once. Page `k` of `n`, from 0, is seen at the place
  /// `Place.page(k, of: n)`.
  public var pages = 1
  /// What moves, or can; `items` ends with what is seen of it. Nil where all stands still.
  public var strip: Strip?
  /// The headings of a text that is longer than the display, in their order.
  public var headings: [Heading] = []

  /// A heading, and where it is seen.
  public struct Heading: Hashable, Sendable {
    /// Its name, as `Place.heading` has it.
    public var anchor: String
    /// The place at which it is at the top, or on its page: `.share` of this.
    public var share: Double

    /// A heading from its parts.
    public init(anchor: String, share: Double) {
      self.anchor = anchor
      self.share = share
    }
  }

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

  /// Looks for the pictures that it draws, all along its strip: the shelf notes those that are missing.
  public func findPictures(on shelf: PictureShelf) {
    for case .picture(let item) in items + (strip?.items ?? []) {
      _ = try? shelf.bitmap(of: item.picture, at: item.frame.size, window: item.window(on: size))
    }
  }
}
