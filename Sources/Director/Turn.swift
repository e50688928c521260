/// Lets one do something at a time, in the order in which they asked.
final class Turn {
  private(set) var isTaken = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Does something when those who asked before are done.
  func take<Result>(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Result) async -> Result {
    if isTaken { await withCheckedContinuation { waiters.append($0) } }
    isTaken = true
    defer { pass() }
    return await body()
  }

  /// It stays taken where somebody waits, so that nobody comes between.
  private func pass() {
    guard !waiters.isEmpty else { return isTaken = false }
    waiters.removeFirst().resume()
  }
}
