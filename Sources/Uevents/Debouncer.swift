/// Lets the first hint through at once and merges what follows closely: a plug shows without delay, and a storm of
/// events costs few probes. Pure; times are nanoseconds of any clock that only goes forward.
public struct Debouncer: Hashable, Sendable {
  /// A burst is over when nothing came for so long.
  public let quiet: UInt64
  /// Held hints are let go after so long, even if the burst goes on.
  public let longest: UInt64

  private var pending: [HotplugHint] = []
  private var lastTime: UInt64?
  private var heldSince: UInt64 = 0

  /// 50 ms of quiet end a burst and 500 ms are the longest delay, unless told otherwise.
  public init(quiet: UInt64 = 50_000_000, longest: UInt64 = 500_000_000) {
    self.quiet = quiet
    self.longest = longest
  }

  /// When `release` is due; nil while nothing is held.
  public var deadline: UInt64? {
    guard let lastTime, !pending.isEmpty else { return nil }
    return min(lastTime &+ quiet, heldSince &+ longest)
  }

  /// Takes a hint in; what comes back passes at once.
  public mutating func take(_ hint: HotplugHint, at now: UInt64) -> [HotplugHint] {
    let isBurst = lastTime.map { now < $0 &+ quiet } ?? false
    lastTime = now
    if !isBurst, pending.isEmpty { return [hint] }
    if pending.isEmpty { heldSince = now }
    hold(hint)
    return []
  }

  /// What is held, if it is time to let it go.
  public mutating func release(at now: UInt64) -> [HotplugHint] {
    guard let deadline, now >= deadline else { return [] }
    defer { pending = [] }
    // What comes right after is still the same burst.
    lastTime = now
    return pending
  }

  private mutating func hold(_ hint: HotplugHint) {
    if pending == [.overflow] { return }
    if hint == .overflow {
      pending = [.overflow]
      return
    }
    guard let place = pending.lastIndex(where: { $0.card == hint.card }), let merged = pending[place].merged(with: hint)
    else {
      pending.append(hint)
      return
    }
    pending[place] = merged
  }
}

extension HotplugHint {
  /// The card that the hint is about; nil for all.
  fileprivate var card: String? {
    switch self {
    case .cardAdded(let card), .cardRemoved(let card), .connectors(let card, _, _): card
    case .overflow: nil
    }
  }

  /// One hint in place of two, of which `later` came later; nil where both are needed.
  fileprivate func merged(with later: HotplugHint) -> HotplugHint? {
    if self == later { return self }
    switch (self, later) {
    case (.connectors(let card, let one, let property), .connectors(_, let two, let other)):
      let isSame = one == two && property != nil && other != nil
      return .connectors(
        card: card, connector: one == two ? one : nil, property: isSame && property == other ? property : nil)
    case (.cardAdded, .connectors): return self
    case (.connectors, .cardRemoved): return later
    default: return nil
    }
  }
}
