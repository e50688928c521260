/// A picture that was uploaded, for scenes to show.
public struct PictureReport: Codable, Hashable, Sendable {
  /// What it is called: a hash of its bytes and how it is written, `9f86d081884c7d65.png`.
  public var name: String
  /// The name of the file that was uploaded, `poster.png`; nil if the client did not send it.
  public var file: String?
  /// Where it is on the service's machine, for a scene's field `path` or `picture`.
  public var path: String
  /// `image/png` or `image/jpeg`.
  public var type: String
  /// Pixels across.
  public var width: Int
  /// Pixels down.
  public var height: Int
  /// The file's bytes.
  public var bytes: Int
  /// When it was uploaded.
  public var added: Timestamp

  /// A report from its parts.
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
