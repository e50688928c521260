import Access
import Logging
import NIOCore
import Synchronization

/// The counters of requests and connections rejected by limits.
///
/// Rejections are logged at most once per minute and counter, so that a client that keeps hitting a limit does not
/// flood the log.
final class RejectionCounters: Sendable {
  private struct State {
    var counts: [String: Int] = [:]
    /// The time of the last log line of each counter.
    var logged: [String: NIODeadline] = [:]
  }

  private static let quiet = TimeAmount.minutes(1)

  private let state = Mutex(State())
  private let logger: Logger

  /// Creates counters at 0, with the logger for rejections.
  init(logger: Logger) { self.logger = logger }

  /// The number of rejections since the start, by counter.
  var counts: [String: Int] { state.withLock { $0.counts } }

  /// Counts and logs the rejection of a client by a limit.
  func count(_ limit: AccessLimit, of client: Client, at now: NIODeadline) {
    count(limit.rawValue, at: now) { count in
      "the limit \(limit.rawValue) rejected \(client), number \(count) since the start; [controller.limits] can raise it"
    }
  }

  /// Counts and logs a wrong token.
  func countWrongToken(of client: Client, at now: NIODeadline) {
    count("wrong_tokens", at: now) { count in "\(client) sent a wrong token, number \(count) since the start" }
  }

  /// Counts a rejection without logging it.
  func countWithoutLogging(_ limit: AccessLimit) { state.withLock { $0.counts[limit.rawValue, default: 0] += 1 } }

  private func count(_ name: String, at now: NIODeadline, _ line: (Int) -> String) {
    let count: Int? = state.withLock { state in
      state.counts[name, default: 0] += 1
      if let logged = state.logged[name], now - logged < Self.quiet { return nil }
      state.logged[name] = now
      return state.counts[name]
    }
    if let count { logger.notice("\(line(count))") }
  }
}
