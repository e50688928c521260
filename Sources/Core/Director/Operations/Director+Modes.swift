package import Control
import Displays
import Outputs
import Scenes

/// Mode changes by request.
extension Director {
  package func setMode(_ display: String, _ request: ModeRequest) async throws(ControlError) -> DisplayReport {
    environment.observer?.asked(request, of: display)
    let id = try connected(display)
    let trial = try step { core throws(ControlError) in try core.beginMode(request, on: id) }
    do throws(ControlError) {
      if !core.isToSleep(id) { try await install(id, isAnotherMode: request.mode != nil) }
      guard core[id] != nil else { throw .gone(display) }
    } catch {
      if step({ $0.abandon(trial, on: id) }) { await followChoice(id) }
      throw error
    }
    guard trial.isKept else {
      step { $0.beginPending(trial.choice, on: id) }
      return try report(id)
    }
    do throws(ControlError) {
      try await keep(trial.choice, id)
    } catch {
      // It is reverted at its deadline, like any change that is not confirmed.
      step { $0.beginPending(trial.choice, on: id) }
      throw error
    }
    return try report(id)
  }

  package func confirmMode(_ display: String) async throws(ControlError) -> DisplayReport {
    environment.observer?.asked(confirming: display)
    let id = try connected(display)
    try await keep(try core.confirmable(on: id), id)
    return try report(id)
  }

  package func resetMode(_ display: String) async throws(ControlError) -> DisplayReport {
    environment.observer?.asked(resetting: display)
    let id = try connected(display)
    try step { core throws(ControlError) in try core.resetMode(of: id) }
    await persistence.settled()
    await followChoice(id)
    _ = await shown(id)
    return try report(id)
  }

  /// Applies the pending change, and returns when it is on screen.
  private func install(_ id: OutputID, isAnotherMode: Bool) async throws(ControlError) {
    guard let managed = managedCards[id.card] else { throw .gone(id.name) }
    // No other plan may change the modes during the check.
    await idle(managed)
    let asked = isAnotherMode ? try core.askedModes(of: id) : nil
    if let asked { try await check(asked, id, managed.card) }
    guard core[id] != nil else { throw .gone(id.name) }
    step { $0.adopt([id]) }
    if let asked {
      step { $0.set(asked, on: id) }
      await idle(managed)
    }
    await redrawWithNewOptions([id])
    let result = await shown(id)
    guard core[id] != nil else { throw .gone(id.name) }
    if case .notShown(let reason) = result { throw ControlError(.conflict, "\(id.name): \(reason)") }
    if let asked { try core.mustHave(asked, on: id) }
  }

  /// Throws if the card rejects all of these modes, as far as the driver can test it. The test changes no state of the
  /// card.
  private func check(_ asked: AskedModes, _ id: OutputID, _ card: any DisplayCard) async throws(ControlError) {
    var refusal: CardError?
    for candidate in asked.candidates {
      guard let plan = core.testPlan(candidate.mode, on: id) else { return }
      do throws(CardError) {
        let buffer = try await card.allocate(candidate.mode.size)
        try await card.check(plan(buffer.id))
        // The plan needs the buffer until here.
        _ = consume buffer
        return
      } catch {
        if error.reason == .gone, let managed = managedCards[id.card] { await lose(managed, because: "\(error)") }
        refusal = error
      }
    }
    throw .refused(id.name, asked.choice.mode, refusal.map { "\($0)" } ?? "it is not in the list")
  }

  private func keep(_ choice: MonitorChoice, _ id: OutputID) async throws(ControlError) {
    try step { core throws(ControlError) in try core.keep(choice, on: id) }
    await persistence.settled()
  }

  /// Applies the choice that counts for a monitor now, which can have another mode or rotation.
  func followChoice(_ id: OutputID) async {
    step { core in
      core.adopt([id])
      core.scheduleScenes()
    }
    await redrawWithNewOptions([id])
    guard let managed = managedCards[id.card] else { return }
    await idle(managed)
    if core[id] != nil, core.hasDarkOutput(managed.id, named: id.name) { await reconcile(managed) }
  }
}
