import Glibc

/// The kernel's clocks (clock_gettime(2)).
package enum SystemClock {
  /// Returns CLOCK_MONOTONIC, which stands still while the machine sleeps, in nanoseconds.
  package static func monotonicNanoseconds() -> UInt64 {
    let time = now(CLOCK_MONOTONIC)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Returns CLOCK_BOOTTIME, which goes on while the machine sleeps, in milliseconds.
  package static func bootMilliseconds() -> Int64 { milliseconds(now(CLOCK_BOOTTIME)) }

  /// Returns CLOCK_REALTIME, the time since 1970, in milliseconds.
  ///
  /// It jumps when the machine's time is set.
  package static func wallMilliseconds() -> Int64 { milliseconds(now(CLOCK_REALTIME)) }

  private static func now(_ clock: clockid_t) -> timespec {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time
  }

  private static func milliseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
