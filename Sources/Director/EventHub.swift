import Control
import Synchronization

/// Hands events to everyone who listens. A listener that does not keep up loses the oldest, never slows the rest.
final class EventHub: Sendable {
  private struct State {
    var lastID: UInt64 = 0
    var nextListener = 0
    var listeners: [Int: AsyncStream<ControlEvent>.Continuation] = [:]
    var isFinished = false
  }

  private let state = Mutex(State())

  /// A stream of what is sent from now on.
  func listen() -> AsyncStream<ControlEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: ControlEvent.self, bufferingPolicy: .bufferingNewest(256))
    let key: Int? = state.withLock { state in
      guard !state.isFinished else { return nil }
      state.nextListener += 1
      state.listeners[state.nextListener] = continuation
      return state.nextListener
    }
    guard let key else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in _ = state.listeners.removeValue(forKey: key) }
    }
    return stream
  }

  /// Numbers an event and sends it.
  func send(_ kind: ControlEvent.Kind, _ display: String, time: UInt64, detail: String?) {
    let (event, listeners) = state.withLock { state in
      state.lastID += 1
      let event = ControlEvent(id: state.lastID, kind: kind, display: display, time: time, detail: detail)
      return (event, Array(state.listeners.values))
    }
    for listener in listeners { listener.yield(event) }
  }

  /// Ends every stream.
  func finish() {
    let listeners = state.withLock { state in
      state.isFinished = true
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
