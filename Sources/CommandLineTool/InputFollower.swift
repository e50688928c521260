import Control
import Synchronization

/// Keeps the last lines of the standard input on displays: `command | placard show --follow -`.
///
/// What comes while the service is still at the last state is passed over, but never the newest.
final class InputFollower: Sendable {
  private struct State {
    var tail: LineTail
    var failure: Failure?
  }

  private let showing: Showing
  private let console: any Console
  private let json: Bool
  private let state: Mutex<State>
  /// Says something when there may be another text, however often. For one consumer.
  private let news: AsyncStream<Void>
  private let new: AsyncStream<Void>.Continuation

  /// - Parameters:
  ///   - lines: How many lines are shown, 1 or more.
  ///   - json: Whether each answer of the service is printed.
  init(_ showing: Showing, lines: Int, json: Bool, _ console: any Console) {
    (self.showing, self.console, self.json) = (showing, console, json)
    state = Mutex(State(tail: LineTail(count: lines)))
    (news, new) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Shows until the input ends. What is there then stays, or with `clears` is taken away, also where somebody ends
  /// the command (Ctrl-C).
  func run(clears: Bool) async throws(Failure) {
    // Nobody can stop who waits for an input; the end of the process is its end.
    let reader = Task { await read() }
    let endings = clears ? try await console.endings() : nil
    let watch = Task {
      guard let endings else { return }
      for await _ in endings { return new.finish() }
    }
    defer {
      reader.cancel()
      watch.cancel()
    }
    let (shown, lost) = try await show()
    if clears, let shown { return try await showing.clear(shown) }
    if let failure = state.withLock({ $0.failure }) ?? lost { throw failure }
  }

  private func read() async {
    var isOpen = true
    while isOpen {
      do throws(Failure) {
        let bytes = try await console.readSome()
        isOpen = !bytes.isEmpty
        state.withLock { $0.tail.take(bytes) }
      } catch {
        state.withLock { $0.failure = error }
        isOpen = false
      }
      if !isOpen { state.withLock { $0.tail.finish() } }
      new.yield()
    }
    new.finish()
  }

  /// What was shown last, and why the newest text was not.
  private func show() async throws(Failure) -> (MessageReport?, lost: Failure?) {
    var (shown, lost): (MessageReport?, Failure?)
    var last = ""
    for await _ in news {
      let text = state.withLock { $0.tail.text }
      guard text != last else { continue }
      do throws(Failure) {
        shown = try await showing.show(.text(text), console, isAgain: shown != nil, json: json)
        lost = nil
      } catch {
        // At first it is the command line's fault, or nobody is there; later the next text may do better.
        guard shown != nil else { throw error }
        if lost != error { console.complain(error) }
        lost = error
      }
      last = text
    }
    return (shown, lost)
  }
}
