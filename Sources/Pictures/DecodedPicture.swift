public import Geometry

/// A picture from a file's bytes.
public struct DecodedPicture: Sendable {
  /// Its pixels, as they are seen; fewer than the file has where it was to fit something smaller.
  public let bitmap: Bitmap
  /// Pixels of the file, as they are seen.
  public let size: Size
  /// What a person should know: that a part is missing.
  public let warning: String?

  /// What decoding may take of memory, beside the file's bytes: 24 million pixels and a little more.
  static let mostBytes = 128 << 20
  /// Pixels that are kept of a picture, unless it is shown with fewer: a larger one is read with fewer.
  static let mostPixels = 24 << 20
  /// How long a picture may take.
  static let patience = Duration.seconds(10)

  /// Reads PNG and JPEG, which lies as its camera was held.
  ///
  /// - Parameters:
  ///   - fitting: The size that it is for. A larger picture is read with fewer pixels, but no fewer than that, as long as
  ///     these are 24 million at most.
  ///   - patience: How long that may take; nil for as long as it takes.
  /// - Throws: `PictureError`, where the bytes are no picture, are damaged (a JPEG's only from its first row on), hold
  ///   more than 16384 pixels in a direction or 64 million in all, or cannot be decoded in 128 MiB. Nothing is read of a
  ///   picture that is too large.
  public static func decode(
    _ bytes: [UInt8], fitting: Size? = nil, within patience: Duration? = nil
  ) throws(PictureError) -> DecodedPicture {
    let kind = try PictureKind(bytes)
    let limit = TimeLimit(patience)
    let result = unsafe bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(PictureError) in try unsafe decode(kind, lent: bytes, fitting, limit) }
    }
    return try result.get()
  }

  /// Reads all of a picture, with few pixels.
  ///
  /// - Returns: What its header says.
  /// - Throws: As `decode`; also where a part of it is missing or damaged.
  static func check(_ bytes: [UInt8]) throws(PictureError) -> PictureHeader {
    let header = try PictureHeader(bytes)
    if let warning = try decode(bytes, fitting: Size(1, 1), within: patience).warning { throw .damaged(warning) }
    return header
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
    _ kind: PictureKind, lent bytes: UnsafeBufferPointer<UInt8>, _ fitting: Size?, _ limit: TimeLimit
  ) throws(PictureError) -> DecodedPicture {
    switch kind {
    case .png:
      let reader = try unsafe PNGReader(lent: UnsafeRawBufferPointer(bytes))
      let size = try checked(reader.size)
      guard size.area > mostPixels else { return try reader.decoded() }
      if reader.isInterlaced {
        throw .size("\(size), interlaced: it is more than 24 million pixels; save it without that")
      }
      return try unsafe PNGRows(lent: bytes).decoded(by: factor(of: size, fitting), limit)
    case .jpeg:
      let reader = try unsafe JPEGReader(lent: bytes)
      _ = try checked(reader.size)
      return try reader.decoded(fitting: fitting, limit)
    }
  }

  /// By how much each direction of a picture is reduced while it is read: until it has few enough pixels, and to twice
  /// what is needed, which leaves the filter of the scaling enough to work on.
  private static func factor(of size: Size, _ fitting: Size?) -> Int {
    let wanted = fitting ?? size
    let need = min(size.width / max(1, wanted.width), size.height / max(1, wanted.height)) / 2
    let bound = (1...64).first { PNGRows.reduced(size, by: $0).area <= mostPixels } ?? 64
    return min(64, max(bound, need))
  }

  private static func checked(_ size: Size) throws(PictureError) -> Size {
    guard size.width > 0, size.height > 0, size.longSide <= 16384, size.area <= 64_000_000 else {
      throw .size("\(size) is more than 16384 pixels in a direction or 64 million in all; save it smaller")
    }
    return size
  }
}
