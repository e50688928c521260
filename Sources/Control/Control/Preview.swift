/// A request for a small image of what a display shows.
public struct PreviewRequest: Hashable, Sendable {
  /// The file format of an image.
  public enum Format: String, Codable, Hashable, Sendable, CaseIterable {
    case jpeg
    case png
  }

  /// The permitted values of `width`, in pixels.
  public static let widths = 16...1920

  /// The maximum width in pixels; the frame of a smaller display is not enlarged.
  public var width: Int
  /// The file format.
  public var format: Format
  /// The entity tag of the image that the client already has; nil if it has none.
  public var known: String?

  /// Creates a request.
  public init(width: Int = 480, format: Format = .jpeg, known: String? = nil) {
    self.width = width
    self.format = format
    self.known = known
  }
}

/// A small image of what a display shows.
public struct Preview: Hashable, Sendable {
  /// The entity tag: equal tags of one display mean equal images.
  ///
  /// It is ASCII without quotes, and differs after a restart.
  public var tag: String
  /// The media type, `image/jpeg` or `image/png`.
  public var type: String
  /// The bytes of the file; nil if the client already has it.
  public var bytes: [UInt8]?

  /// Creates a preview.
  public init(tag: String, type: String, bytes: [UInt8]?) {
    self.tag = tag
    self.type = type
    self.bytes = bytes
  }
}
