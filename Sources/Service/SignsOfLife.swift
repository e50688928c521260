import NIOCore
import Synchronization

/// Whether threads get to what they are asked to do: each is asked, and has to have answered by the next question.
final class SignsOfLife: Sendable {
  private let loops: [any EventLoop]
  private let asked = Atomic(0)
  private let answered: Mutex<[Int]>

  init(of loops: [any EventLoop]) {
    self.loops = loops
    answered = Mutex(Array(repeating: 0, count: loops.count))
  }

  /// Asks all of them again.
  ///
  /// - Returns: Whether all have answered the question before.
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
