import Configuration
package import Control
import Displays
import Geometry
import Logging
import Outputs
import Scenes

extension Director {
  package func setMode(_ display: String, _ request: ModeRequest) async throws(ControlError) -> DisplayReport {
    environment.observer?.asked(request, of: display)
    let (_, output) = try connected(display)
    try mustNotBeSetting(output)
    let before = output.pending
    let state = state
    let kept = state.keptChoice(output.snapshot)
    let choice = try state.choice(of: request, for: output.snapshot)
    let isKept = request.keep ?? false || choice == kept
    if state.isToSleep(output.snapshot) && !isKept {
      throw ControlError(
        .conflict, "\(display) is \(state.sleepReason(output.snapshot)), or keep the mode without a look at it")
    }
    output.pending = PendingMode(choice: choice)
    do throws(ControlError) {
      if !isToSleep(output) { try await install(output, isAnotherMode: request.mode != nil) }
      guard output.isConnected else { throw .gone(display) }
    } catch {
      output.pending = before
      // If nothing was changed, no mode is set again.
      if output.isConnected, output.presentation != state.presentation(of: output.snapshot) {
        await followChoice(output)
      }
      scheduleScenes()
      throw error
    }
    guard isKept else {
      begin(output, choice)
      return report(output)
    }
    do throws(ControlError) {
      try await keep(choice, output)
    } catch {
      // It is reverted at its deadline, like any change that is not confirmed.
      begin(output, choice)
      throw error
    }
    return report(output)
  }

  package func confirmMode(_ display: String) async throws(ControlError) -> DisplayReport {
    environment.observer?.asked(confirming: display)
    let (_, output) = try connected(display)
    guard let pending = output.pending, pending.until != nil else {
      throw ControlError(
        .conflict,
        "no mode change is pending on \(display): it was kept or reverted already; `placard mode \(display)` shows the mode"
      )
    }
    try await keep(pending.choice, output)
    return report(output)
  }

  package func resetMode(_ display: String) async throws(ControlError) -> DisplayReport {
    environment.observer?.asked(resetting: display)
    let (_, output) = try connected(display)
    try mustNotBeSetting(output)
    if output.pending == nil {
      await change { store, _ in store.choose(MonitorChoice(), on: display) }
      await followChoice(output)
    } else {
      await takeBack(output)
    }
    _ = await shown(output)
    return report(output)
  }

  /// Reverts the pending mode changes whose time is over. The returned tasks end when the displays are restored.
  @discardableResult
  func endPendingModes(at now: Int64) -> [Task<Void, Never>] {
    let over = outputs.filter { $0.pending?.until.map { $0 <= now } ?? false }
    return over.map { output in Task { await takeBack(output) } }
  }

  private func mustNotBeSetting(_ output: Output) throws(ControlError) {
    guard let pending = output.pending, pending.until == nil else { return }
    throw ControlError(.conflict, "another mode is being set on \(output.name) just now; ask again when that is done")
  }

  // MARK: Setting

  /// Applies the pending change, and returns when it is on screen.
  private func install(_ output: Output, isAnotherMode: Bool) async throws(ControlError) {
    // No other plan may change the modes during the check.
    await output.managed.idle()
    let asked = try await candidates(output, isAnotherMode: isAnotherMode)
    guard output.isConnected else { throw .gone(output.name) }
    adopt([output])
    if let asked {
      // If the card rejects these modes after all, or no flip arrives, the previous mode is set.
      let before = [output.candidate].compactMap(\.self) + (output.choice?.candidates ?? [])
      let wish = wish(of: output)
      output.wish = wish
      feed(.tried(display: output.name, wish, asked.candidates + before), to: output.managed)
      await output.managed.idle()
    }
    await redrawWithNewOptions([output])
    let result = await shown(output)
    guard output.isConnected else { throw .gone(output.name) }
    if case .notShown(let reason) = result { throw ControlError(.conflict, "\(output.name): \(reason)") }
    guard let asked, let mode = output.candidate?.mode, !asked.candidates.contains(where: { $0.mode == mode }) else {
      return
    }
    let attempts = asked.candidates.compactMap { candidate in
      output.attempts.sentences.last { $0.hasPrefix("\(candidate.mode): ") }
    }
    throw .refused(output.name, asked.choice.mode, attempts.last ?? "the card took \(mode)")
  }

  private typealias Asked = (choice: ModeChoice, candidates: [ModeChoice.Candidate])

  /// Returns the modes that match the pending choice, or nil if one of them is set already. As far as the driver can
  /// test, it accepts at least one of them.
  private func candidates(_ output: Output, isAnotherMode: Bool) async throws(ControlError) -> Asked? {
    guard isAnotherMode else { return nil }
    let policy = state.presentation(of: output.snapshot).policy
    let choice: ModeChoice
    do throws(NoUsableMode) {
      choice = try policy.choose(from: output.connector.modes, isEDIDPresent: output.connector.hasSoundEDID)
    } catch {
      throw ControlError(.conflict, "\(output.name): \(error)")
    }
    let asked = choice.candidates.filter { $0.mode.size == choice.mode.size && policy.asks(for: $0.mode) }
    if output.isLit, asked.contains(where: { $0.mode == output.candidate?.mode }) { return nil }
    guard let crtc = output.crtc else { return (choice, asked) }
    var refusal: CardError?
    for candidate in asked {
      refusal = await check(candidate.mode, output, crtc)
      if refusal == nil { return (choice, asked) }
    }
    throw .refused(output.name, choice.mode, refusal.map { "\($0)" } ?? "it is not in the list")
  }

  /// Returns the error with which the card rejects a mode, or nil if it accepts the mode. The test changes no state of
  /// the card.
  private func check(_ mode: Mode, _ output: Output, _ crtc: UInt32) async -> CardError? {
    let card = output.managed.card
    do throws(CardError) {
      let buffer = try await card.allocate(mode.size)
      let lit = EnabledOutput(
        connector: output.connector.id, name: output.name, crtc: crtc, mode: mode, buffer: buffer.id)
      try await card.check(ModesetPlan(lit: [lit]))
      // The plan needs the buffer until here.
      _ = consume buffer
      return nil
    } catch {
      if error.reason == .gone { await lose(output.managed, because: "\(error)") }
      return error
    }
  }

  // MARK: The end

  private func begin(_ output: Output, _ choice: MonitorChoice) {
    followClock()
    output.pending = PendingMode(choice: choice, until: environment.wallClock() + PendingMode.length)
    scheduleScenes()
    notifyPendingMode(output, "\(words(choice)) is pending")
  }

  /// Stores a choice. If too many choices are stored, it throws, and the choice stays pending.
  private func keep(_ choice: MonitorChoice, _ output: Output) async throws(ControlError) {
    try attemptAtOnce { store, _ throws(SessionModelError) in _ = store.choose(choice, on: output.name) }
    output.pending = nil
    adopt([output])
    scheduleScenes()
    notifyPendingMode(output, "\(words(choice)) is kept")
    await persistence.settled()
  }

  private func takeBack(_ output: Output) async {
    guard let pending = output.pending, pending.until != nil else { return }
    output.pending = nil
    scheduleScenes()
    notifyPendingMode(output, "\(words(pending.choice)) was reverted")
    await followChoice(output)
  }

  /// Applies the choice that counts for the monitor now, which can have another mode or rotation.
  private func followChoice(_ output: Output) async {
    adopt([output])
    scheduleScenes()
    await redrawWithNewOptions([output])
    await output.managed.idle()
    if output.isConnected, output.crtc == nil { await reconcile(output.managed) }
  }

  private func notifyPendingMode(_ output: Output, _ words: String) {
    logger.info("\(output.name): \(words)")
    chronicle.emit(.modePending, output.name, detail: words)
  }

  private func words(_ choice: MonitorChoice) -> String { choice.words ?? "what the settings say" }
}

extension ControlError {
  fileprivate static func gone(_ display: String) -> ControlError {
    ControlError(.conflict, "the monitor on \(display) went while its mode was set")
  }

  fileprivate static func refused(_ display: String, _ mode: Mode, _ reason: String) -> ControlError {
    ControlError(.conflict, "\(display) stays as it was, since it cannot be set to \(mode): \(reason)")
  }
}
