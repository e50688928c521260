package import Geometry

extension Bitmap {
  /// Scales the bitmap to a size and returns the part within a window; its own bounds must start at the origin.
  ///
  /// - Parameters:
  ///   - size: The size of the whole scaled bitmap, in pixels.
  ///   - window: The wanted part, in pixels of the scaled bitmap.
  /// - Returns: The scaled part, with bounds in pixels of the scaled bitmap.
  package func scaled(to size: Size, window: Rect) -> Bitmap {
    let part = window.intersection(Rect(size))
    if size == bounds.size && part == bounds { return self }
    let columns = Filter(
      from: part.x, count: part.width, origin: 0, scale: Double(size.width) / Double(max(1, bounds.width)),
      sources: bounds.width)
    let rows = Filter(
      from: part.y, count: part.height, origin: 0, scale: Double(size.height) / Double(max(1, bounds.height)),
      sources: bounds.height)
    return scaled(to: part, columns, rows)
  }

  /// Scales the bitmap with Mitchell and Netravali's cubic filter, which limits both blur and ringing.
  ///
  /// When shrinking, the filter is stretched over all source pixels of a result pixel. It works in linear light, like
  /// the blending of letters: averages of the channel values would be too dark.
  ///
  /// - Parameters:
  ///   - part: The bounds of the result.
  ///   - columns: The filter with one entry for each column of the result.
  ///   - rows: The filter with one entry for each row of the result.
  /// - Returns: The scaled bitmap.
  package func scaled(to part: Rect, _ columns: Filter, _ rows: Filter) -> Bitmap {
    guard !part.isEmpty, !bounds.isEmpty else { return .empty }
    var lines = ScaledLines(columns: columns, kept: rows.longest)
    var result: [UInt32] = []
    result.reserveCapacity(part.width * part.height)
    for taps in rows.taps {
      for row in taps.sources where row > lines.newest {
        lines.add(row, pixels.span.extracting(row * bounds.width..<(row + 1) * bounds.width))
      }
      lines.mix(taps, of: rows, to: &result)
    }
    return Bitmap(bounds: part, pixels: result, isOpaque: isOpaque && columns.isWhole && rows.isWhole)
  }
}

/// Returns the linear light of a pixel and its opacity, 0...1.
@inline(__always)
private func light(_ pixel: UInt32) -> SIMD4<Float> {
  let values = SIMD4(
    Float(pixel & 0xFF), Float(pixel &>> 8 & 0xFF), Float(pixel &>> 16 & 0xFF), Float(pixel &>> 24))
  var light = values * values * (1 / (255 * 255))
  light.w = values.w * (1 / 255)
  return light
}

/// Converts linear light to bytes, clamping the slight overshoot of the cubic filter at edges.
@inline(__always)
private func pixel(_ light: SIMD4<Float>) -> UInt32 {
  let opacity = min(max(light.w, 0), 1)
  let most = SIMD4<Float>(repeating: opacity)
  var bounded = light.replacing(with: SIMD4(repeating: 0), where: light .< SIMD4(repeating: 0))
  bounded = bounded.replacing(with: most, where: bounded .> most)
  var values = bounded.squareRoot() * 255
  values.w = opacity * 255
  // Floats from 2^23 on have no fractional bits, so the low bits hold the rounded number.
  let bits = unsafe unsafeBitCast(values + 0x1p23, to: SIMD4<UInt32>.self) & 0xFF
  return bits.w &<< 24 | bits.z &<< 16 | bits.y &<< 8 | bits.x
}

/// A ring of horizontally scaled rows, as many as one result row combines.
private struct ScaledLines {
  let columns: Filter
  let kept: Int
  /// The last row that was scaled; rows are added from the top.
  private(set) var newest = -1
  private var source: [SIMD4<Float>] = []
  private var rows: [SIMD4<Float>]
  private var sums: [SIMD4<Float>]

  init(columns: Filter, kept: Int) {
    self.columns = columns
    self.kept = kept
    rows = Array(repeating: SIMD4(repeating: 0), count: columns.taps.count * kept)
    sums = Array(repeating: SIMD4(repeating: 0), count: columns.taps.count)
  }

  mutating func add(_ row: Int, _ pixels: Span<UInt32>) {
    newest = row
    source.removeAll(keepingCapacity: true)
    for index in pixels.indices { source.append(light(pixels[index])) }
    let (columns, light) = (columns, source)
    let (source, taps, weights) = (light.span, columns.taps.span, columns.weights.span)
    let start = row % kept * taps.count
    var rows = rows.mutableSpan
    for x in taps.indices {
      let tap = taps[x]
      var sum = SIMD4<Float>(repeating: 0)
      for index in tap.sources { sum += source[index] * weights[tap.first &+ index] }
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
