import Access
import Logging
import NIOCore
import Synchronization

/// Counts what limits cut, by the limit's name, and tells the log of it: once a minute and limit at most, so that who
/// runs into one all the time does not fill the log, too.
final class Cuts: Sendable {
  private struct State {
    var counts: [String: Int] = [:]
    /// When the log was told last.
    var told: [String: NIODeadline] = [:]
  }

  private static let quiet = TimeAmount.minutes(1)

  private let state = Mutex(State())
  private let logger: Logger

  /// Counts from 0, and tells this log.
  init(logger: Logger) { self.logger = logger }

  /// What was cut since the start.
  var counts: [String: Int] { state.withLock { $0.counts } }

  /// A limit has cut somebody.
  func count(_ limit: AccessLimit, of client: Client, at now: NIODeadline) {
    count(limit.rawValue, at: now) { count in
      "the limit \(limit.rawValue) has cut \(client), number \(count) since the start; [controller.limits] can raise it"
    }
  }

  /// Somebody brought a wrong token.
  func countWrongToken(of client: Client, at now: NIODeadline) {
    count("wrong_tokens", at: now) { count in "\(client) has brought a wrong token, number \(count) since the start" }
  }

  /// Counts what is no news.
  func countQuietly(_ limit: AccessLimit) { state.withLock { $0.counts[limit.rawValue, default: 0] += 1 } }

  private func count(_ name: String, at now: NIODeadline, _ line: (Int) -> String) {
    let count: Int? = state.withLock { state in
      state.counts[name, default: 0] += 1
      if let told = state.told[name], now - told < Self.quiet { return nil }
      state.told[name] = now
      return state.counts[name]
    }
    if let count { logger.notice("\(line(count))") }
  }
}
