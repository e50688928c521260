import Glibc

/// The clocks: monotonic time for flips, boot time, and wall time.
enum Clock {
  /// Returns CLOCK_MONOTONIC in nanoseconds.
  static let monotonic: @Sendable () -> UInt64 = {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Returns CLOCK_BOOTTIME in milliseconds.
  static let boot: @Sendable () -> Int64 = {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Returns the milliseconds since 1970.
  static let wall: @Sendable () -> Int64 = {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// The host, as named on the first screen.
enum Host {
  /// Returns the configured host name, or nil if only a default is set.
  static func name() -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The kernel's default before user space sets a name (UTS_NODENAME).
    return ["", "(none)", "localhost"].contains(host) ? nil : host
  }
}
