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
  /// The cache of Markdown layouts.
  var flows = FlowCache()
  /// The cache of the layouts of zones.
  var zones = ZonePartCache()

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
}
