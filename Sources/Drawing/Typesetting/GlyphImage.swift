package import Geometry
package import Pictures

/// A bitmap glyph at the font's native size, with its scale and position.
///
/// Only the requested part is scaled, so a glyph of any size takes no more memory than its visible part.
package struct GlyphImage: Sendable {
  /// The number of display pixels per bitmap pixel.
  struct Scale {
    var x: Double
    var y: Double
  }

  /// The ink box, in pixels from the origin on the baseline, with y downward.
  package let bounds: Rect

  private let picture: Bitmap
  private let left: Double
  private let top: Double
  private let scale: Scale

  /// Creates an image from premultiplied BGRA pixels (little-endian words), with its top left corner at `left`, `top`.
  init(pixels: [UInt32], width: Int, height: Int, left: Double, top: Double, scale: Scale) {
    picture = Bitmap(
      bounds: Rect(Size(width, height)), pixels: pixels.map(Bitmap.pixel(premultiplied:)), isOpaque: false)
    self.left = left
    self.top = top
    self.scale = scale
    let (x, y) = (whole(left.rounded(.down)), whole(top.rounded(.down)))
    let right = whole((left + Double(width) * scale.x).rounded(.up))
    let bottom = whole((top + Double(height) * scale.y).rounded(.up))
    bounds = Rect(x: x, y: y, width: right - x, height: bottom - y)
  }

  /// The approximate memory use, in bytes.
  package var byteCount: Int { picture.byteCount }

  /// Returns the part of the image within a window, scaled to display pixels.
  ///
  /// - Parameter window: The window, in pixels from the glyph's origin.
  /// - Returns: The intersection of the window and `bounds`; empty if they do not overlap.
  package func bitmap(in window: Rect) -> Bitmap {
    let part = window.intersection(bounds)
    guard !part.isEmpty else { return .empty }
    return picture.scaled(
      to: part,
      Filter(from: part.x, count: part.width, origin: left, scale: scale.x, sources: picture.bounds.width),
      Filter(from: part.y, count: part.height, origin: top, scale: scale.y, sources: picture.bounds.height))
  }
}

/// Converts a coordinate to whole pixels, clamped so that rectangle arithmetic cannot overflow.
private func whole(_ place: Double) -> Int { Int(min(max(place, -0x1p40), 0x1p40)) }
