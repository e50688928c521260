import Control
import NIOCore

/// Events on their way to everybody who listens.
///
/// A listener first reads a feed of its own, which begins where it left off; once it is where all others are, it is
/// served from here: one feed for all, each event put into its lines once, and while events come fast those of a frame's
/// time go out in one write. An event after a pause goes at once. A server with 500 listeners and 200 messages a second
/// would otherwise do little else.
///
/// Lives on the event loop. Nothing is armed while nothing happens, and nothing is heard while nobody listens.
final class EventBroadcast {
  /// The least time between two writes to a listener.
  private static let pause = TimeAmount.milliseconds(16)
  /// How many listeners are written to before the loop is let do something else.
  private static let slice = 32

  private let eventLoop: any EventLoop
  private let executor: EventLoopTaskExecutor
  private var listeners: [ObjectIdentifier: any EventListener] = [:]
  private var task: Task<Void, Never>?
  /// The number of the last event that came.
  private var last: UInt64 = 0
  private var pending: [(id: UInt64, lines: [UInt8])] = []
  private var turn: Turn?
  private var lastWrite = NIODeadline.uptimeNanoseconds(0)

  /// Without listeners.
  init(eventLoop: any EventLoop, executor: EventLoopTaskExecutor) {
    self.eventLoop = eventLoop
    self.executor = executor
  }

  /// Serves a listener from now on, if it is where all others are.
  ///
  /// - Parameters:
  ///   - listener: Who has got all events of its feed up to `place`, and reads its feed no longer where this succeeds.
  ///   - feed: The listener's feed; that of the first one goes on as everybody's.
  ///   - place: The number of the last event that it got.
  /// - Returns: false where events are on their way that it has not got: it is to come again after its next event.
  func takeOver(_ listener: any EventListener, from feed: EventFeed, at place: UInt64) -> Bool {
    if task == nil { follow(feed, after: place) }
    guard place >= last else { return false }
    listener.place = place
    listeners[ObjectIdentifier(listener)] = listener
    return true
  }

  /// Forgets a listener that is gone; without any, the service is not listened to, either.
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
      for await event in feed.events where !Task.isCancelled { here.value.take(event, epoch: feed.epoch) }
      if !Task.isCancelled { here.value.end() }
    }
  }

  private func take(_ event: ControlEvent, epoch: String) {
    let gap = event.id > last + 1 ? EventFormat.torn(epoch) : []
    last = event.id
    pending.append((event.id, gap + EventFormat.lines(event, epoch: epoch)))
    if pending.count == 1, turn == nil { arm() }
  }

  private func arm() {
    eventLoop.assumeIsolated().scheduleTask(deadline: max(lastWrite + Self.pause, eventLoop.now)) { self.begin() }
  }

  /// Begins to write what is pending to those who listen now; what comes meanwhile is the next turn's.
  private func begin() {
    guard turn == nil, !pending.isEmpty else { return }
    lastWrite = eventLoop.now
    turn = Turn(pending, to: Array(listeners.values))
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

  /// The service ends: whoever listens gets the rest, and the end.
  private func end() {
    _ = turn?.write(to: .max)
    turn = Turn(pending, to: Array(listeners.values))
    _ = turn?.write(to: .max)
    let all = listeners.values
    (listeners, pending, turn, task) = ([:], [], nil, nil)
    for listener in all { listener.end() }
  }

  /// Some events on their way to all listeners, some of those at a time.
  private struct Turn {
    private let events: [(id: UInt64, lines: [UInt8])]
    private let chunk: Chunk
    private var rest: ArraySlice<any EventListener>

    init(_ events: [(id: UInt64, lines: [UInt8])], to listeners: [any EventListener]) {
      self.events = events
      chunk = Chunk(events)
      rest = listeners[...]
    }

    /// Writes to the next so many listeners; false when none is left.
    mutating func write(to count: Int) -> Bool {
      guard let first = events.first?.id, let newest = events.last?.id else { return false }
      for listener in rest.prefix(count) where listener.place < newest {
        // One that came in the middle has the first of them already.
        let known = listener.place
        listener.place = newest
        listener.send(known < first ? chunk : Chunk(events.filter { $0.id > known }))
      }
      rest = rest.dropFirst(count)
      return !rest.isEmpty
    }
  }

  /// Some events in one chunk of a body (RFC 9112, 7.1), ready for the socket.
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

/// Somebody who listens to events and is where all others are.
protocol EventListener: AnyObject {
  /// The number of the last event that it got.
  var place: UInt64 { get set }
  /// Writes events to it.
  func send(_ events: EventBroadcast.Chunk)
  /// The service ends.
  func end()
}
