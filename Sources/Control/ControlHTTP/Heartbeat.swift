import NIOCore

/// The heartbeat of all event streams, which keeps intermediaries from treating idle connections as dead.
///
/// It stops with the last listener, so that an idle server has no timer. Confined to the server's event loop.
final class Heartbeat {
  private let eventLoop: any EventLoop
  private let interval: TimeAmount
  private var listeners: [ObjectIdentifier: () -> Void] = [:]
  private var next: Scheduled<Void>?

  /// Creates a heartbeat without listeners.
  ///
  /// - Parameters:
  ///   - eventLoop: The server's event loop.
  ///   - interval: The maximum time without data for a listener.
  init(on eventLoop: any EventLoop, every interval: TimeAmount = .seconds(15)) {
    self.eventLoop = eventLoop
    self.interval = interval
  }

  /// Whether a heartbeat is scheduled.
  var isBeating: Bool { next != nil }

  /// Adds a listener, which receives every heartbeat from now on.
  func add(_ listener: AnyObject, action: @escaping () -> Void) {
    listeners[ObjectIdentifier(listener)] = action
    if next == nil { schedule() }
  }

  /// Removes a listener.
  func remove(_ listener: AnyObject) {
    listeners[ObjectIdentifier(listener)] = nil
    guard listeners.isEmpty else { return }
    next?.cancel()
    next = nil
  }

  private func schedule() {
    next = eventLoop.assumeIsolated().scheduleTask(in: interval) {
      self.schedule()
      for action in self.listeners.values { action() }
    }
  }
}
