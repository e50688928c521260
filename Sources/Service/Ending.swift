import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// The end of the service, which a driver or a disk that does not answer must not put off for ever.
final class Ending: Sendable {
  /// How long everything may take, and the state alone after that. TimeoutStopSec of the unit is longer.
  static let limits = (all: Duration.seconds(8), state: Duration.seconds(2))

  private let part = Mutex("the threads")

  /// Notes what is being ended now.
  func begin(_ part: String) { self.part.withLock { $0 = part } }

  /// Ends the process with status 1 after the limits, or at once when a second signal to end comes.
  ///
  /// - Parameters:
  ///   - isAsked: Waits for a signal to end, for so long, and says whether one came.
  ///   - store: Stores the state, where something before it did not end.
  ///   - log: Gets what did not end.
  func limit(
    limits: (all: Duration, state: Duration) = Ending.limits, isAsked: @escaping @Sendable (Duration) -> Bool,
    store: @escaping @Sendable () async -> Void, log: @escaping @Sendable (String) -> Void
  ) {
    // A thread of its own: any of the others may be the one that does not answer.
    MultiThreadedEventLoopGroup(numberOfThreads: 1).next().execute {
      let isUrgent = isAsked(limits.all)
      let part = self.part.withLock { $0 }
      if isUrgent {
        log("a second signal came before \(part) had closed: ending at once")
      } else {
        log("\(part) did not close within \(limits.all): ending without that")
        Task { await store() }
        _ = isAsked(limits.state)
      }
      _exit(1)
    }
  }
}
