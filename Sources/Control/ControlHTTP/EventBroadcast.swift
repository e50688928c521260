import Control
import NIOCore

/// The broadcast of events to all listeners that are up to date.
///
/// A listener first reads a feed of its own, which begins at its last place. After it has caught up with the others,
/// the broadcast serves it: one feed for all listeners, with each event formatted once. While events arrive fast, those
/// within the duration of a frame are sent in one write; an event after a pause is sent at once. Otherwise, a server
/// with 500 listeners and 200 messages per second would do little else.
///
/// Confined to the event loop. No timer is armed without events, and no events are read without listeners.
final class EventBroadcast {
  /// The minimum interval between two writes to a listener.
  private static let pause = TimeAmount.milliseconds(16)
  /// The number of listeners that are written to before the event loop can do other work.
  private static let slice = 32

  private let eventLoop: any EventLoop
  private let executor: EventLoopTaskExecutor
  private var listeners: [ObjectIdentifier: any EventListener] = [:]
  private var task: Task<Void, Never>?
  /// The number of the last event received.
  private var last: UInt64 = 0
  private var pending: [(id: UInt64, lines: [UInt8])] = []
  private var turn: Batch?
  private var lastWrite = NIODeadline.uptimeNanoseconds(0)

  /// Creates a broadcast without listeners.
  init(eventLoop: any EventLoop, executor: EventLoopTaskExecutor) {
    self.eventLoop = eventLoop
    self.executor = executor
  }

  /// Takes over a listener from its own feed if it has caught up with the others.
  ///
  /// - Parameters:
  ///   - listener: The listener, which has received all events up to `place`. It must stop reading its feed if this
  ///     succeeds.
  ///   - feed: The listener's feed. The feed of the first listener becomes the common one.
  ///   - place: The number of the last event that the listener received.
  /// - Returns: Whether the listener was taken over. If not, it has yet to receive pending events, and must try again
  ///   after its next one.
  func takeOver(_ listener: any EventListener, from feed: EventFeed, at place: UInt64) -> Bool {
    if task == nil { follow(feed, after: place) }
    guard place >= last else { return false }
    listener.place = place
    listeners[ObjectIdentifier(listener)] = listener
    return true
  }

  /// Removes a listener; without any, the broadcast stops reading events.
  func remove(_ listener: any EventListener) {
    guard listeners.removeValue(forKey: ObjectIdentifier(listener)) != nil, listeners.isEmpty else { return }
    task?.cancel()
    task = nil
    pending = []
  }

  private func follow(_ feed: EventFeed, after place: UInt64) {
    last = place
    let here = NIOLoopBound(self, eventLoop: eventLoop)
    task = Task(executorPreference: executor) {
      for await event in feed.events where !Task.isCancelled { here.value.receive(event, epoch: feed.epoch) }
      if !Task.isCancelled { here.value.end() }
    }
  }

  private func receive(_ event: ControlEvent, epoch: String) {
    let gap = event.id > last + 1 ? EventFormat.gap(epoch) : []
    last = event.id
    pending.append((event.id, gap + EventFormat.lines(event, epoch: epoch)))
    if pending.count == 1, turn == nil { arm() }
  }

  private func arm() {
    eventLoop.assumeIsolated().scheduleTask(deadline: max(lastWrite + Self.pause, eventLoop.now)) { self.begin() }
  }

  /// Starts to write the pending events to the current listeners; later events wait for the next batch.
  private func begin() {
    guard turn == nil, !pending.isEmpty else { return }
    lastWrite = eventLoop.now
    turn = Batch(pending, to: Array(listeners.values))
    pending = []
    goOn()
  }

  private func goOn() {
    guard turn?.write(to: Self.slice) == true else {
      turn = nil
      if !pending.isEmpty { arm() }
      return
    }
    eventLoop.assumeIsolated().execute { self.goOn() }
  }

  /// Sends all listeners the remaining events and ends their streams, because the service has ended.
  private func end() {
    _ = turn?.write(to: .max)
    turn = Batch(pending, to: Array(listeners.values))
    _ = turn?.write(to: .max)
    let all = listeners.values
    (listeners, pending, turn, task) = ([:], [], nil, nil)
    for listener in all { listener.end() }
  }

  /// A batch of events that is written to all listeners, some of them at a time.
  private struct Batch {
    private let events: [(id: UInt64, lines: [UInt8])]
    private let chunk: Chunk
    private var rest: ArraySlice<any EventListener>

    init(_ events: [(id: UInt64, lines: [UInt8])], to listeners: [any EventListener]) {
      self.events = events
      chunk = Chunk(events)
      rest = listeners[...]
    }

    /// Writes to the next `count` listeners and returns whether any are left.
    mutating func write(to count: Int) -> Bool {
      guard let first = events.first?.id, let newest = events.last?.id else { return false }
      for listener in rest.prefix(count) where listener.place < newest {
        // A listener that was added in between has the first of these events already.
        let known = listener.place
        listener.place = newest
        listener.send(known < first ? chunk : Chunk(events.filter { $0.id > known }))
      }
      rest = rest.dropFirst(count)
      return !rest.isEmpty
    }
  }

  /// A sequence of events in one chunk of a body (RFC 9112, 7.1), ready for the socket.
  struct Chunk {
    let bytes: ByteBuffer
    let count: Int

    init(_ events: [(id: UInt64, lines: [UInt8])]) {
      let length = events.reduce(0) { $0 + $1.lines.count }
      var bytes = ByteBuffer(string: String(length, radix: 16) + "\r\n")
      bytes.reserveCapacity(length + 16)
      for event in events { bytes.writeBytes(event.lines) }
      bytes.writeString("\r\n")
      self.bytes = bytes
      count = events.count
    }
  }
}

/// A listener for events that has caught up with the broadcast.
protocol EventListener: AnyObject {
  /// The number of the last event that the listener received.
  var place: UInt64 { get set }
  /// Writes events to the listener.
  func send(_ events: EventBroadcast.Chunk)
  /// Ends the stream, because the service has ended.
  func end()
}
