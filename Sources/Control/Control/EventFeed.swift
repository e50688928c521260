/// A client's place in the sequence of events, as sent in `Last-Event-ID`.
public struct EventPlace: Hashable, Sendable, CustomStringConvertible {
  /// The ID of the daemon's run to which the event belongs: letters and digits, different after each start.
  public var epoch: String
  /// The event's number within that run.
  public var id: UInt64

  /// Creates a place.
  public init(epoch: String, id: UInt64) {
    self.epoch = epoch
    self.id = id
  }

  /// Parses `4f1c09aa-17`; returns nil for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let id = UInt64(parts[1]) else { return nil }
    self.init(epoch: String(parts[0]), id: id)
  }

  /// The place as text, such as `4f1c09aa-17`.
  public var description: String { "\(epoch)-\(id)" }
}

/// The events for one client, and whether some are missing.
public struct EventFeed: Sendable {
  /// The ID of the daemon's run to which the events belong.
  public var epoch: String
  /// Whether events after the client's place were lost, so that the client must read everything again.
  public var hasGap: Bool
  /// The remembered events since the client's place, followed by those from now on.
  ///
  /// The stream ends when the consumer stops or the daemon ends. Its buffer is bounded and drops the oldest events.
  public var events: AsyncStream<ControlEvent>

  /// Creates a feed.
  public init(epoch: String, hasGap: Bool, events: AsyncStream<ControlEvent>) {
    self.epoch = epoch
    self.hasGap = hasGap
    self.events = events
  }
}
