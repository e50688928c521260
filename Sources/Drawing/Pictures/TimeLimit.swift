import SystemCalls

/// A deadline that decoders check between rows.
struct TimeLimit {
  /// The deadline in nanoseconds of CLOCK_MONOTONIC; 0 for none.
  let nanoseconds: UInt64
  private let patience: Duration

  /// Creates a limit that starts now; nil for none.
  init(_ patience: Duration?) {
    let (seconds, attoseconds) = (patience ?? .zero).components
    let length = UInt64(seconds) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000)
    nanoseconds = patience == nil ? 0 : SystemClock.monotonicNanoseconds() &+ length
    self.patience = patience ?? .zero
  }

  /// Whether the deadline has passed.
  var hasPassed: Bool { nanoseconds != 0 && SystemClock.monotonicNanoseconds() >= nanoseconds }

  /// The error to throw after the deadline.
  var error: ImageError { .slow(patience) }
}
