package import Geometry
import Primitives

/// The type and size from the header of an image file.
package struct ImageHeader: Hashable, Sendable {
  /// The MIME type, `image/png` or `image/jpeg`.
  package let type: String
  /// The file name extension, `png` or `jpg`.
  package let ending: String
  /// The size of the upright image, in pixels.
  package let size: Size

  /// Reads the header of a PNG or JPEG file.
  ///
  /// - Parameter bytes: The content of the file, or at least its beginning with the whole header.
  /// - Throws: `ImageError` if the header is invalid or the size exceeds the limits of `DecodedImage.decode`.
  package init(_ bytes: [UInt8]) throws(ImageError) {
    (type, ending) = try ImageFormat(bytes) == .png ? ("image/png", "png") : ("image/jpeg", "jpg")
    size = try DecodedImage.size(of: bytes)
  }
}

/// The file names of uploaded images, derived from their content.
package enum UploadName {
  /// Returns a name such as `9f86d081884c7d65.png`: a hash of the bytes (64-bit FNV-1a) and an extension.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - ending: The extension, `png` or `jpg`.
  ///   - attempt: A number that selects another name if different bytes already have this one.
  /// - Returns: The file name.
  package static func of(_ bytes: [UInt8], ending: String, attempt: UInt8 = 0) -> String {
    let hash = FNV1a.hash(repeatElement(attempt, count: Int(attempt)), after: FNV1a.hash(bytes))
    return Hex.digits(hash, 16) + "." + ending
  }

  /// Returns whether a text has the form of such a name, and thus contains no path separator.
  package static func isOne(_ text: String) -> Bool {
    guard text.utf8.count == 20, text.hasSuffix(".png") || text.hasSuffix(".jpg") else { return false }
    return text.utf8.prefix(16).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
