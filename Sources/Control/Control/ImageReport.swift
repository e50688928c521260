/// An image that was uploaded for use in scenes.
public struct ImageReport: Codable, Hashable, Sendable {
  /// The media type of an image.
  public enum MediaType: String, Codable, Hashable, Sendable, CaseIterable {
    /// A PNG file.
    case png = "image/png"
    /// A JPEG file.
    case jpeg = "image/jpeg"
  }

  /// The image's name: a hash of its bytes and an extension for its format, such as `9f86d081884c7d65.png`.
  public var name: String
  /// The name of the file that was uploaded, such as `poster.png`; nil if the client did not send it.
  public var file: String?
  /// The path on the daemon's machine, for a scene's `path` or `image` field.
  public var path: String
  /// The media type.
  public var type: MediaType
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
    name: String, file: String? = nil, path: String, type: MediaType, width: Int, height: Int, bytes: Int,
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

extension ImageReport.MediaType: InterfaceValue {}

extension ImageReport: InterfaceObject {
  package static let interface = Interface.report(
    "ImageReport", "An image that was uploaded for use in scenes.",
    [
      field(
        "name", \.name, "The image's name: a hash of its bytes and an extension for its format.",
        .example("9f86d081884c7d65.png")),
      field(
        "file", \.file, "The name of the file that was uploaded; absent if it is unknown.", .example("poster.png")),
      field("path", \.path, "The path on the service's machine, for a scene's `path` or `image` field."),
      field("type", \.type, "The media type."), field("width", \.width, "The width in pixels.", .count),
      field("height", \.height, "The height in pixels.", .count),
      field("bytes", \.bytes, "The size of the file, in bytes.", .count),
      field("added", \.added, "The time of the upload."),
    ])
}
