import Displays
import Logging
import Ordering

extension Director {
  // MARK: Looking again

  /// Looks at a card again where what is dark may pass: an EDID can be late, a card busy, a mode refused for another
  /// display's sake, another program master. Nothing is armed where there is nothing to wait for. A hint tells when a holder
  /// closes the card; one that gives up DRM master and keeps the card open sends none, so that only a retry finds it.
  func scheduleRetry(_ desk: CardDesk) {
    guard let hope = desk.hope else {
      // What is being lit, or has stalled, may never flip, and is dark again then: its tries count until its first flip.
      if desk.outputs.values.allSatisfy(\.isSettled) { desk.retries = 0 }
      return
    }
    if let delay = hope.delay(after: desk.retries) { retry(desk, in: delay) }
  }

  /// A display of the card is lit: another one may have been refused for its sake, as where two share what a cable can
  /// carry.
  func renewHope(_ desk: CardDesk) {
    desk.retries = 0
    let isAnyRefused = desk.outputs.values.contains { output in
      output.crtc == nil && [.refused, .failed].contains(output.state.darkness)
    }
    if isAnyRefused, !desk.isBusy { scheduleRetry(desk) }
  }

  func probeFailed(_ desk: CardDesk, _ error: CardError) async {
    if error.reason == .gone { return await lose(desk, because: "\(error)") }
    desk.probeAllNext()
    if desk.complaint != "\(error)" { logger.warning("\(error); trying again") }
    desk.complaint = "\(error)"
    if error.reason == .notMaster {
      masterLost(desk)
      retry(desk, in: ProbeRetry.masterDelay(after: desk.retries))
    } else {
      retry(desk, in: ProbeRetry.delay(after: desk.retries) ?? ProbeRetry.longest)
    }
  }

  private func retry(_ desk: CardDesk, in delay: Duration) {
    desk.retries += 1
    desk.retryDue = due(in: delay)
    schedule(desk.retryDue)
  }

  /// Probes a card again.
  func probeAgain(_ path: String) {
    guard let desk = desks[path] else { return }
    desk.retryDue = nil
    Task { await reconcile(desk) }
  }

  // MARK: DRM master

  /// Another program is master of the card: what it shows is not ours to say. Once this process is master again, all is
  /// set anew, since nothing stands as it was left.
  func masterLost(_ desk: CardDesk) {
    for output in desk.outputs.values where !output.isAsleep {
      output.crtc = nil
      darken(
        output, .noMaster,
        because: "another program is DRM master of \(desk.card.path); the picture is back when that one ends, or "
          + "within 5 s if it only gives up DRM master")
    }
  }

  // MARK: What could not be switched off

  /// A pipe that is left on after an unplug keeps some drivers from seeing the monitor again. Where it fails, it is tried
  /// again with the next looks.
  func switchOff(_ desk: CardDesk, _ crtcs: Set<UInt32>, _ what: String) async {
    do throws(CardError) {
      try await desk.card.apply(ModesetPlan(dark: crtcs.sorted()))
      desk.leftovers.subtract(crtcs)
    } catch {
      if error.reason == .gone { return await lose(desk, because: "\(error)") }
      logger.warning("\(what): could not be switched off: \(error)")
      desk.leftovers.formUnion(crtcs)
    }
  }

  /// What is on as a card is looked at: what a former master left lit would stand there for ever, and so would what
  /// stayed on where a display was given up. Those that are of use are taken out before anything is switched off.
  func noteLeftovers(_ desk: CardDesk, _ snapshot: CardSnapshot) {
    desk.leftovers = Set(snapshot.crtcs.filter(\.isEnabled).map(\.id))
  }

  /// Does what could not be done before: CRTCs that nobody uses are switched off, monitors that are to sleep lose their
  /// signal.
  func tidy(_ desk: CardDesk) async {
    desk.leftovers.subtract(desk.outputs.values.compactMap(\.crtc))
    if !desk.leftovers.isEmpty { await switchOff(desk, desk.leftovers, "\(desk.card.path): CRTCs that nobody uses") }
    await endSignals(desk, desk.outputs.values.filter { $0.isAsleep && $0.hasSignal }.naturallySorted { $0.name })
  }

  /// Ends the signals of outputs that are asleep by one commit, or one by one if the card refuses that.
  func endSignals(_ desk: CardDesk, _ outputs: [Output]) async {
    let sleeping = outputs.compactMap { output in
      output.crtc.map { SleepingOutput(connector: output.connector.id, name: output.name, crtc: $0) }
    }
    guard !sleeping.isEmpty else { return }
    for output in outputs { output.hasSignal = false }
    do throws(CardError) {
      try await desk.card.apply(ModesetPlan(asleep: sleeping))
    } catch {
      if error.reason == .gone { return await lose(desk, because: "\(error)") }
      if outputs.count > 1 {
        for output in outputs where output.isAsleep { await endSignals(desk, [output]) }
        return
      }
      for output in outputs {
        logger.warning("\(output.name): could not be put to sleep, its last picture stays: \(error)")
        output.hasSignal = output.isAsleep
      }
    }
  }

  // MARK: EDIDs that come and go

  /// The outputs whose mode is to be chosen anew. A monitor that is lit and loses its EDID, as when a television is woken,
  /// keeps its mode while there is hope that it comes back: the list without it is a guess. So does one that sleeps.
  func stale(_ desk: CardDesk, _ diff: ConnectorDiff, _ snapshot: CardSnapshot) -> Set<String> {
    for case .modesChanged(let old, let new) in diff.changes where !old.edid.isEmpty && new.edid.isEmpty {
      if let output = desk.outputs[new.name], output.isLit || output.isAsleep { desk.faded.insert(new.name) }
    }
    let without = snapshot.displays.filter { $0.status == .connected && $0.edid.isEmpty }.map(\.name)
    desk.faded.formIntersection(without)
    let stale = diff.stale
    guard desk.retries >= ProbeRetry.delays.count else { return stale.subtracting(desk.faded) }
    defer { desk.faded = [] }
    return stale.union(desk.faded)
  }
}

extension CardDesk {
  /// What there is to wait for.
  enum Hope {
    /// A few looks more; then only a hint helps.
    case soon
    /// Every mode was refused: a few looks more, then one a minute. The driver may take a mode later without any hint, as
    /// where another program frees memory or bandwidth.
    case refused
    /// The card is busy: as long as that lasts.
    case always
    /// Another program is master.
    case master

    /// Returns how long to wait before the next look.
    ///
    /// - Parameter retries: How many looks failed so far.
    /// - Returns: The time to wait; nil if only a hint helps from here on.
    func delay(after retries: Int) -> Duration? {
      switch self {
      case .soon: ProbeRetry.delay(after: retries)
      case .refused: ProbeRetry.delay(after: retries) ?? ProbeRetry.patient
      case .always: ProbeRetry.delay(after: retries) ?? ProbeRetry.longest
      case .master: ProbeRetry.masterDelay(after: retries)
      }
    }
  }

  /// What there is to wait for at this card; nil for nothing.
  var hope: Hope? {
    let causes = Set(outputs.values.filter { $0.crtc == nil }.compactMap(\.state.darkness))
    if causes.contains(.noMaster) { return .master }
    if causes.contains(.busy) { return .always }
    if !causes.isDisjoint(with: [.refused, .failed]) { return .refused }
    let isSleepless = outputs.values.contains { $0.isAsleep && $0.hasSignal }
    let isLate = snapshot?.displays.contains(where: \.isProvisional) ?? false
    return isLate || isSleepless || !leftovers.isEmpty ? .soon : nil
  }
}

extension ConnectorSnapshot {
  /// Connected, but the list of modes may not be the monitor's own yet.
  var isProvisional: Bool { status == .connected && (edid.isEmpty || modes.isEmpty) }
}

extension ConnectorDiff {
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

  /// Whether anything is another than before; a link that is bad stays so until it is set anew.
  var hasNews: Bool {
    changes.contains { if case .linkBad = $0 { false } else { true } }
  }
}
