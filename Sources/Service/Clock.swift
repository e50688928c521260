import Glibc

/// The clocks: of flips, and of people.
enum Clock {
  /// Nanoseconds of CLOCK_MONOTONIC.
  static let monotonic: @Sendable () -> UInt64 = {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Milliseconds of CLOCK_BOOTTIME.
  static let boot: @Sendable () -> Int64 = {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Milliseconds since 1970.
  static let wall: @Sendable () -> Int64 = {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// The host, as the first screen names it.
enum Host {
  /// Its name as people gave it; nil where it has none of its own.
  static func name() -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The kernel's name before anything has set one (UTS_NODENAME).
    return ["", "(none)", "localhost"].contains(host) ? nil : host
  }
}
