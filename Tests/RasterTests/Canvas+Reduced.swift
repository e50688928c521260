import Geometry
import Pictures
import Raster

extension Canvas {
  /// Returns the image at a smaller size.
  func reduced(to longSide: Int) throws -> RGBImage {
    let size = size
    let stride = stride
    let pixels = unsafe withUnsafeBytes { bytes in
      (0..<size.height).flatMap { y in
        unsafe bytes[y * stride..<y * stride + size.width * 4].withMemoryRebound(to: UInt32.self) { unsafe Array($0) }
      }
    }
    let small = Size(size.width * longSide / size.longSide, size.height * longSide / size.longSide)
    let bitmap = Bitmap(bounds: Rect(size), pixels: pixels, isOpaque: true).scaled(to: small, window: Rect(small))
    return try RGBImage(
      size: small, rgb: bitmap.pixels.flatMap { [UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255)] })
  }
}
