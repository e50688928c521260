import Control
import NIOCore

/// What all streams of events of a server have in common: one heartbeat for all of them, which ends with the last one,
/// and the lines of the newest events, written once for all. Lives on the server's event loop.
final class EventStreams {
  /// How many events' lines are kept for those who read a little later than others.
  private static let kept = 64

  private let eventLoop: any EventLoop
  private let interval: TimeAmount
  private var listeners: [ObjectIdentifier: (ByteBuffer) -> Void] = [:]
  private var beat: Scheduled<Void>?
  private var lines: [(place: EventPlace, bytes: ByteBuffer)] = []

  /// - Parameters:
  ///   - eventLoop: Where all of this happens.
  ///   - interval: How long a listener hears nothing at most, so that whoever is between does not take its connection
  ///     for dead.
  init(on eventLoop: any EventLoop, every interval: TimeAmount = .seconds(15)) {
    self.eventLoop = eventLoop
    self.interval = interval
  }

  /// Whether a heartbeat is to come.
  var isBeating: Bool { beat != nil }

  /// Sends heartbeats to a listener from now on.
  func add(_ listener: AnyObject, write: @escaping (ByteBuffer) -> Void) {
    listeners[ObjectIdentifier(listener)] = write
    if beat == nil { schedule() }
  }

  /// Sends a listener no more heartbeats.
  func remove(_ listener: AnyObject) {
    listeners[ObjectIdentifier(listener)] = nil
    guard listeners.isEmpty else { return }
    beat?.cancel()
    beat = nil
    lines = []
  }

  /// The lines of an event.
  func lines(_ event: ControlEvent, epoch: String) -> ByteBuffer {
    let place = EventPlace(epoch: epoch, id: event.id)
    if let known = lines.last(where: { $0.place == place }) { return known.bytes }
    let bytes = ByteBuffer(bytes: EventFormat.lines(event, epoch: epoch))
    lines.append((place, bytes))
    if lines.count > Self.kept { lines.removeFirst() }
    return bytes
  }

  private func schedule() {
    beat = eventLoop.assumeIsolated().scheduleTask(in: interval) {
      self.schedule()
      let heartbeat = ByteBuffer(bytes: EventFormat.heartbeat)
      for write in self.listeners.values { write(heartbeat) }
    }
  }
}
