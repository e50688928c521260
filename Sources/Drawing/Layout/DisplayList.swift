package import Geometry
package import Pictures
package import Typesetting

/// The items to draw on a display, in device pixels, without fonts or pixel data.
///
/// The IDs of fonts and images are only valid with the `RenderResources` that the list was laid out with.
package struct DisplayList: Hashable, Sendable {
  /// The display's size in pixels.
  package var size: Size
  /// The color of everything that no item covers.
  package var background: Color
  /// The items in drawing order.
  package var items: [DisplayItem]
  /// The area that may contain ink.
  package var safeArea: Rect
  /// Warnings for the user: substituted fonts, truncated text, missing glyphs.
  package var warnings: [String]
  /// The warnings about images that are not shown at all, because their files are missing or unreadable.
  package var lostPictures: [String] = []
  /// The number of pages; 1 if everything is visible at once.
  ///
  /// Page `k` of `n`, counted from 0, is visible at `Place.page(k, of: n)`.
  package var pages = 1
  /// The numbers of pages of the zones beside the main scene: first those inside of it, then those of each zone followed
  /// by those inside of it.
  package var zonePages: [Int] = []
  /// The scroll layer, whose visible part is at the end of `items`; nil if nothing can move.
  package var strip: ScrollLayer?
  /// The headings of a text that is longer than the display, in document order.
  package var headings: [Heading] = []

  /// A heading and its position.
  package struct Heading: Hashable, Sendable {
    /// The heading's anchor, as in `Place.heading`.
    package var anchor: String
    /// The position as `Place.share`, at which the heading is at the top or on the visible page.
    package var share: Double

    /// Creates a heading from its parts.
    package init(anchor: String, share: Double) {
      self.anchor = anchor
      self.share = share
    }
  }

  /// Creates a list from its parts.
  package init(
    size: Size, background: Color, items: [DisplayItem] = [], safeArea: Rect? = nil, warnings: [String] = []
  ) {
    self.size = size
    self.background = background
    self.items = items
    self.safeArea = safeArea ?? Rect(size)
    self.warnings = warnings
  }

  /// Returns the height of a capital letter in the smallest text that is visible, or that scrolls by itself.
  ///
  /// - Parameter typesetter: The typesetter that the list was laid out with.
  /// - Returns: The height in pixels of the display; nil if no text is visible.
  package func smallestCapital(with typesetter: Typesetter) -> Double? {
    let display = Rect(size)
    let visible = items.lazy.compactMap(\.text).filter { !$0.ink.intersection(display).isEmpty }
    let moving = strip?.speed == nil ? [] : strip?.items.compactMap(\.text) ?? []
    return (visible + moving).compactMap { typesetter.capitalHeight(of: $0.run) }.min()
  }

  /// Requests all images of the list, including those of the scroll layer, so that the cache records the missing ones.
  package func findPictures(on cache: ImageCache) {
    for case .picture(let item) in items + (strip?.items ?? []) {
      _ = try? cache.bitmap(of: item.picture, at: item.frame.size, window: item.window(on: size))
    }
  }
}
