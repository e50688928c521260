import Displays

/// Probes, monitors that come and go, and retries.
extension CardMachine {
  mutating func hint(_ connector: UInt32?) {
    hints += 1
    mustProceed = true
    if let connector { hinted?.insert(connector) } else { hinted = nil }
  }

  mutating func beginProbe() -> Bool {
    guard hinted != [] else { return false }
    let id = nextEffect()
    // Monitors whose EDID is late are probed as well: each probe counts as one of their retries.
    let late = snapshot?.displays.filter(\.isProvisional).map(\.id)
    let connectors = late.flatMap { hinted?.union($0) }
    hinted = []
    retryDue = nil
    job = .probing(id)
    emit(.probe(id, connectors: connectors))
    return true
  }

  mutating func probed(_ id: EffectID, _ result: Result<CardSnapshot, CardError>, at now: UInt64) {
    guard case .probing(id) = job else { return }
    job = .none
    switch result {
    case .success(let snapshot): follow(snapshot, at: now)
    case .failure(let error): probeFailed(error, at: now)
    }
  }

  private mutating func probeFailed(_ error: CardError, at now: UInt64) {
    // It may have missed a change of any connector.
    complaint = error
    switch error.reason {
    case .gone: loseCard(error, at: now)
    case .notMaster: masterLost(at: now)
    case .refused, .busy, .other: break
    }
  }

  private mutating func follow(_ new: CardSnapshot, at now: UInt64) {
    complaint = nil
    let diff = ConnectorDiff(from: snapshot, to: new)
    snapshot = new
    if diff.hasChanges { retries = 0 }
    for name in diff.gone { remove(name, at: now) }
    orphans = Set(new.crtcs.filter(\.isEnabled).map(\.id)).subtracting(outputs.values.compactMap(\.crtc))
    keptOn = []
    let stale = stale(diff, new)
    var arrivals: [ConnectorSnapshot] = []
    for connector in new.displays where connector.isDisplayable {
      if record(connector) { arrivals.append(connector) }
      relight(connector, isStale: stale.contains(connector.name), at: now)
    }
    if !arrivals.isEmpty { emit(.arrived(arrivals)) }
  }

  /// Takes in the state of a connector. Returns true if its monitor is another one than was known.
  private mutating func record(_ connector: ConnectorSnapshot) -> Bool {
    guard let known = outputs[connector.name] else {
      outputs[connector.name] = OutputMachine(
        connector, FrameMachine(patience: patience, generation: nextGeneration))
      emit(.report(display: connector.name, .connected))
      return true
    }
    // A monitor that lost its EDID is still the same one.
    guard !edidLost.contains(connector.name) else { return false }
    outputs[connector.name]?.connector = connector
    let isLate = !connector.edid.isEmpty && MonitorIdentity(connector).text != MonitorIdentity(known.connector).text
    if isLate { emit(.report(display: connector.name, .connected)) }
    return isLate
  }

  /// Tries a dark output again, and chooses a mode anew for a monitor whose modes changed.
  private mutating func relight(_ connector: ConnectorSnapshot, isStale: Bool, at now: UInt64) {
    guard let output = outputs[connector.name] else { return }
    switch output.phase {
    case .dark: attempt(connector.name, at: now) { _ in }
    case .lit(let lit) where isStale:
      if !connector.isLinkBad, (try? outputs[connector.name]?.choose())?.mode == lit.candidate.mode { return }
      attempt(connector.name, at: now) { _ in }
    case .lit, .lighting, .asleep: break
    }
  }

  /// Removes an output whose monitor was unplugged. The next job disables its CRTC.
  private mutating func remove(_ name: String, at now: UInt64) {
    guard let output = outputs[name] else { return }
    update(name) { output in
      output.phase = .dark(.noMonitor, reason: "the monitor was unplugged")
      _ = output.frames.handle(.switchedOff, at: now)
    }
    nextGeneration = max(nextGeneration, (outputs[name]?.frames.generation ?? 0) + 1)
    emit(.report(display: name, .disconnected))
    free(output.lit, of: name)
    outputs[name] = nil
  }

  /// Returns the outputs whose mode is chosen anew. A monitor that is lit and loses its EDID, as when a television is
  /// woken, keeps its mode while it may come back: the list without it is a guess. So does one that sleeps.
  private mutating func stale(_ diff: ConnectorDiff, _ new: CardSnapshot) -> Set<String> {
    for case .modesChanged(let old, let connector) in diff.changes where !old.edid.isEmpty && connector.edid.isEmpty {
      switch outputs[connector.name]?.phase {
      case .lit, .asleep: edidLost.insert(connector.name)
      case .dark, .lighting, nil: break
      }
    }
    edidLost.formIntersection(new.displays.filter { $0.status == .connected && $0.edid.isEmpty }.map(\.name))
    guard retries >= ProbeRetry.delays.count else { return diff.stale.subtracting(edidLost) }
    defer { edidLost = [] }
    return diff.stale.union(edidLost)
  }

  // MARK: Retries

  /// The event that a dark output waits for.
  enum RetryBudget {
    /// A few probes more; then only a uevent helps.
    case soon
    /// A few probes more, then one a minute: the driver may accept a mode later without a uevent.
    case refused
    /// The card is busy: as long as that lasts.
    case always
    /// Another program is master.
    case master

    func delay(after retries: Int) -> Duration? {
      switch self {
      case .soon: ProbeRetry.delay(after: retries)
      case .refused: ProbeRetry.delay(after: retries) ?? ProbeRetry.patient
      case .always: ProbeRetry.delay(after: retries) ?? ProbeRetry.longest
      case .master: ProbeRetry.masterDelay(after: retries)
      }
    }
  }

  var retryBudget: RetryBudget? {
    if let complaint { return complaint.reason == .notMaster ? .master : .always }
    let causes = Set(outputs.values.compactMap(\.state.darkness))
    if causes.contains(.noMaster) { return .master }
    if causes.contains(.busy) { return .always }
    if !causes.isDisjoint(with: [.refused, .failed]) { return .refused }
    let isLate = snapshot?.displays.contains(where: \.isProvisional) ?? false
    return isLate || !keptOn.isEmpty ? .soon : nil
  }

  /// The wait before the next probe that no uevent causes; nil if only a uevent helps.
  var retryDelay: Duration? { retryBudget.flatMap { $0.delay(after: retries) } }

  /// Sets the time of the next probe while something is dark that may pass, unless it is set.
  mutating func scheduleRetry(at now: UInt64) {
    guard let retryBudget else {
      retryDue = nil
      // What is being lit may never flip, and is dark again then: its tries count until its first flip.
      if outputs.values.allSatisfy(\.isSettled) { retries = 0 }
      return
    }
    guard retryDue == nil, let delay = retryBudget.delay(after: retries) else { return }
    retries += 1
    let nanoseconds = UInt64(delay.components.seconds) &* 1_000_000_000
    retryDue = now &+ nanoseconds &+ UInt64(delay.components.attoseconds / 1_000_000_000)
  }

  /// Begins the retries anew, because something changed that others may have been refused for.
  mutating func renewRetryBudget() {
    mustProceed = true
    retries = 0
    retryDue = nil
  }

  // MARK: Failures of the whole card

  /// Darkens all outputs, because another program is master of the card. What it shows is not ours to change.
  mutating func masterLost(at now: UInt64) {
    let reason =
      "another program is DRM master of \(path); the picture is back when that one ends, or within 5 s if it only gives "
      + "up DRM master"
    for name in outputs.keys.sorted() {
      if case .asleep = outputs[name]?.phase { continue }
      darken(name, .noMaster, because: reason, at: now)
    }
  }

  mutating func loseCard(_ error: CardError, at now: UInt64) { end(because: "\(error)", at: now) }

  /// Makes an output dark, and frees what it held. If another program is DRM master, the CRTC is not ours to disable, and
  /// the picture may still be on screen.
  mutating func darken(_ name: String, _ darkness: Darkness, because reason: String, at now: UInt64) {
    let lit = outputs[name]?.lit
    let isKept = darkness == .noMaster
    mustProceed = true
    update(name) { output in
      output.phase = .dark(darkness, reason: reason, isKept ? lit : nil)
      _ = output.frames.handle(.switchedOff, at: now)
    }
    guard !isKept else { return }
    free(lit, of: name)
    if let crtc = lit?.crtc { orphans.insert(crtc) }
  }
}

extension ConnectorSnapshot {
  /// True if the monitor is connected, but the list of modes may not be its own yet.
  package var isProvisional: Bool { status == .connected && (edid.isEmpty || modes.isEmpty) }
}

extension ConnectorDiff {
  /// The connectors whose monitor is not the one that was lit, by name.
  package var gone: [String] {
    changes.compactMap { change in
      switch change {
      case .disconnected(let connector), .vanished(let connector): connector.name
      case .replaced(_, let connector): connector.name
      case .connected, .modesChanged, .linkBad: nil
      }
    }
  }

  /// The connectors with the same monitor whose mode must be chosen or set again, by name.
  package var stale: Set<String> {
    Set(
      changes.compactMap { change in
        switch change {
        case .modesChanged(_, let connector), .linkBad(let connector): connector.name
        case .connected, .disconnected, .vanished, .replaced: nil
        }
      })
  }

  /// True if anything differs from before. A bad link stays so until it is set anew.
  package var hasChanges: Bool {
    changes.contains { if case .linkBad = $0 { false } else { true } }
  }
}
