import Configuration
import Control
import Displays
import Outputs
import Scenes

/// The cards, and the events and effects of their machines.
extension Core {
  // MARK: Cards

  /// Adds a card that was opened.
  ///
  /// - Parameters:
  ///   - path: The path of its device node. A former card with this path must have ended.
  ///   - commitsTogether: Whether several of its outputs can be one commit.
  /// - Returns: The card's number.
  mutating func add(_ path: String, commitsTogether: Bool) -> CardID {
    unopened[path] = nil
    cardCount += 1
    let id = CardID(number: cardCount)
    // Painters serve outputs of several cards, so each card needs its own range of surface IDs.
    let machine = CardMachine(
      path: path, commitsTogether: commitsTogether, patience: patience, firstSurface: cardCount << 32)
    cards[id] = CardRecord(id, path: path, machine: machine)
    return id
  }

  /// Returns whether a card is not gone.
  func isPresent(_ card: CardID) -> Bool { cards[card]?.isPresent ?? false }

  /// Returns whether a card has an output without a mode, or whether the one with this name is.
  func hasDarkOutput(_ card: CardID, named name: String? = nil) -> Bool {
    cards[card]?.machine.outputs.contains { (name ?? $0.key) == $0.key && $0.value.crtc == nil } ?? false
  }

  /// Returns whether no operation on a card is in progress, except for frames.
  func isIdle(_ card: CardID) -> Bool {
    guard let record = cards[card] else { return true }
    return record.machine.isIdle && !isHandling
  }

  /// Handles the end of a card's machine. This is one step, so that each display is found either as connected or as
  /// lost.
  private mutating func ended(_ card: CardID, because reason: String) {
    guard let record = cards[card], record.isPresent else { return }
    cards[card]?.isPresent = false
    log(.warning, "\(record.path): lost: \(reason)")
    for output in record.outputs.values { rememberLost(output) }
    cards[card]?.outputs = [:]
    for output in record.outputs.values {
      emit(.disconnected(output.id))
      change { store, now in store.detach(output.name, at: now) }
      send(.disconnected, output.name, detail: reason)
    }
    forgetMonitors()
    emit(.close(card))
  }

  /// Ends all cards, because the service stops.
  mutating func close() {
    isClosing = true
    let last = presentCards
    // The cards are gone first, so that a hotplug event during the shutdown does not enable an output again.
    for record in last { cards[record.id]?.isPresent = false }
    for record in last {
      for output in record.outputs.values {
        enter(.dark(.noMonitor, reason: "the service stops"), output.id)
        change { store, now in store.detach(output.name, at: now) }
        emit(.disconnected(output.id))
      }
      cards[record.id]?.outputs = [:]
      forgetMonitors()
      feed(.ended(reason: "the service stops"), to: record.id)
    }
  }

  /// Records a card that cannot be used for now, or a new reason for that, with the monitors that are plugged into it.
  mutating func noteWaiting(_ card: WaitingCard) {
    let before = unopened[card.path]
    let known = UnopenedCard(card, after: before, at: now.wall)
    unopened[card.path] = known
    for report in known.reports {
      lost[report.name] = nil
      let old = before?.reports.first { $0.name == report.name }
      guard report.state != old?.state || report.reason != old?.reason else { continue }
      if report.state == .dark {
        send(.stateChanged, report.name, detail: "dark: \(card.reason)")
        send(.dark, report.name, detail: card.reason)
      } else if old != nil {
        send(.disconnected, report.name, detail: old?.monitor)
      }
    }
  }

  /// Removes a card that could not be used and is gone.
  mutating func forgetWaiting(_ path: String) {
    guard let card = unopened.removeValue(forKey: path) else { return }
    for report in card.reports where report.state == .dark {
      send(.disconnected, report.name, detail: "\(path) is gone")
    }
  }

  // MARK: Machines

  /// Passes an event to the machine of a card, and handles the effects. An event that an effect causes is handled after
  /// the effects before it.
  mutating func feed(_ event: CardMachine.Event, to card: CardID) {
    inbox.append((card, event))
    guard !isHandling else { return }
    isHandling = true
    while !inbox.isEmpty {
      let (card, event) = inbox.removeFirst()
      handle(event, of: card)
    }
    isHandling = false
  }

  private mutating func handle(_ event: CardMachine.Event, of card: CardID) {
    guard let effects = cards[card]?.machine.handle(event, at: now.monotonic) else { return }
    for name in cards[card]?.machine.changed ?? [] { updatePermit(name, of: card) }
    for effect in effects { handle(effect, of: card) }
    wake(at: now.loopTime(of: cards[card]?.machine.changedDue))
    guard let reason = cards[card]?.machine.endReason else { return }
    ended(card, because: reason)
    guard cards[card]?.machine.isOver ?? false else { return }
    cards[card] = nil
    emit(.forget(card))
  }

  private mutating func handle(_ effect: CardMachine.Effect, of card: CardID) {
    switch effect {
    case .probe(let id, let connectors): emit(.probe(card, id, connectors))
    case .arrived(let connectors):
      unintroduced += connectors.compactMap { cards[card]?.outputs[$0.name]?.id }
      introduceMonitors()
    case .render(let id, let display, let surface, let candidate): render(id, display, surface, candidate, card)
    case .test(let id, let outputs): emit(.call(card, id, .check(ModesetPlan(lit: enabled(outputs, card)))))
    case .commit(let id, let outputs):
      emit(.call(card, id, .apply(ModesetPlan(lit: enabled(outputs, card), number: id.planNumber))))
    case .disable(let id, let crtcs): emit(.call(card, id, .disable(crtcs)))
    case .sleep(let id, let outputs): emit(.call(card, id, .apply(ModesetPlan(asleep: outputs))))
    case .addBuffer(let id, _, let surface, let size): emit(.call(card, id, .addBuffer(surface, size)))
    case .paint(let display, let generation):
      if let output = cards[card]?.outputs[display] { emit(.paint(output.id, generation: generation)) }
    case .present(let display, let generation):
      if let output = cards[card]?.outputs[display] { emit(.present(output.id, generation: generation)) }
    case .free(_, let surface):
      cards[card]?.firstFrames[surface] = nil
      emit(.free(card, surface))
    case .report(let display, let report): handle(report, of: display, card)
    }
  }

  private func enabled(_ outputs: [CardMachine.PlannedOutput], _ card: CardID) -> [EnabledOutput] {
    outputs.compactMap { output in
      guard let frame = cards[card]?.firstFrames[output.surface] else { return nil }
      return EnabledOutput(
        connector: output.connector, name: output.display, crtc: output.crtc, mode: output.mode, buffer: frame.buffer)
    }
  }

  /// Updates the frame gate of an output with the frames that the render thread may still present. An offer ends with
  /// the flip that the output waited for, unless the render thread has answered it.
  mutating func updatePermit(_ display: String, of card: CardID) {
    guard let output = cards[card]?.outputs[display], let frames = cards[card]?.machine.outputs[display]?.frames else {
      return
    }
    let id = output.id
    if let offered = output.offered, !frames.isStepping(offered.generation) { update(id) { $0.offered = nil } }
    let mayStep = !frames.isDirty || self[id]?.offered != nil
    let event = FramePermit.Event.changed(generation: frames.generation, mayStep: mayStep)
    guard event != output.permit else { return }
    update(id) { $0.permit = event }
    emit(.permit(id, event))
  }

  private mutating func handle(_ report: CardMachine.Report, of display: String, _ card: CardID) {
    if isClosing { return }
    if report == .connected { return connected(display, card) }
    guard let id = cards[card]?.outputs[display]?.id else { return }
    switch report {
    case .connected: break
    case .disconnected: disconnected(id)
    case .state(let state): enter(state, id)
    case .refused(let mode, let reason):
      let words = "\(mode) could not be set: \(reason)"
      var isKnown = false
      update(id) { isKnown = $0.knows(failure: words) }
      log(isKnown ? .debug : .warning, "\(display): \(words)")
    case .noBuffer(let error): log(.warning, "\(display): no second buffer: \(error)")
    case .mode(let candidate): modeSet(id, candidate)
    case .shown(let version, let time, let isFirst): arrived(id, version, at: time, isFirst: isFirst)
    case .sleepless(let reason):
      log(.warning, "\(display): could not be put to sleep, its last picture stays: \(reason)")
    }
  }

  // MARK: Probes

  /// Handles the result of a probe.
  mutating func probed(_ card: CardID, _ id: EffectID, _ result: Result<CardSnapshot, CardError>) {
    switch result {
    case .success(let snapshot):
      guard cards[card]?.isPresent ?? false else { return }
      cards[card]?.complaint = nil
      forgetLost(snapshot)
      feed(.probed(id, result), to: card)
      noteBare(snapshot, on: card)
    case .failure(let error):
      if error.reason != .gone, cards[card]?.complaint != "\(error)" { log(.warning, "\(error); trying again") }
      cards[card]?.complaint = "\(error)"
      feed(.probed(id, result), to: card)
    }
  }

  // MARK: Monitors

  /// Handles a monitor that was connected, or whose EDID arrived late.
  private mutating func connected(_ display: String, _ card: CardID) {
    guard let record = cards[card], let connector = record.machine.outputs[display]?.connector else { return }
    let identity = MonitorIdentity(connector)
    if let output = record.outputs[display] {
      update(output.id) { output in
        output.identity = identity
        output.imageSize = connector.imageSize
        output.pending = nil
      }
      log(.info, "\(display): it is \(identity.label): its EDID came late")
    } else {
      let presentation = settings.presentation(for: identity, role: connector.kind.role ?? .external)
      outputCount += 1
      let id = OutputID(card: card, name: display, number: outputCount)
      let output = OutputRecord(
        OutputFields(id, connector, presentation, painter: freestPainter, at: now.wall))
      cards[card]?.outputs[display] = output
      emit(.connected(id, painter: output.painter))
      log(.info, "\(display): connected: \(identity.label) on \(record.path)")
    }
    send(.connected, display, detail: identity.label)
  }

  /// Determines the content of new monitors. The first frame shows what the monitor showed before, so no output is
  /// enabled until the stored state is restored.
  mutating func introduceMonitors() {
    guard isRestored else { return }
    let present = unintroduced.compactMap { self[$0] }
    unintroduced = []
    guard !present.isEmpty else { return }
    let arrivals = present.map { Arrival($0, snapshot(of: $0)) }
    change { store, now in store.attach(arrivals, at: now) }
    // The monitor profile contains the mode and rotation that were chosen for the monitor.
    adopt(present.map(\.id))
    for output in present {
      update(output.id) { $0.isIntroduced = true }
      observe(output.id)
    }
    follow(present.map(\.id))
  }

  /// Reports a new monitor to the decision observer.
  private mutating func observe(_ id: OutputID) {
    guard isObserved, let output = self[id] else { return }
    let (profile, connector) = (store.profile(on: output.name), snapshot(of: output).connector)
    let terms = MonitorTerms(
      role: connector.kind.role ?? .external, policy: output.presentation.policy,
      rotation: output.presentation.rotation, isAsleep: profile?.isAsleep ?? false, chosenMode: profile?.choice.mode,
      chosenRotation: profile?.choice.rotation)
    emit(.observe(.met(connector, terms)))
  }

  /// Handles a monitor that was unplugged.
  private mutating func disconnected(_ id: OutputID) {
    guard let output = self[id] else { return }
    cards[id.card]?.outputs[output.name] = nil
    emit(.disconnected(id))
    change { store, now in store.detach(output.name, at: now) }
    forgetMonitors()
    cards[id.card]?.lastMonitors[output.name] = output.identity.label
    send(.disconnected, output.name, detail: output.identity.label)
  }

  /// The painter with the least load. A new monitor's first frame takes longer than one refresh interval, and must not
  /// delay an animation on another output. If the loads are equal, the first painter is used, because it was warmed up.
  private var freestPainter: Int {
    let served = unorderedOutputs
    func load(of painter: Int) -> (Int, Int) {
      let own = served.filter { $0.painter == painter }
      return (own.count { $0.isLit && $0.moving != nil }, own.count)
    }
    return (0..<painterCount).min { load(of: $0) < load(of: $1) } ?? 0
  }
}

extension Arrival {
  init(_ output: OutputRecord, _ state: OutputState) {
    self.init(
      display: output.name, monitor: output.identity.text, label: output.identity.label,
      place: output.identity.place, role: state.role.rawValue, tags: output.presentation.tags)
  }
}
