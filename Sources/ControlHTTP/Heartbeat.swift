import NIOCore

/// One heartbeat for all who listen to events, so that whoever is between does not take their connections for dead. It
/// ends with the last listener: an idle server has no timer. Lives on the server's event loop.
final class Heartbeat {
  private let eventLoop: any EventLoop
  private let interval: TimeAmount
  private var listeners: [ObjectIdentifier: () -> Void] = [:]
  private var next: Scheduled<Void>?

  /// - Parameters:
  ///   - eventLoop: Where all of this happens.
  ///   - interval: How long a listener hears nothing at most.
  init(on eventLoop: any EventLoop, every interval: TimeAmount = .seconds(15)) {
    self.eventLoop = eventLoop
    self.interval = interval
  }

  /// Whether one is to come.
  var isBeating: Bool { next != nil }

  /// Lets a listener have it from now on.
  func add(_ listener: AnyObject, beat: @escaping () -> Void) {
    listeners[ObjectIdentifier(listener)] = beat
    if next == nil { schedule() }
  }

  /// Lets a listener have it no more.
  func remove(_ listener: AnyObject) {
    listeners[ObjectIdentifier(listener)] = nil
    guard listeners.isEmpty else { return }
    next?.cancel()
    next = nil
  }

  private func schedule() {
    next = eventLoop.assumeIsolated().scheduleTask(in: interval) {
      self.schedule()
      for beat in self.listeners.values { beat() }
    }
  }
}
