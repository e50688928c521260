import Control
import Scenes
import Synchronization

/// A hub that sends events to all listeners, and stores the newest ones for listeners that reconnect. A slow listener
/// loses its oldest events and does not delay the others.
final class EventHub: Sendable {
  /// The number of stored events.
  static let capacity = 1024
  /// The number of events that may wait for a listener, in addition to the stored ones that it missed.
  private static let mostWaiting = 256

  private struct State {
    var log = EventLog()
    var nextListener = 0
    var listeners: [Int: AsyncStream<ControlEvent>.Continuation] = [:]
    var isFinished = false
  }

  /// The identifier of the service's run to which the events belong.
  private let epoch: String
  private let state = Mutex(State())

  init(epoch: String) { self.epoch = epoch }

  /// Returns the stored events after a place, followed by all new ones. Without a place, returns only new ones.
  func listen(after place: EventPlace? = nil) -> EventFeed {
    state.withLock { state in
      let missed = place.map { state.log.events(after: $0.epoch == epoch ? $0.id : 0) } ?? []
      let hasGap = place.map { $0.epoch != epoch || state.log.hasGap(after: $0.id) } ?? false
      let (stream, continuation) = AsyncStream.makeStream(
        of: ControlEvent.self, bufferingPolicy: .bufferingNewest(missed.count + Self.mostWaiting))
      // The lock is still held, so no newer event comes between.
      for event in missed { continuation.yield(event) }
      if state.isFinished { continuation.finish() } else { add(continuation, to: &state) }
      return EventFeed(epoch: epoch, hasGap: hasGap, events: stream)
    }
  }

  private func add(_ listener: AsyncStream<ControlEvent>.Continuation, to state: inout State) {
    state.nextListener += 1
    let key = state.nextListener
    state.listeners[key] = listener
    listener.onTermination = { [weak self] _ in
      self?.state.withLock { state in _ = state.listeners.removeValue(forKey: key) }
    }
  }

  /// Numbers an event and sends it.
  func send(
    _ kind: ControlEvent.Kind, _ display: String, time: UInt64, date: Timestamp? = nil, detail: String?,
    about source: Shown.Source? = nil
  ) {
    var (session, message): (Int?, Int?) = (nil, nil)
    switch source {
    case .session(let id): session = id
    case .message(let id): message = id
    case .fallback, nil: break
    }
    let (event, listeners) = state.withLock { state in
      let event = ControlEvent(
        id: state.log.lastID + 1, kind: kind, display: display, time: time, date: date, detail: detail,
        session: session, message: message)
      state.log.add(event)
      return (event, Array(state.listeners.values))
    }
    for listener in listeners { listener.yield(event) }
  }

  /// Ends all streams.
  func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}

/// The newest events.
private struct EventLog {
  /// The number of the newest event; 0 before the first.
  private(set) var lastID: UInt64 = 0
  /// A ring buffer: event n is at index n - 1, modulo the capacity.
  private var ring: [ControlEvent] = []

  mutating func add(_ event: ControlEvent) {
    if ring.count < EventHub.capacity {
      ring.append(event)
    } else {
      ring[Self.place(of: event.id)] = event
    }
    lastID = event.id
  }

  /// Returns the stored events with larger numbers, in order.
  func events(after id: UInt64) -> [ControlEvent] {
    let first = max(id, oldest)
    return first < lastID ? (first + 1...lastID).map { ring[Self.place(of: $0)] } : []
  }

  /// Returns whether events with larger numbers are no longer stored. That includes any number that was never assigned.
  func hasGap(after id: UInt64) -> Bool { id > lastID || id < oldest }

  /// The number before that of the first stored event.
  private var oldest: UInt64 { lastID - UInt64(ring.count) }

  private static func place(of id: UInt64) -> Int { Int((id - 1) % UInt64(EventHub.capacity)) }
}
