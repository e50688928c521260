/// The format of an image file, detected from its first bytes because file name extensions are unreliable.
enum ImageFormat: Hashable, Sendable {
  case png
  case jpeg

  /// Detects the format, or throws an error that says what the bytes look like.
  init(_ bytes: [UInt8]) throws(ImageError) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else {
      throw .kind(ImageFormat.looks(of: bytes))
    }
  }

  /// Known signatures of other file types: the offset, the bytes, and a description.
  private static let marks: [(place: Int, bytes: String, kind: String)] = [
    (0, "GIF8", "a GIF"), (8, "WEBP", "a WebP image"), (0, "BM", "a Windows bitmap"),
    (0, "II*\0", "a TIFF image"), (0, "MM\0*", "a TIFF image"), (4, "ftypavif", "an AVIF image"),
    (4, "ftyphei", "a HEIF image"), (4, "ftypmif1", "a HEIF image"), (4, "ftyp", "a video"),
    (0, "<svg", "an SVG drawing"), (0, "%PDF", "a PDF document"),
    (0, "PK\u{3}\u{4}", "a ZIP archive, or an office document"),
    (0, "<!DOCTYPE html", "a web page"), (0, "<html", "a web page"), (0, "8BPS", "a Photoshop file"),
    (0, "qoif", "a QOI image"), (0, "\u{1A}E", "a video"), (0, "P6", "a PPM image"), (0, "P3", "a PPM image"),
  ]

  private static func looks(of bytes: [UInt8]) -> String {
    if bytes.isEmpty { return "an empty file" }
    if bytes.allSatisfy({ $0 == 0 }) { return "nothing but zeros" }
    for mark in marks where bytes.dropFirst(mark.place).starts(with: mark.bytes.utf8) { return mark.kind }
    let head = bytes.prefix(512)
    guard head.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) }) else { return "an unknown format" }
    return head.indices.contains { head[$0...].starts(with: "<svg".utf8) } ? "an SVG drawing" : "a text file"
  }
}
