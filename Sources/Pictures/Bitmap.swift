public import Geometry

/// Pixels as they are painted: with opacity, and mixed by light.
///
/// Values are about the root of light (see Raster's blending), so that a pixel that lets something through is the roots
/// of its light times its opacity: on a ground it comes to `root(value² + (1 - opacity) ground²)`, and pixels are
/// scaled by averages of `value²`, whatever their opacity.
public struct Bitmap: Sendable {
  /// Where it is: from the origin of what it is a part of, y downwards.
  public let bounds: Rect
  /// Row by row from the top: opacity in the high byte, then the roots of light of red, green and blue. As many as the
  /// bounds hold.
  public let pixels: [UInt32]
  /// Whether nothing behind it is seen.
  public let isOpaque: Bool

  /// A bitmap from its parts.
  public init(bounds: Rect, pixels: [UInt32], isOpaque: Bool) {
    precondition(pixels.count == bounds.size.area, "a bitmap of \(bounds.size) with \(pixels.count) pixels")
    self.bounds = bounds
    self.pixels = pixels
    self.isOpaque = isOpaque
  }

  /// One without pixels.
  public static let empty = Bitmap(bounds: .empty, pixels: [], isOpaque: true)

  /// Bytes that it takes in memory, about.
  public var byteCount: Int { pixels.count * 4 + 192 }
}

extension Bitmap {
  /// A pixel from one whose values were multiplied by opacity as they are, which is how fonts have them.
  public static func pixel(premultiplied pixel: UInt32) -> UInt32 {
    let opacity = Float(pixel &>> 24)
    return roots(of: pixel, times: opacity > 0 ? (255 / opacity).squareRoot() : 0)
  }

  /// A pixel from one whose values were not multiplied by opacity, which is how files have them.
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
