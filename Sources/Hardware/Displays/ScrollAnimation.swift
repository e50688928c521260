/// A scroll animation over a finite number of rows, which takes about a third of a second.
///
/// Each animation frame moves by the same number of whole rows; the last one stops at the end. If the end changes
/// during the animation, a new one starts at the visible row and keeps the frame timing (`Motion.go`). The content thus
/// neither jumps nor reverses.
package struct ScrollAnimation: Hashable, Sendable {
  /// The row at the start.
  package let from: Int
  /// The row at the end.
  package let to: Int
  /// The speed of the animation.
  package let pace: Pace

  /// The duration in milliseconds, for any distance up to `furthest`.
  ///
  /// Short distances take less time, because each animation frame moves by at least one row.
  package static let time = 350
  /// The limit on the distance, in windows.
  ///
  /// A longer scroll would be too fast to follow, so it is not animated.
  package static let furthest = 3

  /// Creates a scroll animation, or returns nil if the distance is zero or too large.
  ///
  /// - Parameters:
  ///   - from: The row at the start.
  ///   - to: The row at the end.
  ///   - window: The height of the window in rows.
  ///   - refresh: The refresh rate in thousandths of a hertz.
  package init?(from: Int, to: Int, window: Int, refresh: Int) {
    let (way, isEndless) = to.subtractingReportingOverflow(from)
    guard !isEndless, way != 0, let distance = Int(exactly: way.magnitude) else { return nil }
    guard distance / max(1, window) < ScrollAnimation.furthest else { return nil }
    self.from = from
    self.to = to
    pace = Pace(over: distance, milliseconds: ScrollAnimation.time, refresh: refresh)
  }

  /// Returns the visible row after a distance.
  ///
  /// - Parameter distance: The distance from the start in pixels.
  /// - Returns: The row, which does not go past the end.
  package func row(after distance: Int) -> Int {
    to > from ? from + min(distance, to - from) : from - min(distance, from - to)
  }
}
