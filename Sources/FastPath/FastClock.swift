import CLinux

/// The machine's clock in its own zone, /etc/localtime, by libc.
public enum FastClock {
  /// Returns a time as a table has it: the time alone if it is today's, `17:01:38`, otherwise with its date.
  ///
  /// - Parameters:
  ///   - milliseconds: Since the beginning of 1970, UTC.
  ///   - now: The same of this moment.
  /// - Returns: Nil for a time before 1970 or one that libc cannot name.
  public static func short(milliseconds: Int, now: Int) -> String? {
    guard milliseconds >= 0, let then = local(milliseconds / 1000), let today = local(now / 1000) else { return nil }
    return then.day.utf8.elementsEqual(today.day.utf8) ? then.time : then.day + " " + then.time
  }

  /// Milliseconds since the beginning of 1970, UTC.
  static var now: Int {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// The machine's zone is /etc/localtime, as in the full program: libc reads it if `TZ` is not set (tzset(3)).
  private static func local(_ seconds: Int) -> (day: String, time: String)? {
    if unsafe getenv("TZ") != nil { unsafe unsetenv("TZ") }
    var seconds = time_t(seconds)
    var clock = unsafe tm()
    guard unsafe localtime_r(&seconds, &clock) != nil else { return nil }
    let day = unsafe "\(Int(clock.tm_year) + 1900)-" + padded(clock.tm_mon + 1) + "-" + padded(clock.tm_mday)
    return unsafe (day, padded(clock.tm_hour) + ":" + padded(clock.tm_min) + ":" + padded(clock.tm_sec))
  }

  private static func padded(_ number: Int32) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
