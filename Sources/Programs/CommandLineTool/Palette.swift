import Geometry
import Pictures

/// A palette for an image: all its colors if they are few enough, otherwise chosen by median cut (Heckbert 1982).
struct Palette {
  /// The colors.
  let colors: [Color]
  /// The index of each pixel's color, row by row.
  let indices: [UInt8]

  /// Creates a palette of at most `limit` colors, 1 to 256.
  init(_ picture: RGBImage, limit: Int = 256) {
    let keys = (0..<picture.size.area).map { at in
      let pixel = picture.pixels[at * 3..<at * 3 + 3]
      return pixel.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    }
    let counts = keys.reduce(into: [UInt32: Int]()) { $0[$1, default: 0] += 1 }
    var boxes = [Box(counts.map { Entry(key: $0.key, count: $0.value) })]
    while boxes.count < limit, let widest = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }),
      let halves = boxes[widest].halves
    {
      boxes[widest] = halves.0
      boxes.append(halves.1)
    }
    var places: [UInt32: UInt8] = [:]
    for (place, box) in boxes.enumerated() {
      for entry in box.entries { places[entry.key] = UInt8(place) }
    }
    colors = boxes.map(\.mean)
    indices = keys.map { places[$0] ?? 0 }
  }

  /// A color of the image and the number of its pixels.
  private struct Entry {
    let key: UInt32
    let count: Int

    func channel(_ shift: UInt32) -> Int { Int(key >> shift & 0xFF) }
  }

  /// A set of colors that become one.
  private struct Box {
    let entries: [Entry]
    /// The channel with the largest spread, as a shift of the key; `spread` is its range of values.
    private let shift: UInt32
    private let spread: Int
    /// The benefit of splitting the box; 0 for a single color.
    let weight: Int

    init(_ entries: [Entry]) {
      self.entries = entries
      let spreads = ([16, 8, 0] as [UInt32]).map { shift in
        let values = entries.map { $0.channel(shift) }
        return (shift: shift, spread: (values.max() ?? 0) - (values.min() ?? 0))
      }
      let widest = spreads.max { $0.spread < $1.spread } ?? (16, 0)
      (shift, spread) = (widest.shift, widest.spread)
      // The square root keeps large areas from outweighing small bright objects.
      let pixels = entries.reduce(0) { $0 + $1.count }
      weight = spread * spread * Int(Double(pixels).squareRoot().rounded(.up))
    }

    /// The two halves of the box, with about half of the pixels each; nil for a single color.
    var halves: (Box, Box)? {
      guard spread > 0 else { return nil }
      let sorted = entries.sorted { ($0.channel(shift), $0.key) < ($1.channel(shift), $1.key) }
      let half = sorted.reduce(0) { $0 + $1.count } / 2
      var (at, before) = (0, 0)
      while at < sorted.count - 1, at == 0 || before + sorted[at].count <= half {
        before += sorted[at].count
        at += 1
      }
      return (Box(Array(sorted[..<at])), Box(Array(sorted[at...])))
    }

    /// The mean color of the pixels.
    var mean: Color {
      let count = max(1, entries.reduce(0) { $0 + $1.count })
      func mean(_ shift: UInt32) -> UInt8 {
        UInt8((entries.reduce(0) { $0 + $1.channel(shift) * $1.count } + count / 2) / count)
      }
      return Color(red: mean(16), green: mean(8), blue: mean(0))
    }
  }
}
