import Configuration
import Control
import Displays
import Logging
import NIOCore
import Scenes

extension Director {
  /// Brings a card's outputs in line with what is plugged in now. Hints that come meanwhile are merged into one more
  /// look: the first plug is not delayed, and a storm costs one probe at a time.
  func reconcile(_ desk: CardDesk) async {
    guard await desk.askForTurn() else { return }
    while let turn = desk.nextLook() {
      if desks[desk.card.path] === desk { await look(at: desk) }
      desk.finished(turn)
    }
  }

  private func look(at desk: CardDesk) async {
    let snapshot: CardSnapshot
    do throws(CardError) {
      snapshot = try await desk.card.probe()
    } catch {
      return await probeFailed(desk, error)
    }
    guard desks[desk.card.path] === desk else { return }
    let isFirst = desk.snapshot == nil
    let diff = ConnectorDiff(from: desk.snapshot, to: snapshot)
    desk.snapshot = snapshot
    forgetLost(snapshot)
    await retire(desk, diff.gone)
    guard desks[desk.card.path] === desk else { return }
    let wanted = snapshot.displays.filter(\.isDisplayable)
    await admit(desk, wanted, relight: diff.stale)
    noteBare(desk, snapshot)
    if isFirst { await blankLeftovers(desk, snapshot) }
    scheduleRetry(desk, snapshot, hasNews: !diff.changes.isEmpty)
  }

  private func probeFailed(_ desk: CardDesk, _ error: CardError) async {
    if error.reason == .gone { return await lose(desk, because: "\(error)") }
    logger.warning("\(error); trying again")
    retry(desk, in: ProbeRetry.delay(after: desk.retries) ?? .seconds(5))
  }

  /// Switches off what nobody looks at any more. Other outputs of the card are not touched.
  private func retire(_ desk: CardDesk, _ names: [String]) async {
    for name in names {
      guard let output = desk.outputs.removeValue(forKey: name) else { continue }
      let crtc = output.crtc
      if let crtc { await darken(desk, [crtc], name) }
      await release(output, because: "the monitor was unplugged")
      tell(.disconnected, name, detail: output.identity.label)
    }
  }

  /// A pipe that is left on after an unplug keeps some drivers from seeing the monitor again. Failing is no matter.
  private func darken(_ desk: CardDesk, _ crtcs: [UInt32], _ what: String) async {
    do throws(CardError) {
      try await desk.card.apply(ModesetPlan(dark: crtcs))
    } catch {
      logger.warning("\(what): could not be switched off: \(error)")
    }
  }

  /// Gives every wanted connector an output and a CRTC, and lights those that are new, changed or still dark.
  private func admit(_ desk: CardDesk, _ wanted: [ConnectorSnapshot], relight: Set<String>) async {
    let arrived = wanted.filter { desk.outputs[$0.name] == nil }
    for connector in wanted { greet(desk, connector) }
    let arrivals = arrived.compactMap { desk.outputs[$0.name] }.map(Arrival.init)
    changeAtOnce { store, now in store.attach(arrivals, at: now) }
    // What was chosen for the monitor came with its seat.
    for connector in arrived {
      guard let output = desk.outputs[connector.name] else { continue }
      adopt(output)
      introduce(output)
    }
    let lit = desk.outputs.values.compactMap { output in output.crtc.map { (output.connector.id, $0) } }
    let assignment = CRTCAssignment(
      wanted: wanted, crtcs: desk.snapshot?.crtcs ?? [], kept: Dictionary(lit) { first, _ in first })
    for dark in assignment.dark {
      guard let output = desk.outputs[dark.name] else { continue }
      if isToSleep(output) { fellAsleep(output) } else { darken(output, .noCRTC, because: dark.reason) }
    }
    for connector in wanted {
      guard let output = desk.outputs[connector.name], let crtc = assignment.crtcs[connector.id],
        output.crtc == nil || relight.contains(output.name)
      else { continue }
      await light(desk, output, crtc, mustSet: connector.isLinkBad)
    }
  }

  private func greet(_ desk: CardDesk, _ connector: ConnectorSnapshot) {
    if let known = desk.outputs[connector.name] {
      known.connector = connector
      return
    }
    let output = makeOutput(connector)
    desk.outputs[connector.name] = output
    logger.info("\(connector.name): connected: \(output.identity.label) on \(desk.card.path)")
    tell(.connected, connector.name, detail: output.identity.label)
  }

  /// An output shows nothing from now on, and whoever waits for it is told why.
  func darken(_ output: Output, _ darkness: Darkness, because reason: String) {
    endEntry(of: output)
    change(output) { $0.darken(darkness, because: reason, at: $1) }
    output.settle(.notShown(reason: reason))
  }

  /// What a former master left lit on CRTCs that are not ours would stand there for ever.
  private func blankLeftovers(_ desk: CardDesk, _ snapshot: CardSnapshot) async {
    let own = Set(desk.outputs.values.compactMap(\.crtc))
    let leftover = snapshot.crtcs.filter { $0.isActive && !own.contains($0.id) }.map(\.id)
    if !leftover.isEmpty { await darken(desk, leftover, "\(desk.card.path): CRTCs left on by another program") }
  }

  /// An EDID can be late: while a connected monitor has none, or no modes, look again a few times.
  private func scheduleRetry(_ desk: CardDesk, _ snapshot: CardSnapshot, hasNews: Bool) {
    if hasNews { desk.retries = 0 }
    guard snapshot.connectors.contains(where: \.isProvisional) else {
      desk.retries = 0
      return
    }
    if let delay = ProbeRetry.delay(after: desk.retries) { retry(desk, in: delay) }
  }

  private func retry(_ desk: CardDesk, in delay: Duration) {
    desk.retries += 1
    desk.retryTimer?.cancel()
    let path = desk.card.path
    desk.retryTimer = loop.scheduleTask(in: TimeAmount(delay)) { [weak self] in
      guard let self else { return }
      self.assumeIsolated { director in director.lookAgain(path) }
    }
  }

  private func lookAgain(_ path: String) {
    guard let desk = desks[path] else { return }
    Task { await reconcile(desk) }
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

  /// Connectors with the same monitor whose mode must be chosen or set again.
  fileprivate var stale: Set<String> {
    Set(
      changes.compactMap { change in
        switch change {
        case .modesChanged(_, let connector), .linkBad(let connector): connector.name
        case .connected, .disconnected, .vanished, .replaced: nil
        }
      })
  }
}

extension ConnectorSnapshot {
  /// Connected, but the list of modes may not be the monitor's own yet.
  fileprivate var isProvisional: Bool {
    status == .connected && kind.role != nil && !isNonDesktop && (edid.isEmpty || modes.isEmpty)
  }
}

extension Arrival {
  fileprivate init(_ output: Output) {
    self.init(
      display: output.name, monitor: output.identity.text, place: output.identity.place,
      role: (output.connector.kind.role ?? .external).rawValue, tags: output.presentation.tags)
  }
}
