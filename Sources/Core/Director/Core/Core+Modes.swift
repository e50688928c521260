import Configuration
import Control
import Displays
import Outputs
import Scenes

/// A mode change that is being tried.
struct ModeTrial {
  var choice: MonitorChoice
  /// Whether the choice is stored as soon as it is on screen. Otherwise it is pending until it is confirmed.
  var isKept: Bool
  /// The mode change that was pending before.
  var before: PendingMode?
}

/// The modes that match a requested choice.
struct AskedModes {
  var choice: ModeChoice
  var candidates: [ModeChoice.Candidate]
}

/// Mode changes by request.
extension Core {
  /// Begins a mode change by request.
  ///
  /// - Throws: `ControlError` if another one is being applied, or if the request cannot be met.
  mutating func beginMode(_ request: ModeRequest, on id: OutputID) throws(ControlError) -> ModeTrial {
    guard let output = self[id] else { throw .gone(id.name) }
    try mustNotBeSetting(id)
    let (state, snapshot) = (state, snapshot(of: output))
    let kept = state.keptChoice(snapshot)
    let choice = try state.choice(of: request, for: snapshot)
    let isKept = request.keep ?? false || choice == kept
    if state.isToSleep(snapshot) && !isKept {
      throw ControlError(
        .conflict, "\(id.name) is \(state.sleepReason(snapshot)), or keep the mode without a look at it")
    }
    update(id) { $0.pending = PendingMode(choice: choice) }
    return ModeTrial(choice: choice, isKept: isKept, before: output.pending)
  }

  /// Returns whether a monitor was put to sleep, or is asleep because of a host suspend.
  func isToSleep(_ id: OutputID) -> Bool { self[id].map { state(of: []).isToSleep(snapshot(of: $0)) } ?? false }

  func mustNotBeSetting(_ id: OutputID) throws(ControlError) {
    guard let pending = self[id]?.pending, pending.until == nil else { return }
    throw ControlError(.conflict, "another mode is being set on \(id.name) just now; ask again when that is done")
  }

  /// Returns the modes that match the pending choice, or nil if one of them is set already.
  ///
  /// - Throws: `ControlError` if the monitor is gone or has no such mode.
  func askedModes(of id: OutputID) throws(ControlError) -> AskedModes? {
    guard let output = self[id] else { throw .gone(id.name) }
    let snapshot = snapshot(of: output)
    let policy = state(of: []).presentation(of: snapshot).policy
    let choice: ModeChoice
    do throws(NoUsableMode) {
      choice = try policy.choose(
        from: snapshot.connector.modes, isEDIDPresent: snapshot.connector.hasSoundEDID)
    } catch {
      throw ControlError(.conflict, "\(id.name): \(error)")
    }
    let asked = choice.candidates.filter { $0.mode.size == choice.mode.size && policy.asks(for: $0.mode) }
    if output.isLit, asked.contains(where: { $0.mode == snapshot.candidate?.mode }) { return nil }
    return AskedModes(choice: choice, candidates: asked)
  }

  /// Returns the plan that tests a mode on an output with a buffer; nil if the output has no CRTC to test it on.
  func testPlan(_ mode: Mode, on id: OutputID) -> ((BufferID) -> ModesetPlan)? {
    guard let machine = machine(of: id), let crtc = machine.crtc else { return nil }
    let connector = machine.connector.id
    return { buffer in
      ModesetPlan(
        lit: [EnabledOutput(connector: connector, name: id.name, crtc: crtc, mode: mode, buffer: buffer)])
    }
  }

  /// Sets the requested modes, best first. If the card rejects them after all, or no flip arrives, the previous mode is
  /// set.
  mutating func set(_ asked: AskedModes, on id: OutputID) {
    let before = [candidate(of: id)].compactMap(\.self) + (machine(of: id)?.choice?.candidates ?? [])
    attempt(asked.candidates + before, on: id)
  }

  /// Throws unless one of the requested modes is set.
  func mustHave(_ asked: AskedModes, on id: OutputID) throws(ControlError) {
    guard let mode = candidate(of: id)?.mode, !asked.candidates.contains(where: { $0.mode == mode }) else { return }
    let sentences = machine(of: id)?.attempts.sentences ?? []
    let attempts = asked.candidates.compactMap { candidate in
      sentences.last { $0.hasPrefix("\(candidate.mode): ") }
    }
    throw .refused(id.name, asked.choice.mode, attempts.last ?? "the card took \(mode)")
  }

  /// Ends a mode change that failed.
  ///
  /// - Returns: Whether something was changed, so that the previous mode must be set again.
  mutating func abandon(_ trial: ModeTrial, on id: OutputID) -> Bool {
    update(id) { $0.pending = trial.before }
    scheduleScenes()
    guard let output = self[id] else { return false }
    return output.presentation != state(of: []).presentation(of: snapshot(of: output))
  }

  /// Makes a mode change pending: it is reverted unless it is confirmed in time.
  mutating func beginPending(_ choice: MonitorChoice, on id: OutputID) {
    followClock()
    let until = now.wall + PendingMode.length
    update(id) { $0.pending = PendingMode(choice: choice, until: until) }
    scheduleScenes()
    notePendingMode(id, "\(words(choice)) is pending")
  }

  /// Returns the choice that is pending on an output, and can be confirmed.
  func confirmable(on id: OutputID) throws(ControlError) -> MonitorChoice {
    guard let pending = self[id]?.pending, pending.until != nil else {
      throw ControlError(
        .conflict,
        "no mode change is pending on \(id.name): it was kept or reverted already; `placard mode \(id.name)` shows the mode"
      )
    }
    return pending.choice
  }

  /// Stores a choice. If too many choices are stored, it throws, and the choice stays pending.
  mutating func keep(_ choice: MonitorChoice, on id: OutputID) throws(ControlError) {
    try attempt { store, _ throws(SessionModelError) in _ = store.choose(choice, on: id.name) }
    update(id) { $0.pending = nil }
    adopt([id])
    scheduleScenes()
    notePendingMode(id, "\(words(choice)) is kept")
  }

  /// Removes what was chosen for the monitor of an output: the pending choice, or else the stored one.
  mutating func resetMode(of id: OutputID) throws(ControlError) {
    try mustNotBeSetting(id)
    guard self[id]?.pending == nil else { return takeBack(id) }
    change { store, _ in store.choose(MonitorChoice(), on: id.name) }
    adopt([id])
  }

  /// Reverts a pending mode change. The previous mode must be set again.
  mutating func takeBack(_ id: OutputID) {
    guard let pending = self[id]?.pending, pending.until != nil else { return }
    update(id) { $0.pending = nil }
    scheduleScenes()
    notePendingMode(id, "\(words(pending.choice)) was reverted")
    adopt([id])
  }

  /// Reverts the pending mode changes whose time is over.
  mutating func endPendingModes() {
    for output in outputs where output.pending?.until.map({ $0 <= now.wall }) ?? false {
      takeBack(output.id)
      emit(.followChoice(output.id))
    }
  }

  private mutating func notePendingMode(_ id: OutputID, _ words: String) {
    log(.info, "\(id.name): \(words)")
    send(.modePending, id.name, detail: words)
  }

  private func words(_ choice: MonitorChoice) -> String { choice.words ?? "what the settings say" }
}

extension ControlError {
  /// Creates the error for a monitor that was unplugged while a request waited for it.
  static func gone(_ display: String) -> ControlError {
    ControlError(.conflict, "the monitor on \(display) went while its mode was set")
  }

  /// Creates the error for a mode that was not set.
  static func refused(_ display: String, _ mode: Mode, _ reason: String) -> ControlError {
    ControlError(.conflict, "\(display) stays as it was, since it cannot be set to \(mode): \(reason)")
  }
}
