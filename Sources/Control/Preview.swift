/// A small picture of what is on the glass, wished for.
public struct PreviewRequest: Hashable, Sendable {
  /// What pictures are written as.
  public enum Format: String, Codable, Hashable, Sendable, CaseIterable {
    case jpeg
    case png
  }

  /// The widths that can be asked for, in pixels.
  public static let widths = 16...1920

  /// Most pixels across; a display that is smaller is not made larger.
  public var width: Int
  /// How it is written.
  public var format: Format
  /// The entity tag of the picture that whoever asks has already; nil for none.
  public var known: String?

  /// A request from its parts.
  public init(width: Int = 480, format: Format = .jpeg, known: String? = nil) {
    self.width = width
    self.format = format
    self.known = known
  }
}

/// A small picture of what is on the glass.
public struct Preview: Hashable, Sendable {
  /// Names the picture: equal tags of one display are equal pictures. No quotes, ASCII; differs after a restart.
  public var tag: String
  /// `image/jpeg` or `image/png`.
  public var type: String
  /// The file; nil where it is the one that whoever asked has already.
  public var bytes: [UInt8]?

  /// A preview from its parts.
  public init(tag: String, type: String, bytes: [UInt8]?) {
    self.tag = tag
    self.type = type
    self.bytes = bytes
  }
}
