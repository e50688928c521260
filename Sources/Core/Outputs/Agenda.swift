/// A list of all changes that happen by themselves, with their times, for one timer.
///
/// Times are nanoseconds of the control loop's clock (CLOCK_MONOTONIC). Items of the wall clock are entered with the time
/// at which they are due unless the clock is set, and entered anew after it was set.
package struct Agenda: Hashable, Sendable {
  /// Something that is due at a known time.
  package enum Item: Hashable, Sendable {
    /// A card is probed again, or a flip, a busy card or a present call of one of its displays has taken too long.
    case card(path: String)
    /// The next frame of an animation is rendered.
    case animation(display: String)
    /// The first frame after a modeset is compared with what was painted.
    case firstFrame(display: String)
    /// The next item of a playlist is prepared.
    case nextItem(display: String)
    /// A scene looks different, a message expires, or a pending mode change ends.
    case scenes
    /// A call of the director has waited for as long as it may.
    case waiterLimit(Int)
  }

  /// An item with its time.
  private struct Entry: Hashable, Sendable {
    var item: Item
    var due: UInt64
  }

  private var entries: [Entry] = []

  /// Creates an empty agenda.
  package init() {}

  /// Adds an item unless `due` is nil.
  package mutating func add(_ item: Item, at due: UInt64?) {
    if let due { entries.append(Entry(item: item, due: due)) }
  }

  /// The time of the next item; nil if nothing changes by itself.
  package var next: UInt64? { entries.map(\.due).min() }

  /// Returns the items that are due at a time, in the order in which they became due.
  package func items(dueAt now: UInt64) -> [Item] {
    entries.filter { $0.due <= now }.sorted { $0.due < $1.due }.map(\.item)
  }
}

/// The one timer of an agenda.
///
/// It may fire too early, never too late: an item that is withdrawn or postponed leaves the timer as it is. A timer that
/// is cancelled wakes its event loop nevertheless (NIO sets its timerfd only to an earlier time), so nothing would be
/// gained.
package struct AgendaTimer {
  /// The time at which the timer fires; nil if it is not set.
  package private(set) var due: UInt64?

  /// Creates a timer that is not set.
  package init() {}

  /// Sets the timer for a new item.
  ///
  /// - Parameter time: The item's time; nil for no item.
  /// - Returns: True if the timer must be set to this time, because it would fire later or not at all.
  package mutating func include(_ time: UInt64?) -> Bool {
    guard let time, due.map({ time < $0 }) ?? true else { return false }
    due = time
    return true
  }

  /// Notes that the timer fired.
  package mutating func fired() { due = nil }
}
