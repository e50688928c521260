import Geometry
import Layout

/// The pixels of a gradient along its axis.
///
/// A format with fewer values than the gradient has steps uses ordered dithering against banding: four adjacent lines
/// round at different thresholds (4×4 Bayer matrix). Values that the format can represent are stored unchanged.
struct GradientTable<Pixel: PixelStorage> {
  let axis: GradientItem.Axis
  /// The position on the axis of the first pixel of a line.
  let start: Int
  private(set) var lines: [[Pixel]]

  /// Creates a table for the painted part of a gradient.
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

/// Returns the Bayer matrix element as a threshold in 0...1; the transposed matrix would work equally well.
private func threshold(_ x: Int, _ y: Int) -> Float {
  let matrix: [SIMD4<Float>] = [
    SIMD4(0, 8, 2, 10), SIMD4(12, 4, 14, 6), SIMD4(3, 11, 1, 9), SIMD4(15, 7, 13, 5),
  ]
  return (matrix[y][x] + 0.5) / 16
}

extension Color {
  /// The red, green, and blue components, 0...255.
  fileprivate var values: SIMD3<Float> { SIMD3(Float(red), Float(green), Float(blue)) }
}
