import Geometry
import Layout
import Typesetting

/// Collects what has to be painted anew, as few rectangles that do not overlap.
struct Damage {
  private(set) var rects: [Rect] = []
  private let bounds: Rect

  /// More rectangles than this cost more to keep apart than to paint.
  private static let most = 16

  init(within bounds: Rect) { self.bounds = bounds }

  /// Adds a rectangle, joined with those that it meets.
  mutating func add(_ rect: Rect) {
    var joined = rect.intersection(bounds)
    guard !joined.isEmpty else { return }
    while let index = rects.firstIndex(where: { !$0.intersection(joined).isEmpty }) {
      joined = joined.union(rects.remove(at: index))
    }
    rects.append(joined)
    if rects.count > Damage.most { rects = [rects.reduce(.empty) { $0.union($1) }] }
  }
}

extension GlyphRun {
  /// Whether glyphs of the other run that stand at the same places look the same.
  func looksLike(_ other: GlyphRun) -> Bool { font == other.font && size == other.size }

  /// The glyphs between the first and the last that are not the same in the other run.
  func differing(from other: GlyphRun) -> Range<Int> {
    let shorter = min(glyphs.count, other.glyphs.count)
    var prefix = 0
    while prefix < shorter, glyphs[prefix] == other.glyphs[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix, glyphs[glyphs.count - 1 - suffix] == other.glyphs[other.glyphs.count - 1 - suffix]
    {
      suffix += 1
    }
    return prefix..<glyphs.count - suffix
  }
}
