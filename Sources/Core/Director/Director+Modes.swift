import Configuration
package import Control
import Displays
import Geometry
import Logging
import Outputs
import Scenes

/// A mode or rotation that was chosen for a monitor and is not confirmed yet. Without confirmation, it is dropped and
/// the previous one is restored.
struct PendingMode {
  /// The pending choice, which overrides the stored one.
  var choice: MonitorChoice
  /// The time at which it is reverted, in milliseconds since 1970; nil while it is being applied.
  var until: Int64?

  /// The time in which it can be confirmed, in milliseconds.
  static let length: Int64 = 15_000
}

extension Director {
  /// Changes the mode or rotation of one monitor.
  ///
  /// The change is reverted after 15 seconds without `confirmMode(_:)`, unless the request keeps it at once.
  ///
  /// - Parameters:
  ///   - display: The connector's name.
  ///   - request: The mode and rotation, and whether to keep them at once.
  /// - Throws: `ControlError` if the request cannot be carried out. It is of kind `conflict` if the driver accepts none
  ///   of the requested modes; the previous mode then remains.
  /// - Returns: The display with its pending mode change.
  package func setMode(_ display: String, _ request: ModeRequest) async throws(ControlError) -> DisplayReport {
    environment.observer?.asked(request, of: display)
    let (_, output) = try connected(display)
    try mustNotBeSetting(output)
    let before = output.pending
    let kept = keptChoice(output)
    let choice = try choice(of: request, over: before?.choice ?? kept, for: output)
    let isKept = request.keep ?? false || choice == kept
    if isToSleep(output) && !isKept {
      throw ControlError(.conflict, "\(display) is \(sleepReason(output)), or keep the mode without a look at it")
    }
    output.pending = PendingMode(choice: choice)
    do throws(ControlError) {
      if !isToSleep(output) { try await install(output, isAnotherMode: request.mode != nil) }
      guard output.isConnected else { throw .gone(display) }
    } catch {
      output.pending = before
      // If nothing was changed, no mode is set again.
      if output.isConnected, output.presentation != presentation(of: output) { await followChoice(output) }
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

  /// Keeps the pending mode change.
  ///
  /// - Parameter display: The connector's name.
  /// - Throws: `ControlError` if the display is unknown or not connected, if no change is pending, or if too many
  ///   choices are stored.
  /// - Returns: The display with the mode that it keeps.
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

  /// Reverts a pending mode change at once.
  ///
  /// Without one, it deletes the choice made for this monitor, so that the configuration decides again.
  ///
  /// - Parameter display: The connector's name.
  /// - Throws: `ControlError` if the display is unknown or not connected, or if a mode is being set on it.
  /// - Returns: The display with the mode that it has now.
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

  /// Returns the choice that overrides the settings for an output's monitor: the pending one, or else the stored one.
  func choice(for output: Output) -> MonitorChoice { output.pending?.choice ?? keptChoice(output) }

  /// Reverts the pending mode changes whose time is over. The returned tasks end when the displays are restored.
  @discardableResult
  func endPendingModes(at now: Int64) -> [Task<Void, Never>] {
    let over = outputs.filter { $0.pending?.until.map { $0 <= now } ?? false }
    return over.map { output in Task { await takeBack(output) } }
  }

  /// Returns the report of an output's pending mode change, or nil if there is none.
  func pendingReport(_ output: Output) -> PendingModeChange? {
    guard let pending = output.pending, let until = pending.until else { return nil }
    let isAnotherMode = pending.choice.mode != keptChoice(output).mode
    return PendingModeChange(
      mode: isAnotherMode ? pending.choice.mode : nil, rotation: output.presentation.rotation.rawValue,
      until: Timestamp(milliseconds: until))
  }

  private func keptChoice(_ output: Output) -> MonitorChoice {
    store.profile(on: output.name)?.choice ?? MonitorChoice()
  }

  private func mustNotBeSetting(_ output: Output) throws(ControlError) {
    guard let pending = output.pending, pending.until == nil else { return }
    throw ControlError(.conflict, "another mode is being set on \(output.name) just now; ask again when that is done")
  }

  // MARK: Requests

  private func choice(
    of request: ModeRequest, over old: MonitorChoice, for output: Output
  ) throws(ControlError) -> MonitorChoice {
    guard request.mode != nil || request.rotation != nil else {
      throw ControlError(.invalid, "another mode needs `mode` or `rotation`")
    }
    var choice = old
    if let words = request.mode {
      choice.mode = try policy(words, for: output).description
    }
    if let degrees = request.rotation {
      guard let rotation = Rotation(rawValue: degrees) else {
        throw ControlError(.invalid, "`rotation` is \(degrees); it must be 0, 90, 180 or 270: degrees clockwise")
      }
      choice.rotation = rotation
    }
    return choice
  }

  private func policy(_ words: String, for output: Output) throws(ControlError) -> ModePolicy {
    guard let policy = ModePolicy(parsing: words) else {
      throw ControlError(
        .invalid,
        "\(words) is not a mode: write one like 1920x1080@60, or a policy: legible, native or halve-above-1080p")
    }
    guard case .explicit(let size, let refresh) = policy else { return policy }
    let modes = output.connector.modes
    if modes.requestable.contains(where: policy.asks(for:)) { return policy }
    let near = modes.nearest(to: size, refresh: refresh, most: 3).map(\.description)
    let list = near.isEmpty ? "it lists none" : "the nearest are \(near.joined(separator: ", "))"
    throw ControlError(.invalid, "the monitor on \(output.name) has no mode \(words): \(list)")
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
      output.attempts.last { $0.hasPrefix("\(candidate.mode): ") }
    }
    throw .refused(output.name, asked.choice.mode, attempts.last ?? "the card took \(mode)")
  }

  private typealias Asked = (choice: ModeChoice, candidates: [ModeChoice.Candidate])

  /// Returns the modes that match the pending choice, or nil if one of them is set already. As far as the driver can
  /// test, it accepts at least one of them.
  private func candidates(_ output: Output, isAnotherMode: Bool) async throws(ControlError) -> Asked? {
    guard isAnotherMode else { return nil }
    let policy = presentation(of: output).policy
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
    emit(.modePending, output.name, detail: words)
  }

  private func words(_ choice: MonitorChoice) -> String { choice.words ?? "what the settings say" }
}

extension MonitorChoice {
  /// The choice in words, such as `1920x1080@60, turned by 90 degrees`; nil if nothing was chosen.
  var words: String? {
    let turn = rotation.map { $0 == .none ? "not turned" : "turned by \($0.rawValue) degrees" }
    let parts = [mode, turn].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension ControlError {
  fileprivate static func gone(_ display: String) -> ControlError {
    ControlError(.conflict, "the monitor on \(display) went while its mode was set")
  }

  fileprivate static func refused(_ display: String, _ mode: Mode, _ reason: String) -> ControlError {
    ControlError(.conflict, "\(display) stays as it was, since it cannot be set to \(mode): \(reason)")
  }
}
