import NIOCore

/// How long to wait before the next attempt to become DRM master: 20 ms, doubled each time, at most 5 s.
struct MasterBackoff {
  private static let longest = TimeAmount.seconds(5)
  private var attempts: Int64 = 0
  private var restarted: NIODeadline?

  /// Counts a failed attempt.
  ///
  /// - Returns: The pause before the next one.
  mutating func next() -> TimeAmount {
    let delay = min(Self.longest, .milliseconds(20 << min(attempts, 10)))
    attempts += 1
    return delay
  }

  /// Restarts the backoff at 20 ms after a hint that another program released the card, at most once in 5 s.
  ///
  /// The limit is needed because the failed attempts of two waiting services are such hints for each other.
  ///
  /// - Parameter now: The time of the hint.
  mutating func restart(at now: NIODeadline) {
    if let restarted, now - restarted < Self.longest { return }
    restarted = now
    attempts = 0
  }
}

/// The delay before a card is opened again after it was closed while its node still exists.
///
/// It starts at one second and doubles up to one minute. A card that stays open for one minute resets it.
struct ReopenBackoff {
  private static let longest = TimeAmount.minutes(1)
  private var closings: Int64 = 0
  private var since = NIODeadline.distantPast

  func opened(at now: NIODeadline) -> ReopenBackoff {
    var next = self
    next.since = now
    return next
  }

  func closed(at now: NIODeadline) -> (delay: TimeAmount, next: ReopenBackoff) {
    var next = self
    if now - since >= Self.longest { next.closings = 0 }
    let delay = min(TimeAmount.seconds(1 << min(next.closings, 6)), Self.longest)
    next.closings += 1
    return (delay, next)
  }
}
