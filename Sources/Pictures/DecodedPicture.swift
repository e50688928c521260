public import Geometry

/// A picture from a file's bytes.
public struct DecodedPicture: Sendable {
  /// Its pixels, as they are seen; fewer than the file has where it was to fit something smaller.
  public let bitmap: Bitmap
  /// Pixels of the file, as they are seen.
  public let size: Size
  /// What a person should know: that a part is missing.
  public let warning: String?

  /// Reads PNG and JPEG, which lies as its camera was held.
  ///
  /// - Parameter fitting: the size that it is for: a larger JPEG is read with fewer pixels, but no fewer than that.
  /// - Throws: `PictureError`, where the bytes are no picture, are damaged (a JPEG's only from its first row on), or
  ///   hold more than 16384 pixels in a direction or 64 million in all. Nothing is read of a picture that is too large.
  public static func decode(_ bytes: [UInt8], fitting: Size? = nil) throws(PictureError) -> DecodedPicture {
    let kind = try PictureKind(bytes)
    let result = unsafe bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(PictureError) in try unsafe decode(kind, lent: bytes, fitting) }
    }
    return try result.get()
  }

  /// The size of a picture, by its header alone; as `decode` refuses it, otherwise.
  public static func size(of bytes: [UInt8]) throws(PictureError) -> Size {
    let kind = try PictureKind(bytes)
    let result = unsafe bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(PictureError) in
        switch kind {
        case .png: try checked(try unsafe PNGReader(lent: UnsafeRawBufferPointer(bytes)).size)
        case .jpeg: try checked(try unsafe JPEGReader(lent: bytes).size)
        }
      }
    }
    return try result.get()
  }

  private static func decode(
    _ kind: PictureKind, lent bytes: UnsafeBufferPointer<UInt8>, _ fitting: Size?
  ) throws(PictureError) -> DecodedPicture {
    switch kind {
    case .png:
      let reader = try unsafe PNGReader(lent: UnsafeRawBufferPointer(bytes))
      _ = try checked(reader.size)
      return try reader.decoded()
    case .jpeg:
      let reader = try unsafe JPEGReader(lent: bytes)
      _ = try checked(reader.size)
      return try reader.decoded(fitting: fitting)
    }
  }

  private static func checked(_ size: Size) throws(PictureError) -> Size {
    guard size.width > 0, size.height > 0, size.longSide <= 16384, size.area <= 64_000_000 else {
      throw .size("\(size) is more than 16384 pixels in a direction or 64 million in all; save it smaller")
    }
    return size
  }
}
