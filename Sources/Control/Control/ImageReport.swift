/// An image that was uploaded for use in scenes.
public struct ImageReport: Codable, Hashable, Sendable {
  /// The image's name: a hash of its bytes and an extension for its format, such as `9f86d081884c7d65.png`.
  public var name: String
  /// The name of the file that was uploaded, such as `poster.png`; nil if the client did not send it.
  public var file: String?
  /// The path on the daemon's machine, for a scene's `path` or `image` field.
  public var path: String
  /// The media type, `image/png` or `image/jpeg`.
  public var type: String
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The size of the file, in bytes.
  public var bytes: Int
  /// The time of the upload.
  public var added: Timestamp

  /// Creates a report.
  public init(
    name: String, file: String? = nil, path: String, type: String, width: Int, height: Int, bytes: Int,
    added: Timestamp
  ) {
    self.name = name
    self.file = file
    self.path = path
    self.type = type
    self.width = width
    self.height = height
    self.bytes = bytes
    self.added = added
  }
}
