import Synchronization

/// A counter of calls from any thread.
final class Counter: Sendable {
  private let count = Mutex(0)

  /// Returns 1, 2, 3 and so on.
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
