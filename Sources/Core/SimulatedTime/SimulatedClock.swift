import Synchronization

/// A clock whose time advances when no work is left, and the event loops that do the work.
///
/// All work runs on the thread that is in `own`, one job at a time. With the same input, a run is the same each time,
/// provided that nothing runs elsewhere. Swift's global executor therefore has to run its jobs on `globalLoop`.
package final class SimulatedClock: Sendable {
  /// The event loops.
  package let loops: [SimulatedLoop]
  private let schedule: SimulatedSchedule
  /// The clock of the newest run.
  private static let current = Mutex<SimulatedClock?>(nil)

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - time: The first time, in nanoseconds of CLOCK_MONOTONIC.
  ///   - count: The number of event loops.
  ///   - choose: Returns which of a number of loops with work goes on next, from 0. By default it is always the first.
  package init(at time: UInt64, loops count: Int = 1, choose: @escaping @Sendable (Int) -> Int = { _ in 0 }) {
    let schedule = SimulatedSchedule(at: time, loops: count, choose: choose)
    self.schedule = schedule
    loops = (0..<count).map { SimulatedLoop($0, of: schedule) }
  }

  /// The loop for the jobs of Swift's global executor: the first one of the clock that runs or ran last; nil before the
  /// first.
  package static var globalLoop: SimulatedLoop? { current.withLock { $0?.loops.first } }

  /// The time, in nanoseconds.
  package var time: UInt64 { schedule.time }

  /// The number of jobs that ran, timers included.
  package var jobCount: Int { schedule.jobCount }

  /// The times of the timers that wait, in nanoseconds, earliest first.
  package var dueTimes: [UInt64] { schedule.dueTimes }

  /// Makes the calling thread that of the loops while `body` runs, which is on the first loop.
  package func own<Result>(_ body: () throws -> Result) rethrows -> Result {
    Self.current.withLock { $0 = self }
    return try schedule.own(body)
  }

  /// Runs all work until a time, which is the clock's time afterward.
  ///
  /// - Parameters:
  ///   - time: The time, in nanoseconds.
  ///   - most: The maximum number of timers.
  /// - Returns: False if there were more timers; the time is then that of the last one.
  package func run(until time: UInt64, most: Int) -> Bool { schedule.run(until: time, most: most) }

  /// Runs the work that is due now.
  ///
  /// - Parameter most: The maximum number of jobs.
  package func drain(most: Int = .max) { schedule.drain(most: most) }

  /// Cancels all timers.
  package func cancelTimers() { schedule.cancelTimers() }
}
