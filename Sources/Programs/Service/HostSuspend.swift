import Director
import Logging
import Logind
import NIOCore

/// Puts external displays to sleep during host suspend or while the lid is closed; the host waits for them.
final class HostSuspend: Sendable {
  private let logind: Logind
  private let reporting: Task<Void, Never>

  /// Follows the events of `logind` until `end()`, on its loop.
  init(_ director: Director, _ logind: Logind) {
    self.logind = logind
    reporting = Task { await Self.report(logind.presence, to: director) }
    Task {
      await Self.follow(logind.events) { sleeps in
        await director.controllerSleeps(sleeps)
      } release: {
        logind.release()
      }
    }
  }

  /// Releases the lock and ends the events, which wakes the displays. Returns when no more losses are reported.
  func end() async {
    logind.close()
    await reporting.value
  }

  private static func report(_ changes: AsyncStream<LogindPresence>, to director: Director) async {
    for await presence in changes {
      if let loss = Loss(presence) { await director.record(loss) } else { await director.resolve(.missingBus) }
    }
  }

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

extension Loss {
  /// The loss of what announces the machine's sleep; nil if logind is there.
  ///
  /// - Parameter presence: Whether logind is there.
  init?(_ presence: LogindPresence) {
    let result = "external displays do not sleep with the machine"
    switch presence {
    case .present: return nil
    case .noBus(let reason):
      self.init(
        .missingBus,
        "the system bus is unreachable (\(reason)), so \(result); start dbus and systemd-logind, then restart "
          + "placardd (systemctl restart placard)")
    case .lostBus(let reason):
      self.init(
        .missingBus,
        "the connection to the system bus was lost (\(reason)), so \(result) until it is back; check it with "
          + "`systemctl status dbus`")
    case .noLogind:
      self.init(
        .missingBus,
        "logind is not on the system bus, so \(result); start it with `systemctl start systemd-logind`")
    }
  }
}
