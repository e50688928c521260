import Pictures
import Raster

/// A PNG that the service made, as bytes that compare with the witness's.
struct Shot {
  let bytes: [UInt8]

  /// What was painted on a canvas.
  init(_ canvas: Canvas) throws {
    bytes = try unsafe canvas.withUnsafeBytes { bytes throws(PictureError) in
      try unsafe Picture(size: canvas.size, format: canvas.format, stride: canvas.stride, copying: bytes)
    }.pixels
  }

  init(pngBytes: [UInt8]) throws {
    bytes = try Picture(pngBytes: pngBytes).pixels
  }
}
