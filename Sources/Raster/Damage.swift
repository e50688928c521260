import Geometry

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
