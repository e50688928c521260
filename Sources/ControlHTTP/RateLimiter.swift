import Access
import NIOCore

/// Lets so many things a second through, and some at once, for each address: a bucket that tokens drip into. Needs no
/// timer: what has dripped since is counted when somebody comes.
struct RateLimiter {
  private struct Bucket {
    /// How many are there at `time`.
    var tokens: Double
    var time: NIODeadline
  }

  /// How many a second.
  var rate: Double
  /// How many at once.
  var burst: Double
  /// Most addresses that are remembered; whoever has not come for longest is forgotten first.
  let most: Int
  private var buckets: [IPAddress: Bucket] = [:]

  /// A limiter that has heard of nobody.
  init(rate: Double, burst: Double, most: Int = 4096) {
    self.rate = rate
    self.burst = burst
    self.most = most
  }

  /// Takes one from the bucket of an address; nil where there was one, or else after how many seconds there will be.
  mutating func take(_ address: IPAddress, at now: NIODeadline) -> Int? {
    let key = address.share
    let left = tokens(of: key, at: now)
    if buckets[key] == nil, buckets.count >= most { forget(at: now) }
    guard left >= 1 else { return Int(((1 - left) / rate).rounded(.up)) }
    buckets[key] = Bucket(tokens: left - 1, time: now)
    return nil
  }

  /// Whether the bucket of an address is empty; as `take`, but takes nothing.
  func wait(_ address: IPAddress, at now: NIODeadline) -> Int? {
    let left = tokens(of: address.share, at: now)
    return left >= 1 ? nil : Int(((1 - left) / rate).rounded(.up))
  }

  private func tokens(of key: IPAddress, at now: NIODeadline) -> Double {
    guard let bucket = buckets[key] else { return burst }
    let seconds = Double((now - bucket.time).nanoseconds) / 1e9
    return min(burst, bucket.tokens + max(0, seconds) * rate)
  }

  /// Forgets whose bucket is full again, and at least a quarter of all, so that this is seldom done.
  private mutating func forget(at now: NIODeadline) {
    buckets = buckets.filter { tokens(of: $0.key, at: now) < burst }
    guard buckets.count > most * 3 / 4 else { return }
    for (key, _) in buckets.sorted(by: { $0.value.time < $1.value.time }).prefix(most / 4) { buckets[key] = nil }
  }
}
