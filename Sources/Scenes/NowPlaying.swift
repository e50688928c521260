/// What is played, made or served now: parts step aside as the display gets smaller.
public struct NowPlaying: Hashable, Sendable {
  /// The largest line.
  public var title: String
  /// The second line; nil for none.
  public var subtitle: String?
  /// The small print; nil for none.
  public var detail: String?
  /// The absolute path of a PNG or JPEG file; nil for no picture.
  public var picture: String?
  /// How much of it is over, 0...1; nil for no bar.
  public var progress: Double?

  /// What is now, from its parts.
  public init(
    title: String, subtitle: String? = nil, detail: String? = nil, picture: String? = nil, progress: Double? = nil
  ) {
    self.title = title
    self.subtitle = subtitle
    self.detail = detail
    self.picture = picture
    self.progress = progress
  }
}
