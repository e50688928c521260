import Director
import Logging
import Logind
import NIOCore

/// Lets external displays sleep while the machine does, or while its lid is closed. The machine waits for them.
final class ControllerSleep: Sendable {
  private let logind: Logind

  /// Listens until `end`, on the loop of the logind that is given.
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

  /// Lets go of the machine: the displays are awake again, and nothing more is heard.
  func end() { logind.close() }

  /// Acts on events until there are none, in their order; each is done before the next one is looked at. Sleep and lid
  /// may overlap: displays sleep while there is either. At the end they are woken, since nobody would do it later.
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
