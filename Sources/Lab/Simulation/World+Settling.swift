import Control
import ControlClient
import Director
import SimulatedTime
import VirtualDisplays

/// The state that the service must reach when nothing fails anymore.
extension World {
  func settle() {
    note("settle")
    for (card, fault) in faults { card.inject(fault, count: 0) }
    faults = []
    disk.set(nil)
    for path in Self.paths {
      cards[path]?.setMaster(true)
      release(path)
    }
    // Stalled outputs, busy cards and refused modes are tried again after minutes at most.
    advance(milliseconds: 600_000)
    guard let life, life.isOpen else { return violate("the service accepts no clients") }
    if life.requests > 0 { return violate("\(life.requests) requests have no answer") }
    Task {
      await life.director.controllerSleeps(false)
      _ = try? await life.client.setAsleep(SleepRequest(asleep: false))
    }
    advance(milliseconds: 600_000)
    settledReport = nil
    let text = "Settled \(serial % 5)"
    Task { [self] in
      settledReport = try? await life.client.post(
        MessageRequest(text: text, name: "settled", priority: 100, wait: true))
      await look(life, text)
    }
    advance(milliseconds: 60_000)
    guard let report = settledReport else { return violate("a message has no answer") }
    Task {
      if let id = report.id { try? await life.client.withdraw(id) }
      // A message from an earlier run ends by the real-time clock, which may have been set back since then.
      for message in (try? await life.client.messages()) ?? [] where message.expires != nil {
        try? await life.client.withdraw(message.id)
      }
    }
    advance(milliseconds: 600_000)
    // Nothing that is shown changes by itself.
    // A timer that was for a message that is gone goes off once more, but sets no other one.
    if let last = clock.dueTimes.last { advance(milliseconds: Int((last - clock.time) / 1_000_000) + 1) }
    let timers = clock.dueTimes.count
    if timers > 0 { violate("\(timers) timers are left while nothing changes") }
    changes = [:]
    for (path, card) in cards where card.liveBuffers > 2 * card.enabledCRTCs {
      violate("\(path) has \(card.liveBuffers) buffers for \(card.enabledCRTCs) CRTCs")
    }
  }

  /// Checks that each display that has a monitor shows the text, and that no other one says that it is lit.
  private func look(_ life: Life, _ text: String) async {
    let displays = await life.director.displays()
    for (connector, _) in plugged.sorted(by: { $0.key < $1.key }) {
      guard let path = Self.connectors.first(where: { $0.value.contains(connector) })?.key, cards[path] != nil else {
        continue
      }
      guard let display = displays.first(where: { $0.name == connector }), display.state == .lit else {
        let state = displays.first { $0.name == connector }
        violate("\(connector) is not lit: \(state?.state.rawValue ?? "unknown"), \(state?.reason ?? "")")
        continue
      }
      if display.message != text { violate("\(connector) shows \(display.message ?? "nothing"), not \(text)") }
      if let words = pictures.check(connector, shows: text, at: nil, turn: display.rotation) { violate(words) }
    }
    for display in displays where display.state == .lit && plugged[display.name] == nil {
      violate("\(display.name) is lit without a monitor")
    }
    checkOwners(await life.director.sessions())
  }
}
