import Glibc

/// A deadline that decoders check between rows.
struct TimeLimit {
  /// The deadline in nanoseconds of CLOCK_MONOTONIC; 0 for none.
  let nanoseconds: UInt64
  private let patience: Duration

  /// Creates a limit that starts now; nil for none.
  init(_ patience: Duration?) {
    let (seconds, attoseconds) = (patience ?? .zero).components
    nanoseconds =
      patience == nil ? 0 : TimeLimit.now &+ UInt64(seconds) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000)
    self.patience = patience ?? .zero
  }

  /// Whether the deadline has passed.
  var hasPassed: Bool { nanoseconds != 0 && TimeLimit.now >= nanoseconds }

  /// The error to throw after the deadline.
  var error: ImageError { .slow(patience) }

  private static var now: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
