/// A place in the sequence of events, as a listener remembers it: `Last-Event-ID`.
public struct EventPlace: Hashable, Sendable, CustomStringConvertible {
  /// The service's life that the event belongs to: letters and digits, another one after each start.
  public var epoch: String
  /// The event's number in it.
  public var id: UInt64

  /// A place from its parts.
  public init(epoch: String, id: UInt64) {
    self.epoch = epoch
    self.id = id
  }

  /// Reads `4f1c09aa-17`; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let id = UInt64(parts[1]) else { return nil }
    self.init(epoch: String(parts[0]), id: id)
  }

  /// `4f1c09aa-17`
  public var description: String { "\(epoch)-\(id)" }
}

/// What a listener gets.
public struct EventFeed: Sendable {
  /// The service's life that the events belong to.
  public var epoch: String
  /// Whether events that came after the listener's place are gone: it should read everything again.
  public var isTorn: Bool
  /// What happened since the listener's place, as far as it is remembered, and what happens from now on; ends when the
  /// consumer stops or the service ends. Bounded: the oldest are dropped.
  public var events: AsyncStream<ControlEvent>

  /// A feed from its parts.
  public init(epoch: String, isTorn: Bool, events: AsyncStream<ControlEvent>) {
    self.epoch = epoch
    self.isTorn = isTorn
    self.events = events
  }
}
