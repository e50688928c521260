import Geometry
import Layout

/// The pixels of a gradient along its axis. Where a format has fewer values than a gradient has steps, each of four lines
/// beside one another is rounded at other thresholds (ordered dither, by Bayer's matrix of four by four), so that no bands
/// are seen; what the format can store is stored as it is.
struct GradientTable<Pixel: PixelKind> {
  let axis: GradientItem.Axis
  /// The place on the axis of the first pixel of a line.
  let start: Int
  private(set) var lines: [[Pixel]]

  /// A table for the part of a gradient that is painted.
  init(_ item: GradientItem, in part: Rect) {
    axis = item.axis
    let (rect, part) = (item.rect, part.intersection(item.rect))
    let isAcross = axis == .horizontal
    let range = isAcross ? part.x..<part.right : part.y..<part.bottom
    let (first, last) = isAcross ? (rect.x, rect.right - 1) : (rect.y, rect.bottom - 1)
    start = range.lowerBound
    lines = (0..<Pixel.gradientLines).map { line in
      range.map { place in
        let share = Float(place - first) / Float(max(1, last - first))
        let values = item.from.values + (item.to.values - item.from.values) * share
        return Pixel(rounding: values, threshold: threshold(place & 3, line))
      }
    }
  }
}

/// Bayer's matrix, in 16ths and within them; the same for rows and columns exchanged would do as well.
private func threshold(_ x: Int, _ y: Int) -> Float {
  let matrix: [SIMD4<Float>] = [
    SIMD4(0, 8, 2, 10), SIMD4(12, 4, 14, 6), SIMD4(3, 11, 1, 9), SIMD4(15, 7, 13, 5),
  ]
  return (matrix[y][x] + 0.5) / 16
}

extension Color {
  /// Red, green and blue, 0...255.
  fileprivate var values: SIMD3<Float> { SIMD3(Float(red), Float(green), Float(blue)) }
}
