public import Geometry

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

  private let pixels: [UInt32]
  private let width: Int
  private let height: Int
  private let left: Double
  private let top: Double
  private let scale: Scale

  /// A picture of premultiplied BGRA (as little-endian words), whose left top corner comes to this place.
  init(pixels: [UInt32], width: Int, height: Int, left: Double, top: Double, scale: Scale) {
    self.pixels = pixels
    self.width = width
    self.height = height
    self.left = left
    self.top = top
    self.scale = scale
    let (x, y) = (whole(left.rounded(.down)), whole(top.rounded(.down)))
    let right = whole((left + Double(width) * scale.x).rounded(.up))
    let bottom = whole((top + Double(height) * scale.y).rounded(.up))
    bounds = Rect(x: x, y: y, width: right - x, height: bottom - y)
  }

  /// Bytes that this picture takes in memory, about.
  public var byteCount: Int { pixels.count * 4 + 192 }

  /// Draws the part of it that lies in a window of pixels from the origin.
  ///
  /// It is scaled by Mitchell and Netravali's cubic filter, which neither blurs much nor rings much; where it shrinks,
  /// the filter is stretched over all pixels that become one. It works on light, as the blending of letters does:
  /// averages of the values themselves would be too dark.
  public func glyph(in window: Rect) -> ColorGlyph {
    let part = window.intersection(bounds)
    guard !part.isEmpty else { return .empty }
    let columns = Filter(from: part.x, count: part.width, origin: left, scale: scale.x, sources: width)
    let rows = Filter(from: part.y, count: part.height, origin: top, scale: scale.y, sources: height)
    var lines = ScaledLines(columns: columns, kept: rows.longest)
    var result: [UInt32] = []
    result.reserveCapacity(part.width * part.height)
    for taps in rows.taps {
      for row in taps.sources where row > lines.newest {
        lines.add(row, pixels[row * width..<(row + 1) * width].map(light))
      }
      lines.mix(taps, of: rows, to: &result)
    }
    return ColorGlyph(bounds: part, pixels: result)
  }
}

/// Part of a glyph in colour, as pixels.
public struct ColorGlyph: Sendable {
  /// Where it is, in pixels from the origin on the baseline, y downwards.
  public let bounds: Rect
  /// Row by row from the top: opacity in the high byte, then red, green and blue as the roots of their light times
  /// opacity. On a ground the light is added: `root(value² + (1 - opacity) ground²)`.
  public let pixels: [UInt32]

  /// A part without pixels.
  public static let empty = ColorGlyph(bounds: .empty, pixels: [])

  /// Bytes that this glyph takes in memory, about.
  public var byteCount: Int { pixels.count * 4 + 192 }
}

/// Values are about the root of light (see Raster's blending). They come multiplied by opacity: value² / opacity is
/// light times opacity.
private func light(_ pixel: UInt32) -> SIMD4<Float> {
  let opacity = Float(pixel &>> 24) / 255
  guard opacity > 0 else { return SIMD4(repeating: 0) }
  let values =
    SIMD4(Float(pixel & 0xFF), Float(pixel &>> 8 & 0xFF), Float(pixel &>> 16 & 0xFF), 0) / Float(255)
  var light = values * values / opacity
  light.w = opacity
  return light
}

/// The root of light, in bytes. A cubic filter overshoots a little at edges.
@inline(__always)
private func pixel(_ light: SIMD4<Float>) -> UInt32 {
  let opacity = min(max(light.w, 0), 1)
  let most = SIMD4<Float>(repeating: opacity)
  var bounded = light.replacing(with: SIMD4(repeating: 0), where: light .< SIMD4(repeating: 0))
  bounded = bounded.replacing(with: most, where: bounded .> most)
  var values = bounded.squareRoot() * 255
  values.w = opacity * 255
  // Beyond 2 to the 23rd a float counts by ones: its last bits are the rounded number.
  let bits = unsafe unsafeBitCast(values + 0x1p23, to: SIMD4<UInt32>.self) & 0xFF
  return bits.w &<< 24 | bits.z &<< 16 | bits.y &<< 8 | bits.x
}

/// A place as whole pixels, within what rectangles can count without overflow.
private func whole(_ place: Double) -> Int { Int(min(max(place, -0x1p40), 0x1p40)) }

/// Rows that were scaled across already, as many as one row of the result is mixed from.
private struct ScaledLines {
  let columns: Filter
  let kept: Int
  /// The last row that was scaled; they come from the top.
  private(set) var newest = -1
  private var rows: [SIMD4<Float>]
  private var sums: [SIMD4<Float>]

  init(columns: Filter, kept: Int) {
    self.columns = columns
    self.kept = kept
    rows = Array(repeating: SIMD4(repeating: 0), count: columns.taps.count * kept)
    sums = Array(repeating: SIMD4(repeating: 0), count: columns.taps.count)
  }

  mutating func add(_ row: Int, _ source: [SIMD4<Float>]) {
    newest = row
    let start = row % kept * columns.taps.count
    for (x, taps) in columns.taps.enumerated() {
      var sum = SIMD4<Float>(repeating: 0)
      for index in taps.sources { sum += source[index] * columns.weights[taps.first &+ index] }
      rows[start &+ x] = sum
    }
  }

  mutating func mix(_ taps: Filter.Taps, of filter: Filter, to result: inout [UInt32]) {
    let (rows, kept, count) = (rows, kept, sums.count)
    var sums = sums.mutableSpan
    for x in sums.indices { sums[x] = SIMD4(repeating: 0) }
    for row in taps.sources {
      let weight = filter.weights[taps.first &+ row]
      let line = rows.span.extracting(row % kept * count..<(row % kept + 1) * count)
      for x in line.indices { sums[x] += line[x] * weight }
    }
    for x in sums.indices { result.append(pixel(sums[x])) }
  }
}
