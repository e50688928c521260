import NIOCore

/// The single timer of a connection, confined to the event loop.
///
/// It is armed only while the connection waits for something. A later deadline does not rearm it. Instead, the timer
/// checks the deadline when it fires, so a busy connection does not rearm it for each part that it reads.
final class Deadline {
  private let eventLoop: any EventLoop
  private var task: Scheduled<Void>?
  private var armed = NIODeadline.distantFuture
  private var due: NIODeadline?
  /// The function that is called when the deadline has passed.
  var expired: () -> Void = {}

  /// Creates a timer that is not armed.
  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  /// Sets the deadline; nil removes it.
  func set(_ due: NIODeadline?) {
    self.due = due
    guard let due else { return disarm() }
    if task == nil || due < armed { arm(due) }
  }

  private func disarm() {
    task?.cancel()
    task = nil
  }

  private func arm(_ time: NIODeadline) {
    task?.cancel()
    armed = time
    task = schedule(time)
  }

  /// Schedules a check on the event loop, where all calls of this class are made.
  private func schedule(_ time: NIODeadline) -> Scheduled<Void> {
    eventLoop.assumeIsolated().scheduleTask(deadline: time) { self.look() }
  }

  private func look() {
    task = nil
    guard let due else { return }
    guard eventLoop.now >= due else { return arm(due) }
    self.due = nil
    expired()
  }
}
