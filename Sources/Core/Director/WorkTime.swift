import Synchronization

/// The start time of a thread's current work, written by that thread and read by others.
final class WorkTime: Sendable {
  private let began = Atomic<UInt64>(0)
  private let now: @Sendable () -> UInt64

  /// Creates an idle state.
  ///
  /// - Parameter now: Returns the time, in nanoseconds.
  init(now: @escaping @Sendable () -> UInt64) { self.now = now }

  /// Records the start of work.
  func begin() { began.store(max(1, now()), ordering: .relaxed) }

  /// Records the end of the work.
  func end() { began.store(0, ordering: .relaxed) }

  /// The nanoseconds since the start of the current work; nil if the thread is idle.
  var duration: UInt64? {
    let began = began.load(ordering: .relaxed)
    let now = now()
    return began == 0 ? nil : now > began ? now - began : 0
  }
}
