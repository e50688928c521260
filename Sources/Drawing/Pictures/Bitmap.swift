package import Geometry

/// Pixels in the form in which they are painted: with opacity, and mixed in linear light.
///
/// Values are approximately the square root of light (see `mix` in Raster). A translucent pixel stores the root of its
/// light times its opacity. Over a background it gives `root(value² + (1 - opacity) ground²)`. Scaling averages
/// `value²` at any opacity.
package struct Bitmap: Sendable {
  /// The position and size, relative to the origin of the containing image, with y downward.
  package let bounds: Rect
  /// The pixels, row by row from the top: opacity in the high byte, then the roots of red, green, and blue light.
  ///
  /// The count equals the area of `bounds`.
  package let pixels: [UInt32]
  /// Whether all pixels are opaque.
  package let isOpaque: Bool

  /// Creates a bitmap; the number of pixels must equal the area of `bounds`.
  package init(bounds: Rect, pixels: [UInt32], isOpaque: Bool) {
    precondition(pixels.count == bounds.size.area, "a bitmap of \(bounds.size) with \(pixels.count) pixels")
    self.bounds = bounds
    self.pixels = pixels
    self.isOpaque = isOpaque
  }

  /// A bitmap without pixels.
  package static let empty = Bitmap(bounds: .empty, pixels: [], isOpaque: true)

  /// The approximate memory use, in bytes.
  package var byteCount: Int { pixels.count * 4 + 192 }
}

extension Bitmap {
  /// Converts a pixel whose channel values are premultiplied by opacity, as fonts store them.
  package static func pixel(premultiplied pixel: UInt32) -> UInt32 {
    let opacity = Float(pixel &>> 24)
    return roots(of: pixel, times: opacity > 0 ? (255 / opacity).squareRoot() : 0)
  }

  /// Converts a pixel whose channel values are not premultiplied by opacity, as files store them.
  @inline(__always)
  static func pixel(straight pixel: UInt32) -> UInt32 {
    let opacity = pixel &>> 24
    if opacity == 255 { return pixel }
    return roots(of: pixel, times: (Float(opacity) / 255).squareRoot())
  }

  private static func roots(of pixel: UInt32, times factor: Float) -> UInt32 {
    func root(_ shift: UInt32) -> UInt32 {
      UInt32(min(255, (Float(pixel &>> shift & 0xFF) * factor).rounded())) &<< shift
    }
    return pixel & 0xFF00_0000 | root(16) | root(8) | root(0)
  }
}
