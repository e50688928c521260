import Pictures
import Raster

/// A screenshot of the daemon, as bytes that are comparable with the capture's.
struct Shot {
  let bytes: [UInt8]

  /// Creates a shot from a painted canvas.
  init(_ canvas: Canvas) throws {
    bytes = try unsafe canvas.withUnsafeBytes { bytes throws(ImageError) in
      try unsafe RGBImage(size: canvas.size, format: canvas.format, stride: canvas.stride, copying: bytes)
    }.pixels
  }

  init(pngBytes: [UInt8]) throws {
    bytes = try RGBImage(pngBytes: pngBytes).pixels
  }
}
