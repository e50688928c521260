import Configuration
import Control
import Displays
import Logging
import Outputs
import Scenes

/// Cards and monitors that come and go.
extension Director {
  /// Probes a card, and returns when its displays are as they should be, as far as that can be known.
  func reconcile(_ desk: CardDesk) async {
    feed(.hint(connector: nil), to: desk)
    await desk.idle()
    await desk.freeing?.value
  }

  // MARK: Monitors

  /// A monitor was connected, or its EDID arrived late.
  func connected(_ display: String, on desk: CardDesk) {
    guard let connector = desk.machine.outputs[display]?.connector else { return }
    let identity = MonitorIdentity(connector)
    if let output = desk.outputs[display] {
      output.identity = identity
      output.trial = nil
      logger.info("\(display): it is \(identity.label): its EDID came late")
    } else {
      let presentation = settings.presentation(for: identity, role: connector.kind.role ?? .external)
      desk.outputs[display] = Output(
        connector, presentation, painter: freestPainter, desk: desk, at: environment.wallClock())
      logger.info("\(display): connected: \(identity.label) on \(desk.card.path)")
    }
    tell(.connected, display, detail: identity.label)
  }

  /// Finds out what new monitors are to show.
  func introduce(_ connectors: [ConnectorSnapshot], on desk: CardDesk) {
    let arrived = connectors.compactMap { desk.outputs[$0.name] }
    Task {
      // The first frame is the one that the monitor had before: nothing is lit before it is known.
      await restored()
      let present = arrived.filter(\.isConnected)
      changeAtOnce { store, now in store.attach(present.map(Arrival.init), at: now) }
      // What was chosen for the monitor came with its seat.
      adopt(present)
      for output in present {
        output.isIntroduced = true
        introduce(output)
      }
      follow(present)
    }
  }

  /// A monitor was unplugged.
  func disconnected(_ output: Output) {
    let desk = output.desk
    desk.outputs[output.name] = nil
    changeAtOnce { store, now in store.detach(output.name, at: now) }
    forgetMonitors()
    desk.lastMonitors[output.name] = output.identity.label
    tell(.disconnected, output.name, detail: output.identity.label)
  }

  // MARK: Cards

  /// Forgets a card that is of no more use; its source brings it again when it returns. Returns when it is closed.
  func lose(_ desk: CardDesk, because reason: String) async {
    feed(.ended(reason: reason), to: desk)
    await desk.closing?.value
  }

  /// The machine of a card ended.
  func ended(_ desk: CardDesk, because reason: String) {
    guard desks[desk.card.path] === desk else { return }
    desks[desk.card.path] = nil
    logger.warning("\(desk.card.path): lost: \(reason)")
    let outputs = desk.outputs
    // In one step, so that each display is found either as connected or as lost.
    for output in outputs.values { rememberLost(desk, output) }
    desk.outputs = [:]
    for output in outputs.values {
      changeAtOnce { store, now in store.detach(output.name, at: now) }
      tell(.disconnected, output.name, detail: reason)
    }
    forgetMonitors()
    let (freeing, card) = (desk.freeing, desk.card)
    desk.closing = Task {
      await freeing?.value
      await card.close()
    }
  }
}

extension Arrival {
  fileprivate init(_ output: Output) {
    self.init(
      display: output.name, monitor: output.identity.text, label: output.identity.label,
      place: output.identity.place,
      role: (output.connector.kind.role ?? .external).rawValue, tags: output.presentation.tags)
  }
}
