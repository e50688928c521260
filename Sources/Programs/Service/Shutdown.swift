import Glibc
import NIOCore
import Synchronization

/// The shutdown of the daemon, with time limits in case a driver or disk does not respond.
final class Shutdown: Sendable {
  /// The time for all steps, and for the state alone after that. TimeoutStopSec of the unit is longer.
  static let limits = (all: Duration.seconds(8), state: Duration.seconds(2))

  private let loop: any EventLoop
  private let part = Mutex("the threads")

  /// Creates a shutdown whose limits run on a loop of their own, because any of the others may not respond.
  init(on loop: any EventLoop) { self.loop = loop }

  /// Records the part that is now being closed.
  func begin(_ part: String) { self.part.withLock { $0 = part } }

  /// Ends the process with status 1 after the limits, or immediately on a second termination signal.
  ///
  /// - Parameters:
  ///   - limits: The time for all steps, and for `store` after that.
  ///   - isAsked: Waits up to the given time for a termination signal, and returns whether one arrived.
  ///   - store: Stores the state if an earlier step did not finish.
  ///   - log: Logs the part that did not finish.
  func limit(
    limits: (all: Duration, state: Duration) = Shutdown.limits, isAsked: @escaping @Sendable (Duration) -> Bool,
    store: @escaping @Sendable () async -> Void, log: @escaping @Sendable (String) -> Void
  ) {
    loop.execute {
      let isUrgent = isAsked(limits.all)
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
