import Access
import NIOCore

/// A rate limiter with a token bucket per address.
///
/// It needs no timer: each call adds the tokens for the time since the last one.
struct RateLimiter {
  private struct Bucket {
    /// The number of tokens at `time`.
    var tokens: Double
    var time: NIODeadline
  }

  /// The number of tokens added per second.
  var rate: Double
  /// The maximum number of tokens in a bucket.
  var burst: Double
  /// The maximum number of buckets; the least recently used are removed first.
  let most: Int
  private var buckets: [IPAddress: Bucket] = [:]

  /// Creates a limiter without buckets.
  init(rate: Double, burst: Double, most: Int = 4096) {
    self.rate = rate
    self.burst = burst
    self.most = most
  }

  /// Takes a token from the bucket of an address; returns nil, or if there is none, the seconds until there is one.
  mutating func consume(_ address: IPAddress, at now: NIODeadline) -> Int? {
    let key = address.share
    let left = tokens(of: key, at: now)
    if buckets[key] == nil, buckets.count >= most { forget(at: now) }
    guard left >= 1 else { return Int(((1 - left) / rate).rounded(.up)) }
    buckets[key] = Bucket(tokens: left - 1, time: now)
    return nil
  }

  /// Returns the seconds until the bucket of an address has a token, or nil if it has one; takes no token.
  func wait(_ address: IPAddress, at now: NIODeadline) -> Int? {
    let left = tokens(of: address.share, at: now)
    return left >= 1 ? nil : Int(((1 - left) / rate).rounded(.up))
  }

  private func tokens(of key: IPAddress, at now: NIODeadline) -> Double {
    guard let bucket = buckets[key] else { return burst }
    let seconds = Double((now - bucket.time).nanoseconds) / 1e9
    return min(burst, bucket.tokens + max(0, seconds) * rate)
  }

  /// Removes full buckets and, if many remain, the oldest quarter of all, so that this happens rarely.
  private mutating func forget(at now: NIODeadline) {
    buckets = buckets.filter { tokens(of: $0.key, at: now) < burst }
    guard buckets.count > most * 3 / 4 else { return }
    for (key, _) in buckets.sorted(by: { $0.value.time < $1.value.time }).prefix(most / 4) { buckets[key] = nil }
  }
}
