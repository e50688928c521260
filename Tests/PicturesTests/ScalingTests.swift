import Geometry
import SeededRandom
import Testing

@testable import Pictures

struct ScalingTests {
  private func noise(_ size: Size, _ generator: inout SeededGenerator) -> Bitmap {
    let pixels = (0..<size.area).map { _ in Bitmap.pixel(straight: .random(in: 0 ... .max, using: &generator)) }
    return Bitmap(bounds: Rect(size), pixels: pixels, isOpaque: false)
  }

  /// Returns the linear light of a channel, or the opacity, 0...1.
  private func light(_ pixel: UInt32, _ shift: UInt32) -> Double {
    let value = Double(pixel >> shift & 0xFF) / 255
    return shift == 24 ? value : value * value
  }

  /// Returns the weight of Mitchell and Netravali's cubic filter, as defined in their paper.
  private func weight(_ distance: Double) -> Double {
    let (x, b, c) = (abs(distance), 1.0 / 3, 1.0 / 3)
    if x < 1 { return ((12 - 9 * b - 6 * c) * x * x * x + (-18 + 12 * b + 6 * c) * x * x + 6 - 2 * b) / 6 }
    if x >= 2 { return 0 }
    return ((-b - 6 * c) * x * x * x + (6 * b + 30 * c) * x * x + (-12 * b - 48 * c) * x + 8 * b + 24 * c) / 6
  }

  private func weights(_ place: Int, of sources: Int, in targets: Int) -> [Double] {
    let scale = Double(targets) / Double(sources)
    let center = (Double(place) + 0.5) / scale
    let raw = (0..<sources).map { weight((Double($0) + 0.5 - center) * min(1, scale)) }
    let sum = raw.reduce(0, +)
    return raw.map { $0 / sum }
  }

  @Test(arguments: UInt64(1)...10)
  func `a scaled image equals a direct sum over all its pixels, and a window is a part of it`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let (from, to) = (
      Size(.random(in: 1...24, using: &generator), .random(in: 1...24, using: &generator)),
      Size(.random(in: 1...40, using: &generator), .random(in: 1...40, using: &generator))
    )
    let source = noise(from, &generator)
    let scaled = source.scaled(to: to, window: Rect(to))
    #expect(scaled.bounds == Rect(to))
    let (across, down) = (
      (0..<to.width).map { weights($0, of: from.width, in: to.width) },
      (0..<to.height).map { weights($0, of: from.height, in: to.height) }
    )
    var worst = 0.0
    for spot in 0..<to.area where from != to {
      for shift in [UInt32(0), 8, 16, 24] {
        var sum = 0.0
        for (y, row) in down[spot / to.width].enumerated() where row != 0 {
          for (x, column) in across[spot % to.width].enumerated() where column != 0 {
            sum += light(source.pixels[y * from.width + x], shift) * row * column
          }
        }
        worst = max(worst, abs(light(scaled.pixels[spot], shift) - min(max(sum, 0), 1)))
      }
    }
    // A filter that rings overshoots the opacity, which limits the light.
    #expect(worst < 0.25, "seed \(seed)")
    let window = Rect(x: to.width / 3, y: to.height / 4, width: to.width / 2, height: to.height)
    let part = source.scaled(to: to, window: window)
    for y in part.bounds.y..<part.bounds.bottom {
      for x in part.bounds.x..<part.bounds.right {
        let place = (y - part.bounds.y) * part.bounds.width + x - part.bounds.x
        #expect(part.pixels[place] == scaled.pixels[y * to.width + x], "seed \(seed)")
      }
    }
  }

  @Test(arguments: [Size(1, 1), Size(7, 3), Size(64, 64), Size(200, 5)])
  func `a single-color image stays single-color and opaque at every size`(size: Size) {
    let plain = Bitmap(bounds: Rect(Size(13, 9)), pixels: Array(repeating: 0xFF20_80E0, count: 117), isOpaque: true)
    let scaled = plain.scaled(to: size, window: Rect(size))
    #expect(scaled.isOpaque && scaled.pixels == Array(repeating: 0xFF20_80E0, count: size.area))
  }

  @Test func `alternating black and white become half of white's light, not half of its value`() {
    let pixels = (0..<4096).map { UInt32(($0 + $0 / 64) % 2 == 0 ? 0xFFFF_FFFF : 0xFF00_0000) }
    let checks = Bitmap(bounds: Rect(Size(64, 64)), pixels: pixels, isOpaque: true)
    let scaled = checks.scaled(to: Size(8, 8), window: Rect(x: 2, y: 2, width: 4, height: 4))
    #expect(scaled.pixels.allSatisfy { abs(Int($0 & 0xFF) - 180) <= 1 })
  }
}
