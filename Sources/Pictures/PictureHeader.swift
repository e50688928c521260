public import Geometry

/// What a picture's file says of itself at its beginning.
public struct PictureHeader: Hashable, Sendable {
  /// `image/png` or `image/jpeg`.
  public let type: String
  /// What names of such files end with: `png` or `jpg`.
  public let ending: String
  /// Its pixels as they are seen.
  public let size: Size

  /// Reads the header of PNG and JPEG files; as `DecodedPicture.decode` refuses them, otherwise.
  public init(_ bytes: [UInt8]) throws(PictureError) {
    (type, ending) = try PictureKind(bytes) == .png ? ("image/png", "png") : ("image/jpeg", "jpg")
    size = try DecodedPicture.size(of: bytes)
  }
}

/// What files of pictures are called that were uploaded: by what is in them.
public enum PictureName {
  /// `9f86d081884c7d65.png`: a hash of the bytes (FNV-1a, 64 bits) and the ending.
  ///
  /// - Parameter attempt: Another name for every number, where other bytes have this one already.
  public static func of(_ bytes: [UInt8], ending: String, attempt: UInt8 = 0) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    for _ in 0..<attempt { hash = (hash ^ UInt64(attempt)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + "." + ending
  }

  /// Whether it is a name as `of` makes them: nothing that leads elsewhere.
  public static func isOne(_ text: String) -> Bool {
    guard text.utf8.count == 20, text.hasSuffix(".png") || text.hasSuffix(".jpg") else { return false }
    return text.utf8.prefix(16).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
