import Configuration
package import Control
import Displays
import JSON
import Logging
import Scenes

extension Director {
  package func open(_ request: OpenRequest) async throws(ControlError) -> SessionReport {
    let arrival = environment.now()
    let scene = try state.scene(request.scene, for: request.display)
    if let display = request.display { try mustBeKnown(display) }
    try state.mustBeName(request.tag, field: "tag", Name.refusal(ofTag:))
    let session = try attemptAtOnce { store, now throws(SessionModelError) in
      store.open(scene, tag: request.tag, on: request.display, at: now)
    }
    forgetMonitors()
    return await report(session.id, of: scene, since: arrival, waits: request.wait ?? false)
  }

  package func move(_ session: Int, to display: String) async throws(ControlError) -> SessionReport {
    try mustBeKnown(display)
    try attemptAtOnce { store, now throws(SessionModelError) in try store.move(session, to: display, at: now) }
    return await delivered(session)
  }

  package func close(_ session: Int) async throws(ControlError) {
    try await attempt { store, _ throws(SessionModelError) in try store.close(session) }
  }

  package func closedSessions() -> [ClosedSessionReport] {
    state.closedSessions()
  }

  package func reopen(_ session: Int) async throws(ControlError) -> SessionReport {
    try attemptAtOnce { store, now throws(SessionModelError) in try store.reopen(session, at: now) }
    return await delivered(session)
  }

  package func scroll(_ session: Int, _ request: ScrollRequest) async throws(ControlError) -> SessionReport {
    guard let known = store.session(session) else { throw ControlError(.noSession(session)) }
    let place = try state.place(request, from: known)
    // Pages turn from now on, even if the scene was scrolled to this place before.
    for output in outputs where output.wanted?.source == .session(session) {
      beginTurning(output)
      redraw(output)
    }
    let scrolled = try await attempt { store, _ throws(SessionModelError) in try store.scroll(session, to: place) }
    var report = state.report(session: session)
    report.scroll = ScrollPlace(scrolled.place)
    return report
  }

  package func edit(_ session: Int, _ edit: SceneEdit) async throws(ControlError) -> SessionReport {
    let scene = try state.scene(edit.scene)
    guard let known = store.session(session) else { throw ControlError(.noSession(session)) }
    try state.mustExpect(known.scene, edit, "session \(session)")
    // There is no suspension point between the check and the change, so that no other request comes in between.
    try attemptAtOnce { store, _ throws(SessionModelError) in _ = try store.edit(session, to: scene) }
    return await delivered(session)
  }

  package func refresh(_ session: Int) async throws(ControlError) -> SessionReport {
    guard store.session(session) != nil else { throw ControlError(.noSession(session)) }
    if let name = store.profile(of: session)?.display, let (_, output) = output(name) {
      for output in [output] + observers(of: output) {
        if let surface = output.surface { await output.painter.forget(surface) }
      }
      redraw(output)
    }
    return await delivered(session)
  }

  package func sessions() -> [SessionReport] {
    state.sessions()
  }

  package func sessions(after place: ListPlace?, most: Int) -> ListPart<SessionReport> {
    state.sessions(after: place, most: most)
  }

  package func session(_ id: Int) -> SessionReport? { store.session(id) == nil ? nil : state.report(session: id) }

  /// Changes the session model, applies the consequences, and returns when the change is stored.
  @discardableResult
  func change<Result: Sendable>(_ body: (inout SessionModel, Int64) -> Result) async -> Result {
    let result = changeAtOnce(body)
    await persistence.settled()
    return result
  }

  /// Attempts a change that the session model can refuse, and returns when the change is stored.
  @discardableResult
  func attempt<Result: Sendable>(
    _ body: (inout SessionModel, Int64) throws(SessionModelError) -> Result
  ) async throws(ControlError) -> Result {
    let result = try attemptAtOnce(body)
    await persistence.settled()
    return result
  }

  /// Attempts a change that the session model can refuse, without waiting until it is stored. A change that is refused,
  /// or that exceeds the model's limits, has no effect.
  @discardableResult
  func attemptAtOnce<Result>(
    _ body: (inout SessionModel, Int64) throws(SessionModelError) -> Result
  ) throws(ControlError) -> Result {
    var refusal: SessionModelError?
    let state = state
    let mirrors = Dictionary(
      state.outputs.compactMap { output in state.fallbackScene(of: output).mirrored.map { (output.name, $0) } }
    ) { first, _ in first }
    let result: Result? = changeAtOnce { store, now in
      do throws(SessionModelError) {
        var changed = store
        let result = try body(&changed, now)
        if let excess = SessionModel.excess(from: store, to: changed) { throw excess }
        let mirror = SessionModel.refusedMirror(from: store, to: changed, fallbacks: mirrors)
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

  /// Changes the session model and applies the consequences. The change is stored soon afterwards.
  @discardableResult
  func changeAtOnce<Result>(_ body: (inout SessionModel, Int64) -> Result) -> Result {
    followSetClock()
    let old = store
    let now = environment.wallClock()
    let result = body(&store, now)
    guard store != old else { return result }
    store.keepClosed(from: old, at: now)
    persistence.write(SessionModel.changes(from: old, to: store))
    for event in SessionModel.events(from: old, to: store) { chronicle.emit(event) }
    let (outputs, state) = (outputs, state)
    for (output, snapshot) in zip(outputs, state.outputs) {
      if state.shown(on: snapshot) != output.wanted || output.isObserver { countContent(of: output) }
    }
    // All outputs are passed in one call, so that simultaneous changes become one plan.
    follow(outputs)
    scheduleScenes()
    return result
  }

  /// Removes monitors that have been absent for longer than the settings allow, and logs the sessions that end with
  /// them.
  func forgetMonitors() {
    let ended = changeAtOnce { store, now in store.prune(at: now, keeping: retention) }
    for id in ended {
      logger.notice("session \(id) ended: its monitor is gone for more than \(settings.monitorDays) days")
    }
  }

  /// Returns the report of a session after it is stored, with its delivery. With `waits`, it waits until the scene is
  /// presented.
  private func report(_ session: Int, of scene: Scene, since arrival: UInt64, waits: Bool) async -> SessionReport {
    let profile = store.profile(of: session)
    let output = profile?.display.flatMap { self.output($0)?.1 }
    var delivery = MessageReport(display: nil, text: nil, unseen: state.unseenReason(.session(session), scene))
    if let output {
      if waits { await waitForFlips(of: [output], to: .session(session), scene, since: arrival, into: &delivery) }
      if output.wanted?.source == .session(session) {
        delivery.warnings = await warnings([output], waits: waits)
      }
    }
    await persistence.settled()
    // The monitor can have another session by now. The answer is about the requested session.
    let state = state
    var answer = profile.map { state.report(store.profile(of: session) ?? $0) } ?? state.report(session: session)
    answer.delivery = delivery.delivery
    return answer
  }

  /// Returns the report of a session that a request changed. It includes why no display shows the session, or the
  /// warnings of its display.
  private func delivered(_ session: Int) async -> SessionReport {
    guard let scene = store.session(session)?.scene else { return state.report(session: session) }
    return await report(session, of: scene, since: environment.now(), waits: false)
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
    case .full, .mirror: self.init(.conflict, "\(error)")
    }
  }
}
