import Director
import Logging
import Logind
import NIOCore

/// Puts external displays to sleep during host suspend or while the lid is closed; the host waits for them.
final class ControllerSleep: Sendable {
  private let logind: Logind

  /// Follows the events of `logind` until `end()`, on its loop.
  init(_ director: Director, _ logind: Logind) {
    self.logind = logind
    Task {
      await Self.follow(logind.events) { sleeps in
        await director.controllerSleeps(sleeps)
      } release: {
        logind.release()
      }
    }
  }

  /// Closes the connection to logind, which wakes the displays and ends the event stream.
  func end() { logind.close() }

  /// Handles events in order until the stream ends, each one completely before the next.
  ///
  /// Suspend and a closed lid can overlap: displays sleep while either lasts. At the end they are woken, because
  /// nothing else would wake them.
  ///
  /// - Parameters:
  ///   - events: The power events.
  ///   - sleep: Puts the displays to sleep (true) or wakes them (false).
  ///   - release: Releases the delay inhibitor lock, so that the host can suspend.
  static func follow(
    _ events: AsyncStream<PowerEvent>, sleep: (Bool) async -> Void, release: () -> Void
  ) async {
    var (isMachineAsleep, isLidClosed) = (false, false)
    for await event in events {
      switch event {
      case .willSleep: isMachineAsleep = true
      case .resumed: isMachineAsleep = false
      case .lidClosed: isLidClosed = true
      case .lidOpened: isLidClosed = false
      }
      await sleep(isMachineAsleep || isLidClosed)
      if event == .willSleep { release() }
    }
    if isMachineAsleep || isLidClosed { await sleep(false) }
  }
}
