/// Why a picture could not be read or written.
public enum PictureError: Error, Hashable, Sendable {
  /// libpng's own words.
  case png(String)
  /// libjpeg's own words.
  case jpeg(String)
  /// The bytes are fewer than the size needs, or the size is none, or too large.
  case size(String)
  /// The bytes are no picture that is read here: what they look like.
  case kind(String)
  /// A file of this path, and why it cannot be shown.
  case file(String, String)
}

extension PictureError: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .png(let words): "libpng: \(words)"
    case .jpeg(let words): "libjpeg: \(words)"
    case .size(let words): words
    case .kind(let looks): "it looks like \(looks); save it as PNG or JPEG"
    case .file(let path, let reason): "the picture \(path) cannot be shown: \(reason)"
    }
  }
}
