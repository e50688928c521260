/// Lets one do something at a time, in the order in which they asked.
///
/// Here, and wherever else something is waited for: what is waited for is looked at inside the call that makes the
/// continuation. That call is an await, and what happens before it has come so far would be told to nobody.
final class Turn {
  private(set) var isTaken = false
  private var waiters: [CheckedContinuation<Void, Never>] = []
  private var onlookers: [CheckedContinuation<Void, Never>] = []

  /// Does something when those who asked before are done.
  func take<Result>(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      if isTaken { return waiters.append(continuation) }
      isTaken = true
      continuation.resume()
    }
    defer { pass() }
    return await body()
  }

  /// Returns when nobody does anything, nor has asked to.
  func ended(isolation: isolated (any Actor)? = #isolation) async {
    while isTaken {
      await withCheckedContinuation { continuation in
        if isTaken { onlookers.append(continuation) } else { continuation.resume() }
      }
    }
  }

  /// It stays taken where somebody waits, so that nobody comes between.
  private func pass() {
    guard waiters.isEmpty else { return waiters.removeFirst().resume() }
    isTaken = false
    let onlookers = self.onlookers
    self.onlookers = []
    for onlooker in onlookers { onlooker.resume() }
  }
}
