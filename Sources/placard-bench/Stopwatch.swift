import Glibc

/// Times in microseconds, medians of many.
enum Stopwatch {
  /// Nanoseconds of CLOCK_MONOTONIC, which all processes share.
  static func now() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// How long one call takes.
  static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return microseconds(ContinuousClock.now - start)
  }

  /// The median over a number of calls, after one that is not counted.
  static func median(of count: Int, _ body: (Int) throws -> Void) rethrows -> Double {
    try body(0)
    var times: [Double] = []
    for round in 1...count { times.append(try time { try body(round) }) }
    return median(times)
  }

  /// The middle one.
  static func median(_ times: [Double]) -> Double { times.isEmpty ? 0 : times.sorted()[times.count / 2] }

  private static func microseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1e6 + Double(duration.components.attoseconds) / 1e12
  }
}
