import NIOCore

/// The one timer of a connection: it is armed only while something is waited for, and moved by looking again when it
/// goes off, so that a busy connection does not arm one for each part that it reads. Lives on the event loop.
final class Deadline {
  private let eventLoop: any EventLoop
  private var task: Scheduled<Void>?
  private var armed = NIODeadline.distantFuture
  private var due: NIODeadline?
  /// What is done when the time is over.
  var expired: () -> Void = {}

  /// A timer that is not armed.
  init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  /// By when; nil for no time at all.
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

  /// The event loop's own scheduling is not for asynchronous callers, which this class has none of.
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
