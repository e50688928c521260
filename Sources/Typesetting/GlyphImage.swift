public import Geometry
public import Pictures

/// A glyph's picture in the size in which the font has it, and where it goes. Only what is asked for is scaled, so that
/// a glyph of any size takes no more memory than the part of it that is seen.
public struct GlyphImage: Sendable {
  /// Pixels of the display for each one of the picture.
  struct Scale {
    var x: Double
    var y: Double
  }

  /// Where it has ink, in pixels from the origin on the baseline, y downwards.
  public let bounds: Rect

  private let picture: Bitmap
  private let left: Double
  private let top: Double
  private let scale: Scale

  /// A picture of premultiplied BGRA (as little-endian words), whose left top corner comes to this place.
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

  /// Bytes that this picture takes in memory, about.
  public var byteCount: Int { picture.byteCount }

  /// Draws the part of it that lies in a window of pixels from the origin.
  public func bitmap(in window: Rect) -> Bitmap {
    let part = window.intersection(bounds)
    guard !part.isEmpty else { return .empty }
    return picture.scaled(
      to: part,
      Filter(from: part.x, count: part.width, origin: left, scale: scale.x, sources: picture.bounds.width),
      Filter(from: part.y, count: part.height, origin: top, scale: scale.y, sources: picture.bounds.height))
  }
}

/// A place as whole pixels, within what rectangles can count without overflow.
private func whole(_ place: Double) -> Int { Int(min(max(place, -0x1p40), 0x1p40)) }
