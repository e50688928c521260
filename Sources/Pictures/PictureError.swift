/// Why a picture could not be read or written.
public enum PictureError: Error, Hashable, Sendable {
  /// libpng's own words.
  case png(String)
  /// libjpeg's own words.
  case jpeg(String)
  /// The bytes are fewer than the size needs, or the size is none, or too large.
  case size(String)
  /// A part of the picture is missing or damaged: which words the decoder has for that.
  case damaged(String)
  /// The picture was not decoded in this time.
  case slow(Duration)
  /// The bytes are no picture that is read here: what they look like.
  case kind(String)
  /// A file of this path, and why it cannot be shown.
  case file(String, String)
  /// A file of this path, which is in no folder that pictures are read from. Nothing was looked up.
  case outside(String)
  /// A file of this path did not give its bytes in this time.
  case late(String, Duration)
  /// A file of this path waits for so many others, which do not give their bytes.
  case stuck(String, Int)
  /// A file of this path was not read yet.
  case missing(String)
}

extension PictureError: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .png(let words): "libpng: \(words)"
    case .jpeg(let words): "libjpeg: \(words)"
    case .size(let words), .damaged(let words): words
    case .slow(let time): "it takes longer than \(time.components.seconds) s to decode; save it smaller"
    case .kind(let looks): "it looks like \(looks); save it as PNG or JPEG"
    case .file(let path, let reason): "the picture \(path) cannot be shown: \(reason)"
    case .outside(let path):
      "the picture \(path) is not in a folder for pictures; put it there or add its folder to `folders`"
    case .late(let path, let time):
      "the picture \(path) did not arrive within \(Int((time / .seconds(1)).rounded())) s; check the disk or share it is on"
    case .stuck(let path, let count):
      "the picture \(path) waits for \(count) other files that do not arrive; check the disks or shares they are on"
    case .missing(let path): "the picture \(path) has not been read yet"
    }
  }
}
