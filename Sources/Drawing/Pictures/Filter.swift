/// The filter weights of each pixel of a scaled row or column.
///
/// The filter is Mitchell and Netravali's cubic ("Reconstruction Filters in Computer Graphics", 1988), B = C = 1/3.
package struct Filter: Sendable {
  /// The sources of one pixel; the weight of each is `weights[first + source]`.
  struct Taps: Sendable {
    var sources: Range<Int>
    var first: Int
  }

  private(set) var taps: [Taps] = []
  private(set) var weights: [Float] = []
  /// The largest number of sources of any pixel.
  private(set) var longest = 1
  /// Whether every pixel is fully covered by sources.
  private(set) var isWhole = true

  /// Creates the filter for a range of scaled pixels.
  ///
  /// - Parameters:
  ///   - start: The first pixel.
  ///   - count: The number of pixels.
  ///   - origin: The position at which the first source starts, in scaled pixels.
  ///   - scale: The scaled length of one source pixel.
  ///   - sources: The number of source pixels.
  package init(from start: Int, count: Int, origin: Double, scale: Double, sources: Int) {
    let stretch = max(1, 1 / scale)
    let end = origin + Double(sources) * scale
    for pixel in start..<start + count {
      let center = (Double(pixel) + 0.5 - origin) / scale
      let lower = Int(min(max(0, (center - 2 * stretch).rounded(.down)), Double(sources - 1)))
      let upper = Int(max(Double(lower + 1), min(Double(sources), (center + 2 * stretch).rounded(.up))))
      let raw = (lower..<upper).map { Filter.weight((Double($0) + 0.5 - center) / stretch) }
      // Normalize over the sources that exist. A pixel that the image covers partly gets partial opacity.
      let covered = min(Double(pixel + 1), end) - max(Double(pixel), origin)
      let sum = raw.reduce(0, +)
      isWhole = isWhole && covered >= 1
      let share = sum > 0 ? min(max(covered, 0), 1) / sum : 0
      taps.append(Taps(sources: lower..<upper, first: weights.count - lower))
      weights += raw.map { Float($0 * share) }
      longest = max(longest, upper - lower)
    }
  }

  private static func weight(_ distance: Double) -> Double {
    let x = abs(distance)
    if x < 1 { return (7 * x * x * x - 12 * x * x + 16 / 3) / 6 }
    if x < 2 { return (-7 / 3 * x * x * x + 12 * x * x - 20 * x + 32 / 3) / 6 }
    return 0
  }
}
