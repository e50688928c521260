import NIOCore
import Synchronization

/// A liveness check of threads: each is sent a task, which it must have run by the next check.
final class ThreadLiveness: Sendable {
  private let loops: [any EventLoop]
  private let asked = Atomic(0)
  private let answered: Mutex<[Int]>

  init(of loops: [any EventLoop]) {
    self.loops = loops
    answered = Mutex(Array(repeating: 0, count: loops.count))
  }

  /// Sends the next task to all threads.
  ///
  /// - Returns: Whether all threads have run the previous one.
  func areComplete() -> Bool {
    let last = asked.load(ordering: .relaxed)
    let areComplete = answered.withLock { $0.allSatisfy { $0 == last } }
    asked.store(last + 1, ordering: .relaxed)
    for (place, loop) in loops.enumerated() {
      loop.execute { self.answered.withLock { $0[place] = last + 1 } }
    }
    return areComplete
  }
}
