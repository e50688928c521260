/// The item that is currently played, made or served.
///
/// Small displays leave out the less important lines.
package struct NowPlaying: Hashable, Sendable {
  /// The largest line.
  package var title: String
  /// The second line; nil for none.
  package var subtitle: String?
  /// The small print; nil for none.
  package var detail: String?
  /// The absolute path of a PNG or JPEG file; nil for no image.
  package var image: String?
  /// The progress, 0...1; nil for no progress bar.
  package var progress: Double?

  /// Creates the scene's content from its parts.
  package init(
    title: String, subtitle: String? = nil, detail: String? = nil, image: String? = nil, progress: Double? = nil
  ) {
    self.title = title
    self.subtitle = subtitle
    self.detail = detail
    self.image = image
    self.progress = progress
  }
}
