package import Pictures
package import Typesetting

/// The render resources that display lists are laid out and drawn with, for use by one thread.
///
/// The same instance must be used for the layout and the drawing of a list.
package final class RenderResources {
  /// The fonts, and the texts set in them.
  package let typesetter: Typesetter
  /// The cache of image files.
  package let pictures: ImageCache
  /// The Markdown columns of about as many displays, so that turning a page or scrolling needs no new layout.
  var flows = RecentCache<MarkdownFlow.Key, MarkdownFlow>(most: 4)
  /// The layouts of the zones of two displays, so that a change in one zone does not lay out the others again.
  var zones = RecentCache<ZonePart.Key, ZonePart>(most: 16)
  /// The short texts that were fitted last, so that a change of one does not set the others of its scene again.
  var fits = RecentCache<FittedText.Key, FittedText>(most: 64)
  /// The widest digits of the styles of clocks.
  var widestFigures = RecentCache<StyledText, Character>(most: 8)

  /// Creates the resources and opens the default font.
  ///
  /// - Parameters:
  ///   - fontMemory: The path of the file that caches fontconfig's answers; nil for none.
  ///   - pictures: The cache of image files.
  /// - Throws: `TypesettingError` if the default font cannot be opened.
  package init(fontMemory: String? = nil, pictures: ImageCache = ImageCache()) throws(TypesettingError) {
    typesetter = try Typesetter(fontMemory: fontMemory)
    self.pictures = pictures
  }

  /// Asks fontconfig about the fonts that were chosen from the font memory, and forgets all layouts if a font changed.
  ///
  /// - Throws: `TypesettingError` if fontconfig cannot start or finds no font.
  /// - Returns: Whether a font changed, so that text must be laid out again.
  package func confirmFonts() throws(TypesettingError) -> Bool {
    guard try typesetter.confirmFonts() else { return false }
    flows.removeAll()
    zones.removeAll()
    fits.removeAll()
    widestFigures.removeAll()
    return true
  }
}
