import Director
import Logging
import Logind
import NIOCore

/// Lets external displays sleep while the machine does, or while its lid is closed. The machine waits for them.
final class ControllerSleep: Sendable {
  private let logind: Logind
  private let reporting: Task<Void, Never>

  /// Listens until `end`, on the loop of the logind that is given.
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
        "the system bus cannot be reached (\(reason)), so \(result); start dbus and systemd-logind, then restart "
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
