import Access
import NIOCore
import Primitives

/// The login sessions of browsers, and the limits for attempts to log in.
///
/// They are in memory only: a restart logs all browsers out.
struct Logins {
  /// The name of the cookie.
  static let cookie = "placard"
  /// The maximum number of login sessions; the least recently used one ends first.
  static let most = 64

  /// The login sessions by their IDs, with the time of their last use.
  ///
  /// An ID has 256 random bits. The duration of a lookup depends on the ID's hash under the process's secret seed,
  /// which reveals nothing about valid IDs.
  private var sessions: [String: NIODeadline] = [:]
  /// The limiter of wrong tokens per address: five at once, then one every ten seconds.
  private var failures = RateLimiter(rate: 0.1, burst: 5)
  /// The limiter of wrong tokens from all addresses together, because an attacker may have many.
  private var allFailures = RateLimiter(rate: 1, burst: 50, most: 1)
  /// The addresses that sent the right token before, which the attempts of other addresses cannot lock out.
  private var known: Set<IPAddress> = []

  private static let allAddresses = IPAddress(parsing: "::")

  /// Returns the number of seconds until an address may try a token again, or nil if it may try now.
  func wait(_ address: IPAddress, at now: NIODeadline) -> Int? {
    if let seconds = failures.wait(address, at: now) { return seconds }
    guard !known.contains(address.share), let all = Self.allAddresses else { return nil }
    return allFailures.wait(all, at: now)
  }

  /// Records a wrong token.
  mutating func failed(_ address: IPAddress, at now: NIODeadline) {
    _ = failures.consume(address, at: now)
    if let all = Self.allAddresses { _ = allFailures.consume(all, at: now) }
  }

  /// Records a right token.
  mutating func succeeded(_ address: IPAddress) {
    if known.count >= 4096 { known.removeAll() }
    known.insert(address.share)
  }

  /// Creates a login session and returns its ID for the cookie.
  mutating func open(at now: NIODeadline) -> String {
    if sessions.count >= Self.most, let oldest = sessions.min(by: { $0.value < $1.value }) {
      sessions[oldest.key] = nil
    }
    var generator = SystemRandomNumberGenerator()
    let id = (0..<4).map { _ in Hex.digits(generator.next(), 16) }.joined()
    sessions[id] = now
    return id
  }

  /// Returns whether one of the IDs belongs to a login session, and marks that session as used.
  mutating func use(_ ids: [String], at now: NIODeadline) -> Bool {
    guard let id = ids.first(where: { sessions[$0] != nil }) else { return false }
    sessions[id] = now
    return true
  }

  /// Ends the login sessions with these IDs.
  mutating func close(_ ids: [String]) { for id in ids { sessions[id] = nil } }

  /// Ends all login sessions, because the token has changed.
  mutating func closeAll() { sessions.removeAll() }
}
