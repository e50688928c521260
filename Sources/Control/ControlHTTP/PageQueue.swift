import NIOCore
import Synchronization

/// A queue that makes one page at a time, in steps.
///
/// A request that takes little time waits for one step at most, and not for the pages of all clients.
final class PageQueue: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let eventLoop: any EventLoop

  /// Creates a queue.
  ///
  /// - Parameter eventLoop: The server's event loop, which pages must not block.
  init(on eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  /// Lets the event loop process other requests.
  ///
  /// The loop does that only when no task is ready (SelectableEventLoop, runOneLoopTick), so `Task.yield()` is not
  /// enough.
  func pause() async {
    try? await eventLoop.scheduleTask(in: .microseconds(50)) {}.futureResult.get()
  }

  /// Runs a function after those of all earlier calls.
  ///
  /// - Parameter make: The function.
  /// - Throws: `CancellationError` if the task was canceled while it waited, or the error of `make`.
  /// - Returns: The result of `make`.
  func run<Value>(_ make: () async throws -> Value) async throws -> Value {
    await enter()
    defer { leave() }
    await pause()
    // The client may have disconnected while this task waited.
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
