import NIOCore
import Synchronization

/// Lets one page be made at a time, in steps, so that requests that cost little wait for a step of a page and not for
/// the pages of all clients.
final class PageGate: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let eventLoop: any EventLoop

  /// - Parameter eventLoop: The server's, which pages must not block.
  init(on eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  /// Lets the event loop look for other requests. It does so only when no task is ready (SelectableEventLoop,
  /// runOneLoopTick), so that `Task.yield()` is not enough.
  func pause() async {
    try? await eventLoop.scheduleTask(in: .microseconds(50)) {}.futureResult.get()
  }

  /// Makes something while nothing else is made here; in the order of the calls.
  func run<Value>(_ make: () async throws -> Value) async throws -> Value {
    await enter()
    defer { leave() }
    await pause()
    // The clients before may have taken so long that this one is gone.
    try Task.checkCancellation()
    return try await make()
  }

  private func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        defer { state.isTaken = true }
        if state.isTaken { state.waiting.append(continuation) }
        return !state.isTaken
      }
      if isFree { continuation.resume() }
    }
  }

  private func leave() {
    let next = state.withLock { state in
      state.isTaken = !state.waiting.isEmpty
      return state.isTaken ? state.waiting.removeFirst() : nil
    }
    next?.resume()
  }
}
