/// An async mutex, with a queue in the order of the calls.
///
/// Here and in similar code, the condition of a wait is checked inside the call that makes the continuation. That call
/// is a suspension point: a change before the continuation exists would resume no waiter.
final class AsyncMutex {
  private(set) var isTaken = false
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var onlookers: [CheckedContinuation<Void, Never>] = []

  /// Runs a closure after those of all earlier callers.
  func run<Result>(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      if isTaken { return waiters.append(continuation) }
      isTaken = true
      continuation.resume()
    }
    defer { pass() }
    return await body()
  }

  /// Returns when no closure is running or waiting.
  func ended(isolation: isolated (any Actor)? = #isolation) async {
    while isTaken {
      await withCheckedContinuation { continuation in
        if isTaken { onlookers.append(continuation) } else { continuation.resume() }
      }
    }
  }

  /// Passes the mutex to the next waiter. It stays locked meanwhile, so that no other caller comes between.
  private func pass() {
    guard waiters.isEmpty else { return waiters.removeFirst().resume() }
    isTaken = false
    let onlookers = self.onlookers
    self.onlookers = []
    for onlooker in onlookers { onlooker.resume() }
  }
}
