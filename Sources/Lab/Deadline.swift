import Glibc

/// A moment on CLOCK_MONOTONIC until which something may take.
struct Deadline: Sendable {
  /// The moment, in nanoseconds of CLOCK_MONOTONIC.
  let nanoseconds: UInt64

  /// The moment that is `duration` from now; negative durations count as none.
  init(in duration: Duration) {
    nanoseconds = monotonicNanoseconds() &+ duration.wholeNanoseconds
  }

  /// What is left, in milliseconds rounded up as poll(2) wants it; 0 when the moment has passed.
  var milliseconds: Int32 {
    let now = monotonicNanoseconds()
    guard now < nanoseconds else { return 0 }
    return Int32(clamping: (nanoseconds - now + 999_999) / 1_000_000)
  }

  var hasPassed: Bool { monotonicNanoseconds() >= nanoseconds }

  /// The moment as pthread_cond_timedwait wants it.
  var timespec: Glibc.timespec {
    Glibc.timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}

/// Now, in nanoseconds of CLOCK_MONOTONIC.
func monotonicNanoseconds() -> UInt64 {
  var now = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &now)
  return UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
}

extension Duration {
  /// Nanoseconds, at least none and at most 292 years.
  var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? UInt64(Int64.max) : min(product &+ UInt64(attoseconds / 1_000_000_000), UInt64(Int64.max))
  }

  /// For sentences: "2.5 s".
  var inWords: String {
    let tenths = wholeNanoseconds / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
