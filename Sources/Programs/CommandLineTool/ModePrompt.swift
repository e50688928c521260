import Control
import ControlClient
import NIOCore
import NIOPosix

/// A prompt with a countdown that asks whether to keep a pending mode change.
struct ModePrompt: Sendable {
  /// The result of the prompt.
  enum Answer: Hashable, Sendable {
    /// The user keeps the mode.
    case keep
    /// The user restores the previous mode.
    case takeBack
    /// The user did not answer in time, so the service reverts the change.
    case silence
  }

  private enum PromptEvent: Sendable {
    case terminal(TerminalEvent)
    case second
  }

  let client: PlacardClient
  let display: String
  let terminal: any Terminal

  /// Asks the user until a deadline, then restores the terminal.
  ///
  /// - Parameters:
  ///   - end: The time at which the service reverts the change.
  ///   - now: The current time in seconds since 1970.
  /// - Returns: The user's answer.
  func ask(until end: Timestamp, now: Int64) async -> Answer {
    // The clock of the service's machine may differ from this one, but the service reverts after 15 seconds.
    var left = min(15, (end.milliseconds + 999) / 1000 - now)
    let (events, event) = AsyncStream.makeStream(of: PromptEvent.self)
    let typing = Task { for await happening in terminal.terminalEvents { event.yield(.terminal(happening)) } }
    let seconds = MultiThreadedEventLoopGroup.singleton.next().scheduleRepeatedTask(
      initialDelay: .seconds(1), delay: .seconds(1)
    ) { _ in event.yield(.second) }
    defer {
      seconds.cancel()
      typing.cancel()
      try? terminal.write(Array("\r\u{1b}[K".utf8))
      terminal.close()
    }
    guard left > 0, draw(left) else { return .silence }
    for await event in events {
      switch event {
      case .second:
        left -= 1
        guard left > 0, draw(left) else { return .silence }
      case .terminal(.input(let keys)): if let answer = Self.answer(keys) { return answer }
      case .terminal(.resized): break
      case .terminal(.ended): return .takeBack
      }
    }
    return .silence
  }

  /// Sends the answer to the service, and returns a sentence about the result.
  func carryOut(_ answer: Answer) async throws(Failure) -> String {
    do throws(ClientError) {
      switch answer {
      case .keep:
        try await client.confirmMode(display)
        return "The mode is kept."
      case .takeBack:
        return "Reverted: " + (try await client.resetMode(display)).modeLine
      case .silence: return "No confirmation: the mode is reverted."
      }
    } catch {
      throw Failure(error)
    }
  }

  private func draw(_ left: Int64) -> Bool {
    (try? terminal.write(Array("\r\u{1b}[KKeep this mode? [y/N] \(left) ".utf8))) != nil
  }

  /// Returns the answer for keys: y keeps the mode; n, q, Enter, Escape, Ctrl-C and Ctrl-D do not; nil for all others.
  private static func answer(_ keys: [UInt8]) -> Answer? {
    for key in keys {
      if "yY".utf8.contains(key) { return .keep }
      if "nNqQ\r\n\u{1b}\u{3}\u{4}".utf8.contains(key) { return .takeBack }
    }
    return nil
  }
}
