import Glibc
import NIOCore
import Synchronization

/// The shutdown of the daemon, with time limits in case a driver or disk does not respond.
final class Shutdown: Sendable {
  /// The time limits of a shutdown.
  struct Limits {
    /// The time for all steps.
    var all = Duration.seconds(8)
    /// The time for the state alone after that. TimeoutStopSec of the unit is longer than both.
    var state = Duration.seconds(2)
    /// The time within which signals count as one: timeout(1) sends two, and so does a script that passes on the Ctrl-C
    /// that its children get as well.
    var together = Duration.milliseconds(500)
  }

  private let loop: any EventLoop
  private let part = Mutex("the threads")

  /// Creates a shutdown whose limits run on a loop of their own, because any of the others may not respond.
  init(on loop: any EventLoop) { self.loop = loop }

  /// Records the part that is now being closed.
  func begin(_ part: String) { self.part.withLock { $0 = part } }

  /// Ends the process with status 1 after the limits, or immediately on a second termination signal.
  ///
  /// - Parameters:
  ///   - limits: The time limits.
  ///   - isAsked: Waits up to the given time for a termination signal, and returns whether one arrived.
  ///   - store: Stores the state if an earlier step did not finish.
  ///   - log: Logs the part that did not finish.
  func limit(
    limits: Limits = Limits(), isAsked: @escaping @Sendable (Duration) -> Bool,
    store: @escaping @Sendable () async -> Void, log: @escaping @Sendable (String) -> Void
  ) {
    loop.execute {
      let began = ContinuousClock.now
      var isUrgent = isAsked(limits.all)
      while isUrgent, case let passed = ContinuousClock.now - began, passed < limits.together {
        isUrgent = isAsked(limits.all - passed)
      }
      let part = self.part.withLock { $0 }
      if isUrgent {
        log("received a second signal before \(part) closed: exiting now")
      } else {
        log("\(part) did not close within \(limits.all): exiting without it")
        Task { await store() }
        _ = isAsked(limits.state)
      }
      _exit(1)
    }
  }
}
