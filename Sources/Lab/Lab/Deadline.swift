import CLinux
import Glibc
import SystemCalls

/// A point in time on CLOCK_MONOTONIC that limits an operation.
struct Deadline: Sendable {
  /// The time in nanoseconds of CLOCK_MONOTONIC.
  let nanoseconds: UInt64

  /// Creates a deadline that is `duration` from now.
  ///
  /// Negative durations count as 0.
  init(in duration: Duration) {
    nanoseconds = SystemClock.monotonicNanoseconds() &+ duration.wholeNanoseconds
  }

  /// The remaining time in milliseconds, rounded up for poll(2), or 0 if the deadline has passed.
  var milliseconds: Int32 {
    let now = SystemClock.monotonicNanoseconds()
    guard now < nanoseconds else { return 0 }
    return Int32(clamping: (nanoseconds - now + 999_999) / 1_000_000)
  }

  var hasPassed: Bool { SystemClock.monotonicNanoseconds() >= nanoseconds }

  /// The time in the format of pthread_cond_timedwait.
  var timespec: Glibc.timespec {
    Glibc.timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}

extension Duration {
  /// The default time limit, ten minutes. It only ends what hangs: on a busy machine, an emulated guest can take minutes
  /// for what usually takes a second.
  public static let generous = Duration.seconds(600)

  /// The duration in nanoseconds, limited to 0 through 292 years.
  var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? UInt64(Int64.max) : min(product &+ UInt64(attoseconds / 1_000_000_000), UInt64(Int64.max))
  }

  /// The duration for messages, such as "2.5 s".
  var formatted: String {
    let tenths = wholeNanoseconds / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
