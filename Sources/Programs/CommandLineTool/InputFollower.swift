import Control
import Synchronization

/// A follower that shows the last lines of standard input on displays: `command | placard show --follow -`.
///
/// Texts that arrive while a request is in progress are skipped, but never the newest one.
final class InputFollower: Sendable {
  private struct State {
    var tail: LineTail
    var failure: Failure?
  }

  private let showing: Showing
  private let console: any Console
  private let json: Bool
  private let state: Mutex<State>
  /// A stream that yields after one or more changes of the text, for one consumer.
  private let update: AsyncStream<Void>
  private let new: AsyncStream<Void>.Continuation

  /// Creates a follower.
  ///
  /// - Parameters:
  ///   - showing: The request that is repeated for each text.
  ///   - lines: The number of lines to show, at least 1.
  ///   - json: Whether each answer of the service is printed as JSON.
  ///   - console: The source of the input and the destination of the output.
  init(_ showing: Showing, lines: Int, json: Bool, _ console: any Console) {
    (self.showing, self.console, self.json) = (showing, console, json)
    state = Mutex(State(tail: LineTail(count: lines)))
    (update, new) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Shows the input until it ends.
  ///
  /// - Parameter clears: Whether the message ends with the input, or with a signal such as that of Ctrl-C. Otherwise it
  ///   stays.
  /// - Throws: `Failure` if the input cannot be read, or the newest text was not shown.
  func run(clears: Bool) async throws(Failure) {
    // A blocked read of standard input cannot be canceled. It ends with the process.
    let reader = Task { await read() }
    let terminationRequests = clears ? try await console.terminationRequests() : nil
    let watch = Task {
      guard let terminationRequests else { return }
      for await _ in terminationRequests { return new.finish() }
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
        state.withLock { $0.tail.append(bytes) }
      } catch {
        state.withLock { $0.failure = error }
        isOpen = false
      }
      if !isOpen { state.withLock { $0.tail.finish() } }
      new.yield()
    }
    new.finish()
  }

  /// Returns the report of the last text that was shown, and why a newer text was not.
  private func show() async throws(Failure) -> (MessageReport?, lost: Failure?) {
    var (shown, lost): (MessageReport?, Failure?)
    var last = ""
    for await _ in update {
      let text = state.withLock { $0.tail.text }
      guard text != last else { continue }
      do throws(Failure) {
        shown = try await showing.show(.text(text), console, isAgain: shown != nil, json: json)
        lost = nil
      } catch {
        // If the first text fails, the command line or the connection is at fault. A later text may succeed after a
        // failure.
        guard shown != nil else { throw error }
        if lost != error { console.complain(error) }
        lost = error
      }
      last = text
    }
    return (shown, lost)
  }
}
