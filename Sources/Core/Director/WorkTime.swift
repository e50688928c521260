import Synchronization

/// When the work that a thread does now began: written by that thread, read by others.
final class WorkTime: Sendable {
  private let began = Atomic<UInt64>(0)
  private let now: @Sendable () -> UInt64

  /// With a clock in nanoseconds.
  init(now: @escaping @Sendable () -> UInt64) { self.now = now }

  /// The thread begins something.
  func begin() { began.store(max(1, now()), ordering: .relaxed) }

  /// The thread is done with it.
  func end() { began.store(0, ordering: .relaxed) }

  /// For how many nanoseconds the thread has been at the same work; nil while it is at none.
  var duration: UInt64? {
    let began = began.load(ordering: .relaxed)
    let now = now()
    return began == 0 ? nil : now > began ? now - began : 0
  }
}
