import Configuration
import Control
import Displays
import Logging
import Outputs
import Scenes

/// Hotplug of cards and monitors.
extension Director {
  /// Probes a card, and waits until its displays are in their desired state, as far as that is known.
  func reconcile(_ managed: ManagedCard) async {
    feed(.hint(connector: nil), to: managed)
    await managed.idle()
    await managed.freeing?.value
  }

  // MARK: Monitors

  /// Handles a monitor that was connected, or whose EDID arrived late.
  func connected(_ display: String, on managed: ManagedCard) {
    guard let connector = managed.machine.outputs[display]?.connector else { return }
    let identity = MonitorIdentity(connector)
    if let output = managed.outputs[display] {
      output.identity = identity
      output.pending = nil
      logger.info("\(display): it is \(identity.label): its EDID came late")
    } else {
      let presentation = settings.presentation(for: identity, role: connector.kind.role ?? .external)
      managed.outputs[display] = Output(
        connector, presentation, painter: freestPainter, managed: managed, at: environment.wallClock())
      logger.info("\(display): connected: \(identity.label) on \(managed.card.path)")
    }
    chronicle.emit(.connected, display, detail: identity.label)
  }

  /// Determines the content of new monitors.
  func introduce(_ connectors: [ConnectorSnapshot], on managed: ManagedCard) {
    let arrived = connectors.compactMap { managed.outputs[$0.name] }
    Task {
      // The first frame shows what the monitor showed before, so no output is enabled until that is known.
      await restored()
      let present = arrived.filter(\.isConnected)
      changeAtOnce { store, now in store.attach(present.map(Arrival.init), at: now) }
      // The monitor profile contains the mode and rotation that were chosen for the monitor.
      adopt(present)
      for output in present {
        output.isIntroduced = true
        introduce(output)
      }
      follow(present)
    }
  }

  /// Handles a monitor that was unplugged.
  func disconnected(_ output: Output) {
    let managed = output.managed
    managed.outputs[output.name] = nil
    changeAtOnce { store, now in store.detach(output.name, at: now) }
    forgetMonitors()
    managed.lastMonitors[output.name] = output.identity.label
    chronicle.emit(.disconnected, output.name, detail: output.identity.label)
  }

  // MARK: Cards

  /// Removes a card that is unusable, and waits until it is closed. Its source adds the card again when it returns.
  func lose(_ managed: ManagedCard, because reason: String) async {
    feed(.ended(reason: reason), to: managed)
    await managed.closing?.value
  }

  /// Handles the end of a card's machine.
  func ended(_ managed: ManagedCard, because reason: String) {
    guard managedCards[managed.card.path] === managed else { return }
    managedCards[managed.card.path] = nil
    logger.warning("\(managed.card.path): lost: \(reason)")
    let outputs = managed.outputs
    // This is one synchronous step, so that each display is found either as connected or as lost.
    for output in outputs.values { rememberLost(managed, output) }
    managed.outputs = [:]
    for output in outputs.values {
      changeAtOnce { store, now in store.detach(output.name, at: now) }
      chronicle.emit(.disconnected, output.name, detail: reason)
    }
    forgetMonitors()
    let (freeing, card) = (managed.freeing, managed.card)
    managed.closing = Task {
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
