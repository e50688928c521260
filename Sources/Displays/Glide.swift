/// A way over rows that has an end, to be gone in about a third of a second: as many whole rows in each picture of the
/// monitor, and with the last step no further than to the end.
///
/// Where the end becomes another one on the way, a glide from the row that is seen then goes on in the time of the one
/// before (`Motion.go`): nothing jumps, and nothing goes back that is to go on.
public struct Glide: Hashable, Sendable {
  /// The row where it begins.
  public let from: Int
  /// The row where it ends.
  public let to: Int
  /// How it goes.
  public let pace: Pace

  /// Milliseconds that it takes, whether it goes a part of a window or three; less where there are few rows to go, since
  /// none goes less than a row in each picture.
  public static let time = 350
  /// In windows. What is further away flies by so fast that nobody could follow: it is shown at once.
  public static let furthest = 3

  /// A glide over a window of so many rows; nil where there is no way to go, or one that is too far.
  public init?(from: Int, to: Int, window: Int, refresh: Int) {
    let (way, isEndless) = to.subtractingReportingOverflow(from)
    guard !isEndless, way != 0, let distance = Int(exactly: way.magnitude) else { return nil }
    guard distance / max(1, window) < Glide.furthest else { return nil }
    self.from = from
    self.to = to
    pace = Pace(over: distance, milliseconds: Glide.time, refresh: refresh)
  }

  /// The row that is seen after so many pixels.
  public func row(after distance: Int) -> Int {
    to > from ? from + min(distance, to - from) : from - min(distance, from - to)
  }
}
