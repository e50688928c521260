import Geometry

/// The region to repaint, as a small set of rectangles that do not overlap.
struct Damage {
  private(set) var rects: [Rect] = []
  private let bounds: Rect

  /// The rectangle limit, above which separate rectangles cost more than painting their union.
  private static let most = 16

  init(within bounds: Rect) { self.bounds = bounds }

  /// Adds a rectangle, merged with those that it intersects.
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
