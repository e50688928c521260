import Configuration
import Control
import Displays
import Logging
import Scenes

extension Director {
  /// Brings a card's outputs in line with what is plugged in now. Hints that come meanwhile are merged into one more
  /// look: the first plug is not delayed, and a storm costs one probe at a time.
  ///
  /// With a connector, only that one is probed, and those that other hints name meanwhile.
  func reconcile(_ desk: CardDesk, connector: UInt32? = nil) async {
    guard await desk.askForTurn(connector) else { return }
    while let (turn, connectors) = desk.nextLook() {
      if desks[desk.card.path] === desk { await look(at: desk, connectors) }
      desk.finished(turn)
    }
  }

  private func look(at desk: CardDesk, _ connectors: Set<UInt32>?) async {
    let snapshot: CardSnapshot
    do throws(CardError) {
      // Monitors whose EDID is late are probed as well: each look counts as one of their retries.
      let late = desk.snapshot?.displays.filter(\.isProvisional).map(\.id)
      snapshot = try await desk.card.probe(late.flatMap { connectors?.union($0) })
    } catch {
      return await probeFailed(desk, error)
    }
    guard desks[desk.card.path] === desk else { return }
    desk.complaint = nil
    noteLeftovers(desk, snapshot)
    let diff = ConnectorDiff(from: desk.snapshot, to: snapshot)
    desk.snapshot = snapshot
    if diff.hasNews { desk.retries = 0 }
    forgetLost(snapshot)
    await retire(desk, diff.gone)
    guard desks[desk.card.path] === desk else { return }
    let wanted = snapshot.displays.filter(\.isDisplayable)
    await admit(desk, wanted, relight: stale(desk, diff, snapshot))
    guard desks[desk.card.path] === desk else { return }
    noteBare(desk, snapshot)
    await tidy(desk)
    if desks[desk.card.path] === desk { scheduleRetry(desk) }
  }

  /// Switches off what nobody looks at any more. Other outputs of the card are not touched.
  private func retire(_ desk: CardDesk, _ names: [String]) async {
    let outputs = names.compactMap { desk.outputs.removeValue(forKey: $0) }
    let crtcs = outputs.compactMap(\.crtc)
    if !crtcs.isEmpty { await switchOff(desk, Set(crtcs), outputs.map(\.name).joined(separator: ", ")) }
    for output in outputs {
      await release(output, because: "the monitor was unplugged")
      desk.lastMonitors[output.name] = output.identity.label
      tell(.disconnected, output.name, detail: output.identity.label)
    }
  }

  /// Gives every wanted connector an output and a CRTC, and lights those that are new, changed or still dark.
  private func admit(_ desk: CardDesk, _ wanted: [ConnectorSnapshot], relight: Set<String>) async {
    let arrived = wanted.filter { greet(desk, $0) }
    // The first frame is the one that the monitor had before: nothing is lit before it is known.
    await restored()
    guard desks[desk.card.path] === desk else { return }
    let arrivals = arrived.compactMap { desk.outputs[$0.name] }.map(Arrival.init)
    changeAtOnce { store, now in store.attach(arrivals, at: now) }
    // What was chosen for the monitor came with its seat.
    for connector in arrived {
      guard let output = desk.outputs[connector.name] else { continue }
      adopt(output)
      introduce(output)
    }
    await plan(desk) { assign(wanted, on: desk, relight: relight) }
    await putToSleep(desk, wanted.compactMap { desk.outputs[$0.name] })
  }

  /// Gives connectors a CRTC, and chooses modes for those that are new, changed or still dark.
  private func assign(_ wanted: [ConnectorSnapshot], on desk: CardDesk, relight: Set<String>) -> [ModeLadder] {
    let lit = desk.outputs.values.compactMap { output in output.crtc.map { (output.connector.id, $0) } }
    let assignment = CRTCAssignment(
      wanted: wanted, crtcs: desk.snapshot?.crtcs ?? [], kept: Dictionary(lit) { first, _ in first })
    for dark in assignment.dark {
      guard let output = desk.outputs[dark.name] else { continue }
      if isToSleep(output) { fellAsleep(output) } else { darken(output, .noCRTC, because: dark.reason) }
    }
    return wanted.compactMap { connector in
      guard let output = desk.outputs[connector.name], let crtc = assignment.crtcs[connector.id],
        output.crtc == nil || relight.contains(output.name)
      else { return nil }
      return ladder(for: output, on: crtc, mustSet: connector.isLinkBad)
    }
  }

  /// Takes in what a connector says; true where that is another monitor than was known, or who it is only now.
  private func greet(_ desk: CardDesk, _ connector: ConnectorSnapshot) -> Bool {
    if let known = desk.outputs[connector.name] { return update(known, connector, desk) }
    let output = makeOutput(connector)
    desk.outputs[connector.name] = output
    logger.info("\(connector.name): connected: \(output.identity.label) on \(desk.card.path)")
    tell(.connected, connector.name, detail: output.identity.label)
    return true
  }

  /// An EDID that comes late says who the monitor is; one that is lost takes nothing back.
  private func update(_ output: Output, _ connector: ConnectorSnapshot, _ desk: CardDesk) -> Bool {
    guard !desk.faded.contains(output.name) else { return false }
    output.connector = connector
    let identity = MonitorIdentity(connector)
    guard !connector.edid.isEmpty, identity.text != output.identity.text else { return false }
    output.identity = identity
    output.trial = nil
    logger.info("\(output.name): it is \(identity.label): its EDID came late")
    tell(.connected, output.name, detail: identity.label)
    return true
  }

  /// An output shows nothing from now on, and whoever waits for it is told why.
  func darken(_ output: Output, _ darkness: Darkness, because reason: String) {
    endEntry(of: output)
    change(output) { $0.darken(darkness, because: reason, at: $1) }
    output.settle(.notShown(reason: reason))
  }

}

extension ConnectorDiff {
  /// Connectors whose monitor is not the one that was lit: their outputs end.
  fileprivate var gone: [String] {
    changes.compactMap { change in
      switch change {
      case .disconnected(let connector), .vanished(let connector): connector.name
      case .replaced(_, let connector): connector.name
      case .connected, .modesChanged, .linkBad: nil
      }
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
