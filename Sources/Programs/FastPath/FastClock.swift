import CLinux

/// The local time in the machine's time zone, /etc/localtime, computed by libc.
package enum FastClock {
  /// Returns a time in the format of a table: `17:01:38` for a time today, otherwise with its date.
  ///
  /// - Parameters:
  ///   - milliseconds: The time in milliseconds since 1970-01-01 00:00 UTC.
  ///   - now: The current time in the same unit.
  /// - Returns: The text; nil for a time before 1970 or one that libc cannot convert.
  package static func short(milliseconds: Int, now: Int) -> String? {
    guard milliseconds >= 0, let then = local(milliseconds / 1000), let today = local(now / 1000) else { return nil }
    return then.day.utf8.elementsEqual(today.day.utf8) ? then.time : then.day + " " + then.time
  }

  /// The current time in milliseconds since 1970-01-01 00:00 UTC.
  static var now: Int {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// Returns the local date and time of day for a time in seconds since 1970.
  private static func local(_ seconds: Int) -> (day: String, time: String)? {
    // The full program ignores `TZ` as well. Without it libc reads /etc/localtime (tzset(3)).
    if unsafe getenv("TZ") != nil { unsafe unsetenv("TZ") }
    var seconds = time_t(seconds)
    var clock = unsafe tm()
    guard unsafe localtime_r(&seconds, &clock) != nil else { return nil }
    let day = unsafe "\(Int(clock.tm_year) + 1900)-" + padded(clock.tm_mon + 1) + "-" + padded(clock.tm_mday)
    return unsafe (day, padded(clock.tm_hour) + ":" + padded(clock.tm_min) + ":" + padded(clock.tm_sec))
  }

  private static func padded(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
