package import Geometry

/// An image decoded from the bytes of a file.
package struct DecodedImage: Sendable {
  /// The upright pixels, fewer than in the file if a smaller size was requested.
  package let bitmap: Bitmap
  /// The size of the upright image in the file, in pixels.
  package let size: Size
  /// A warning for the user that a part of the file is missing or damaged.
  package let warning: String?

  /// The memory limit of decoding, excluding the file's bytes: slightly more than 24 million pixels need.
  static let mostBytes = 128 << 20
  /// The largest number of decoded pixels. A larger image is reduced while it is read.
  static let mostPixels = 24 << 20
  /// The time limit for decoding one image.
  static let patience = Duration.seconds(10)

  /// Decodes a PNG or JPEG file, rotating a JPEG upright according to its EXIF orientation.
  ///
  /// An image that is too large is rejected before its pixels are read.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - fitting: The display size. A larger image is decoded with fewer pixels, but with no fewer than this size has,
  ///     up to 24 million.
  ///   - patience: The time limit; nil for none.
  /// - Throws: `ImageError` if the bytes are not an image or are damaged; a JPEG whose decoding has started gets only
  ///   a warning. Also if the image has more than 16384 pixels in a direction or 64 million in total, exceeds the time
  ///   limit, or needs more than 128 MiB to decode.
  /// - Returns: The decoded image.
  package static func decode(
    _ bytes: [UInt8], fitting: Size? = nil, within patience: Duration? = nil
  ) throws(ImageError) -> DecodedImage {
    let kind = try ImageFormat(bytes)
    let limit = TimeLimit(patience)
    let result = unsafe bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(ImageError) in try unsafe decode(kind, lent: bytes, fitting, limit) }
    }
    return try result.get()
  }

  /// Decodes a whole image at a small size to verify it.
  ///
  /// - Parameter bytes: The content of the file.
  /// - Throws: `ImageError` as `decode` does, and if a part of the image is missing or damaged.
  /// - Returns: The header of the image.
  static func check(_ bytes: [UInt8]) throws(ImageError) -> ImageHeader {
    let header = try ImageHeader(bytes)
    if let warning = try decode(bytes, fitting: Size(1, 1), within: patience).warning { throw .damaged(warning) }
    return header
  }

  /// Reads the size of an image from its header alone.
  ///
  /// - Parameter bytes: The content of the file, or at least its beginning with the whole header.
  /// - Throws: `ImageError` if the header is invalid or the size exceeds the limits of `decode`.
  /// - Returns: The size of the upright image, in pixels.
  package static func size(of bytes: [UInt8]) throws(ImageError) -> Size {
    let kind = try ImageFormat(bytes)
    let result = unsafe bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(ImageError) in
        switch kind {
        case .png: try checked(try unsafe PNGReader(lent: UnsafeRawBufferPointer(bytes)).size)
        case .jpeg: try checked(try unsafe JPEGReader(lent: bytes).size)
        }
      }
    }
    return try result.get()
  }

  private static func decode(
    _ kind: ImageFormat, lent bytes: UnsafeBufferPointer<UInt8>, _ fitting: Size?, _ limit: TimeLimit
  ) throws(ImageError) -> DecodedImage {
    switch kind {
    case .png:
      let reader = try unsafe PNGReader(lent: UnsafeRawBufferPointer(bytes))
      let size = try checked(reader.size)
      guard size.area > mostPixels else { return try reader.decoded() }
      if reader.isInterlaced {
        throw .size("\(size), interlaced, is more than 24 million pixels; save it without interlacing")
      }
      return try unsafe PNGRows(lent: bytes).decoded(by: factor(of: size, fitting), limit)
    case .jpeg:
      let reader = try unsafe JPEGReader(lent: bytes)
      _ = try checked(reader.size)
      return try reader.decoded(fitting: fitting, limit)
    }
  }

  /// Returns the factor by which each dimension of a PNG is reduced while it is read.
  ///
  /// The factor is large enough for `mostPixels`. Otherwise it leaves twice the wanted size in each direction, as input
  /// for the scaling filter.
  ///
  /// - Parameters:
  ///   - size: The size of the image.
  ///   - fitting: The wanted size; nil for the full size.
  /// - Returns: The factor, 1...64.
  private static func factor(of size: Size, _ fitting: Size?) -> Int {
    let wanted = fitting ?? size
    let need = min(size.width / max(1, wanted.width), size.height / max(1, wanted.height)) / 2
    let bound = (1...64).first { PNGRows.reduced(size, by: $0).area <= mostPixels } ?? 64
    return min(64, max(bound, need))
  }

  private static func checked(_ size: Size) throws(ImageError) -> Size {
    guard size.width > 0, size.height > 0, size.longSide <= 16384, size.area <= 64_000_000 else {
      throw .size("\(size) is more than 16384 pixels in one direction or 64 million in total; save it smaller")
    }
    return size
  }
}
