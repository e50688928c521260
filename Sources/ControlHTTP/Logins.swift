import Access
import NIOCore

/// Who is logged in with a browser, and how often somebody may try. In memory: a restart logs everybody out.
struct Logins {
  /// The name of the cookie.
  static let cookie = "placard"
  /// Most browsers that are logged in at a time; whoever has not come for longest is logged out first.
  static let most = 64

  /// The sessions by their ids, and when each was used last. An id is 256 bits of chance; to look it up takes a time that
  /// depends on its hash under the process's secret seed, which tells nobody anything.
  private var sessions: [String: NIODeadline] = [:]
  /// Wrong tokens of one address: five at once, then one in ten seconds.
  private var failures = RateLimiter(rate: 0.1, burst: 5)
  /// Wrong tokens of all addresses together: somebody may have many.
  private var allFailures = RateLimiter(rate: 1, burst: 50, most: 1)
  /// Addresses that had the right token before; strangers cannot shut them out by failing all the time.
  private var known: Set<IPAddress> = []

  private static let everybody = IPAddress(parsing: "::")

  /// After how many seconds this address may try a token again; nil where it may now.
  func wait(_ address: IPAddress, at now: NIODeadline) -> Int? {
    if let seconds = failures.wait(address, at: now) { return seconds }
    guard !known.contains(address.share), let all = Self.everybody else { return nil }
    return allFailures.wait(all, at: now)
  }

  /// A token was wrong.
  mutating func failed(_ address: IPAddress, at now: NIODeadline) {
    _ = failures.take(address, at: now)
    if let all = Self.everybody { _ = allFailures.take(all, at: now) }
  }

  /// A token was right.
  mutating func succeeded(_ address: IPAddress) {
    if known.count >= 4096 { known.removeAll() }
    known.insert(address.share)
  }

  /// Begins a session; its id goes into the cookie.
  mutating func open(at now: NIODeadline) -> String {
    if sessions.count >= Self.most, let oldest = sessions.min(by: { $0.value < $1.value }) {
      sessions[oldest.key] = nil
    }
    var generator = SystemRandomNumberGenerator()
    let id = (0..<4).map { _ in
      let part = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - part.count) + part
    }.joined()
    sessions[id] = now
    return id
  }

  /// Whether one of these ids is that of a session, which has been used by that.
  mutating func use(_ ids: [String], at now: NIODeadline) -> Bool {
    guard let id = ids.first(where: { sessions[$0] != nil }) else { return false }
    sessions[id] = now
    return true
  }

  /// Ends the sessions of these ids.
  mutating func close(_ ids: [String]) { for id in ids { sessions[id] = nil } }

  /// Ends all sessions: the token is another one.
  mutating func closeAll() { sessions.removeAll() }
}
