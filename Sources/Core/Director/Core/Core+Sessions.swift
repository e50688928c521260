import Configuration
import Control
import Scenes

/// Changes of the session model and of the losses, with their consequences.
extension Core {
  /// Changes the session model and applies the consequences.
  @discardableResult
  mutating func change<Result>(_ body: (inout SessionModel, Int64) -> Result) -> Result {
    followSetClock()
    let old = store
    let result = body(&store, now.wall)
    guard store != old else { return result }
    store.keepClosed(from: old, at: now.wall)
    emit(.modelChanged(CoreEffect.ModelChange(old: old, new: store, time: now.monotonic, date: now.wall)))
    let ids = outputs.map(\.id)
    for (id, shown) in newContent(since: old) { countContent(shown, of: id) }
    // All outputs are passed in one call, so that simultaneous changes become one plan.
    follow(ids)
    scheduleScenes()
    return result
  }

  /// Returns the outputs whose content differs from what it was with another session model, with that content.
  private func newContent(since old: SessionModel) -> [(id: OutputID, shown: Shown)] {
    let state = state(of: [])
    let changed = SessionModel.changedEntries(from: old, to: store)
    let values = SessionModel.changedValues(from: old, to: store)
    return outputs.compactMap { output in
      let shown = state.shown(on: snapshot(of: output))
      let hasChanged = !changed.isEmpty && !store.entries(of: shown.scene).isDisjoint(with: changed)
      let hasNewValues = !values.isEmpty && !output.values.isDisjoint(with: values)
      let isNew = output.isObserver || hasChanged || hasNewValues || shown != output.wanted
      return isNew ? (output.id, shown) : nil
    }
  }

  /// Attempts a change that the session model can refuse. A change that is refused, or that exceeds the model's limits,
  /// has no effect.
  @discardableResult
  mutating func attempt<Result>(
    _ body: (inout SessionModel, Int64) throws(SessionModelError) -> Result
  ) throws(ControlError) -> Result {
    var refusal: SessionModelError?
    let fallbacks = fallbackScenes
    let result: Result? = change { store, now in
      do throws(SessionModelError) {
        var changed = store
        let result = try body(&changed, now)
        if let excess = SessionModel.excess(from: store, to: changed) { throw excess }
        let mirror = SessionModel.refusedMirror(from: store, to: changed, fallbacks: fallbacks)
        if let mirror { throw mirror }
        store = changed
        return result
      } catch {
        refusal = error
        return nil
      }
    }
    guard let result else { throw refusal.map(ControlError.init) ?? ControlError(.failed, "nothing was changed") }
    return result
  }

  /// The scenes that outputs show without a message or session, by name.
  private var fallbackScenes: [String: Scene] {
    let state = state(of: unorderedOutputs)
    return Dictionary(state.outputs.map { ($0.name, state.fallbackScene(of: $0)) }) { first, _ in first }
  }

  /// Replaces the session model by that of a backup. The connected monitors get what it contains for them.
  mutating func replaceModel(by model: SessionModel) throws(ControlError) {
    let present = outputs.filter(\.isIntroduced)
    let arrivals = present.map { Arrival($0, snapshot(of: $0)) }
    try attempt { store, now in store.replace(by: model, with: arrivals, at: now) }
    adopt(present.map(\.id))
    refresh(present.map(\.id))
  }

  /// The time for which absent monitors are remembered.
  var retention: SessionModel.Retention {
    SessionModel.Retention(milliseconds: Int64(settings.monitorDays) * 86_400_000)
  }

  /// Removes monitors that have been absent for longer than the settings allow, and logs the sessions that end with
  /// them.
  mutating func forgetMonitors() {
    let retention = retention
    let ended = change { store, now in store.prune(at: now, keeping: retention) }
    for id in ended {
      log(.notice, "session \(id) ended: its monitor is gone for more than \(settings.monitorDays) days")
    }
  }

  /// Restarts the page turns of the outputs that show a session, even if it was scrolled to this place before.
  mutating func beginTurning(session: Int) {
    for output in outputs where output.wanted?.source == .session(session) {
      beginTurning(output.id)
      redraw(output.id)
    }
  }

  /// Records that a message ends after a duration, regardless of clock changes until then.
  mutating func noteTimed(_ message: Int) {
    timedMessages.formIntersection(store.messages.map(\.id))
    timedMessages.insert(message)
  }

  // MARK: Losses

  /// Changes the losses, stores what changed, and notifies listeners.
  @discardableResult
  mutating func changeLosses<Result>(_ body: (inout Losses, Int64) -> Result) -> Result {
    let old = losses
    let result = body(&losses, now.wall)
    guard losses != old else { return result }
    emit(.store(Losses.changes(from: old, to: losses)))
    let known = old.open
    if losses.open != known { send(.healthChanged, "", detail: losses.open.last { !known.contains($0) }?.text) }
    return result
  }

  /// The fonts that the settings and open scenes name.
  var namedFonts: Set<String> {
    let styles = [settings.style.font] + unorderedOutputs.map(\.presentation.style.font)
    let scenes = (store.sessions.map(\.scene) + store.messages.map(\.scene)).flatMap(store.reachable(from:))
    return Set((styles + scenes.map(\.style.font)).compactMap(\.self))
  }

  /// Records the fonts that cannot be used as losses, and removes those that can be used again.
  ///
  /// - Parameter missing: The fonts that cannot be used, each with the reason and the font that takes its place.
  mutating func noteMissingFonts(_ missing: [String: String]) {
    changeLosses { losses, now in
      for loss in losses.all where loss.cause == .missingFont && missing[loss.object] == nil {
        losses.resolve(.missingFont, of: loss.object)
      }
      for (font, reason) in missing.sorted(by: { $0.key < $1.key }) {
        let text = "\(reason); install it, then reload (systemctl reload placard)"
        losses.record(Loss(.missingFont, of: font, text), at: now)
      }
    }
  }
}

extension ControlError {
  /// Creates the error of the control API for a refusal of the session model.
  init(_ error: SessionModelError) {
    switch error {
    case .noSession(let id): self = .unknownSession(id)
    case .noClosedSession: self.init(.notFound, "\(error)")
    case .noMessage(let id): self = .unknownMessage(id)
    case .priority, .over: self.init(.invalid, "\(error)")
    case .noBoard, .doubledCard: self.init(.invalid, "\(error)")
    case .full, .mirror, .doubledEntry, .entryInUse, .entryNamesEvent: self.init(.conflict, "\(error)")
    case .noEntry, .noValue: self.init(.notFound, "\(error)")
    case .entryLoop: self.init(.invalid, "\(error)")
    }
  }
}
