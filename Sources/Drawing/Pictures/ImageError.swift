/// A reason why an image could not be read or written.
package enum ImageError: Error, Hashable, Sendable {
  /// A libpng error, with its message.
  case png(String)
  /// A libjpeg error, with its message.
  case jpeg(String)
  /// A size that is zero or too large, or does not match the number of bytes.
  case size(String)
  /// An image with a missing or damaged part, with the decoder's message.
  case damaged(String)
  /// An image that was not decoded within this time.
  case slow(Duration)
  /// Bytes that are not a supported image, with a description of what they look like.
  case kind(String)
  /// A file path, and the reason why the file cannot be shown.
  case file(String, String)
  /// A file path outside the allowed folders. The file system was not accessed.
  case outside(String)
  /// A file path, and the time within which the file could not be read.
  case late(String, Duration)
  /// A file path, and the number of other files that block it because they cannot be read.
  case stuck(String, Int)
  /// The path of a file that has not been read yet.
  case missing(String)
}

extension ImageError: CustomStringConvertible {
  /// One sentence for the user.
  package var description: String {
    switch self {
    case .png(let words): "libpng: \(words)"
    case .jpeg(let words): "libjpeg: \(words)"
    case .size(let words), .damaged(let words): words
    case .slow(let time): "it takes longer than \(time.components.seconds) s to decode; save it smaller"
    case .kind(let looks): "it looks like \(looks); save it as PNG or JPEG"
    case .file(let path, let reason): "the image \(path) cannot be shown: \(reason)"
    case .outside(let path):
      "the image \(path) is not in an allowed folder; move it to one, or add its folder to `folders`"
    case .late(let path, let time):
      "the image \(path) was not read within \(Int((time / .seconds(1)).rounded())) s; check the disk or share it is on"
    case .stuck(let path, let count):
      "the image \(path) waits for \(count) other files that are not read; check the disks or shares they are on"
    case .missing(let path): "the image \(path) has not been read yet"
    }
  }
}
