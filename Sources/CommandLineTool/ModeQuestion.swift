import Control
import ControlClient
import NIOCore
import NIOPosix

/// Asks on a terminal whether a mode that is on trial is seen, and counts down, as desktops do.
struct ModeQuestion: Sendable {
  /// What came of it.
  enum Answer: Hashable, Sendable {
    /// Somebody sees it.
    case keep
    /// Somebody wants the old one back.
    case takeBack
    /// Nobody said anything in time; the service takes it back by itself.
    case silence
  }

  private enum Beat: Sendable {
    case terminal(TerminalHappening)
    case second
  }

  let client: PlacardClient
  let display: String
  let terminal: any Terminal

  /// Asks until this moment; `now` is in seconds since 1970. Gives the terminal back.
  func ask(until end: Timestamp, now: Int64) async -> Answer {
    // The service's machine may have another clock; 15 seconds are what it waits.
    var left = min(15, (end.milliseconds + 999) / 1000 - now)
    let (beats, beat) = AsyncStream.makeStream(of: Beat.self)
    let typing = Task { for await happening in terminal.happenings { beat.yield(.terminal(happening)) } }
    let seconds = MultiThreadedEventLoopGroup.singleton.next().scheduleRepeatedTask(
      initialDelay: .seconds(1), delay: .seconds(1)
    ) { _ in beat.yield(.second) }
    defer {
      seconds.cancel()
      typing.cancel()
      try? terminal.write(Array("\r\u{1b}[K".utf8))
      terminal.close()
    }
    guard left > 0, draw(left) else { return .silence }
    for await beat in beats {
      switch beat {
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

  /// Tells the service, and says what is so now.
  func carryOut(_ answer: Answer) async throws(Failure) -> String {
    do throws(ClientError) {
      switch answer {
      case .keep:
        try await client.confirmMode(display)
        return "It is kept."
      case .takeBack:
        return "Taken back: " + (try await client.resetMode(display)).modeLine
      case .silence: return "Nobody said yes: it is taken back."
      }
    } catch {
      throw Failure(error)
    }
  }

  private func draw(_ left: Int64) -> Bool {
    (try? terminal.write(Array("\r\u{1b}[KKeep this mode? [y/N] \(left) ".utf8))) != nil
  }

  /// y keeps it; n, Enter, Escape, q and Ctrl-C do not; nil for all else.
  private static func answer(_ keys: [UInt8]) -> Answer? {
    for key in keys {
      if "yY".utf8.contains(key) { return .keep }
      if "nNqQ\r\n\u{1b}\u{3}\u{4}".utf8.contains(key) { return .takeBack }
    }
    return nil
  }
}
