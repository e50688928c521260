import SystemCalls

/// Time measurements in microseconds, and their medians.
enum Stopwatch {
  /// Returns CLOCK_MONOTONIC in nanoseconds.
  ///
  /// All processes share this clock.
  static func now() -> Int { Int(SystemClock.monotonicNanoseconds()) }

  /// Returns the duration of one call.
  static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return microseconds(ContinuousClock.now - start)
  }

  /// Returns the median duration of a number of calls, after one uncounted call.
  static func median(of count: Int, _ body: (Int) throws -> Void) rethrows -> Double {
    try body(0)
    var times: [Double] = []
    for round in 1...count { times.append(try time { try body(round) }) }
    return median(times)
  }

  /// Returns the median.
  ///
  /// With an even number of values, it is the upper of the two middle ones.
  static func median(_ times: [Double]) -> Double { times.isEmpty ? 0 : times.sorted()[times.count / 2] }

  private static func microseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1e6 + Double(duration.components.attoseconds) / 1e12
  }
}
