/// Why a picture could not be read or written.
public enum PictureError: Error, Hashable, Sendable {
  /// libpng's own words.
  case png(String)
  /// The bytes are fewer than the size needs, or the size is none.
  case size(String)
}

extension PictureError: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .png(let words): "libpng: \(words)"
    case .size(let words): words
    }
  }
}
