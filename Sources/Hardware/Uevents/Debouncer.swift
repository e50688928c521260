/// A filter that passes the first hotplug event at once and merges the events that follow closely.
///
/// A plugged monitor thus appears without delay, and an event storm causes few probes. Pure: times are nanoseconds of
/// any monotonic clock.
package struct Debouncer: Hashable, Sendable {
  /// The time without events that ends a burst, in nanoseconds.
  package let quiet: UInt64
  /// The maximum time that events are held in a long burst, in nanoseconds.
  package let longest: UInt64

  private var pending: [HotplugEvent] = []
  private var lastTime: UInt64?
  private var heldSince: UInt64 = 0

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - quiet: The time without events that ends a burst, in nanoseconds.
  ///   - longest: The maximum time that events are held, in nanoseconds.
  package init(quiet: UInt64 = 50_000_000, longest: UInt64 = 500_000_000) {
    self.quiet = quiet
    self.longest = longest
  }

  /// The time at which `release` is due; nil if no event is held.
  package var deadline: UInt64? {
    guard let lastTime, !pending.isEmpty else { return nil }
    return min(lastTime &+ quiet, heldSince &+ longest)
  }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - hint: The event.
  ///   - now: The current time in nanoseconds.
  /// - Returns: The event if it passes at once, or an empty array if it is held.
  package mutating func receive(_ hint: HotplugEvent, at now: UInt64) -> [HotplugEvent] {
    let isBurst = lastTime.map { now < $0 &+ quiet } ?? false
    lastTime = now
    if !isBurst, pending.isEmpty { return [hint] }
    if pending.isEmpty { heldSince = now }
    hold(hint)
    return []
  }

  /// Releases the held events if their deadline has passed.
  ///
  /// - Parameter now: The current time in nanoseconds.
  /// - Returns: The merged events; empty before the deadline.
  package mutating func release(at now: UInt64) -> [HotplugEvent] {
    guard let deadline, now >= deadline else { return [] }
    defer { pending = [] }
    // Events right after the release belong to the same burst.
    lastTime = now
    return pending
  }

  private mutating func hold(_ hint: HotplugEvent) {
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

extension HotplugEvent {
  /// The device node of the affected card; nil for all cards.
  fileprivate var card: String? {
    switch self {
    case .cardAdded(let card), .cardRemoved(let card), .connectors(let card, _, _): card
    case .overflow: nil
    }
  }

  /// Returns one event that replaces this one and a later one, or nil if both are needed.
  fileprivate func merged(with later: HotplugEvent) -> HotplugEvent? {
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
