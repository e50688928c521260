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
    let session = try attempt { store, now throws(SessionModelError) in
      store.open(scene, tag: request.tag, on: request.display, at: now)
    }
    step { $0.forgetMonitors() }
    return await report(session.id, of: scene, since: arrival, waits: request.wait ?? false)
  }

  package func move(_ session: Int, to display: String) async throws(ControlError) -> SessionReport {
    try mustBeKnown(display)
    try attempt { store, now throws(SessionModelError) in try store.move(session, to: display, at: now) }
    return await delivered(session)
  }

  package func close(_ session: Int) async throws(ControlError) {
    try attempt { store, _ throws(SessionModelError) in try store.close(session) }
    await persistence.settled()
  }

  package func closedSessions() -> [ClosedSessionReport] {
    state.closedSessions()
  }

  package func reopen(_ session: Int) async throws(ControlError) -> SessionReport {
    try attempt { store, now throws(SessionModelError) in try store.reopen(session, at: now) }
    return await delivered(session)
  }

  package func scroll(_ session: Int, _ request: ScrollRequest) async throws(ControlError) -> SessionReport {
    guard let known = core.store.session(session) else { throw ControlError(.noSession(session)) }
    let place = try state.place(request, from: known)
    step { $0.beginTurning(session: session) }
    let scrolled = try attempt { store, _ throws(SessionModelError) in try store.scroll(session, to: place) }
    await persistence.settled()
    var report = state.report(session: session)
    report.scroll = ScrollPlace(scrolled.place)
    return report
  }

  package func edit(_ session: Int, _ edit: SceneEdit) async throws(ControlError) -> SessionReport {
    let scene = try state.scene(edit.scene)
    guard let known = core.store.session(session) else { throw ControlError(.noSession(session)) }
    try state.mustExpect(known.scene, edit, "session \(session)")
    // There is no suspension point between the check and the change, so that no other request comes in between.
    try attempt { store, _ throws(SessionModelError) in _ = try store.edit(session, to: scene) }
    return await delivered(session)
  }

  package func refresh(_ session: Int) async throws(ControlError) -> SessionReport {
    guard core.store.session(session) != nil else { throw ControlError(.noSession(session)) }
    if let name = core.store.profile(of: session)?.display, let id = core.output(named: name)?.id {
      for id in [id] + core.observers(of: id) {
        if let surface = core.surface(of: id) { await handles[id]?.painter.forget(surface) }
      }
      step { $0.redraw(id) }
    }
    return await delivered(session)
  }

  package func sessions() -> [SessionReport] {
    state.sessions()
  }

  package func sessions(after place: ListPlace?, most: Int) -> ListPart<SessionReport> {
    state.sessions(after: place, most: most)
  }

  package func session(_ id: Int) -> SessionReport? {
    core.store.session(id) == nil ? nil : state.report(session: id)
  }

  /// Changes the session model and applies the consequences. The change is stored soon afterwards.
  @discardableResult
  func change<Result>(_ body: (inout SessionModel, Int64) -> Result) -> Result { step { $0.change(body) } }

  /// Attempts a change that the session model can refuse.
  @discardableResult
  func attempt<Result>(
    _ body: (inout SessionModel, Int64) throws(SessionModelError) -> Result
  ) throws(ControlError) -> Result {
    try step { core throws(ControlError) in try core.attempt(body) }
  }

  /// Returns the report of a session after it is stored, with its delivery. With `waits`, it waits until the scene is
  /// presented.
  private func report(_ session: Int, of scene: Scene, since arrival: UInt64, waits: Bool) async -> SessionReport {
    let profile = core.store.profile(of: session)
    let output = profile?.display.flatMap { core.output(named: $0)?.id }
    var delivery = MessageReport(display: nil, text: nil, unseen: state.unseenReason(.session(session), scene))
    if let output {
      if waits { await waitForFlips(of: [output], to: .session(session), scene, since: arrival, into: &delivery) }
      if core[output]?.wanted?.source == .session(session) {
        await inspect([output], waits: waits, into: &delivery)
      }
    }
    await persistence.settled()
    // The monitor can have another session by now. The answer is about the requested session.
    let state = state
    var answer = profile.map { state.report(core.store.profile(of: session) ?? $0) } ?? state.report(session: session)
    // Another client can have edited the session by now. The next edit of this client is based on its own scene.
    if answer.id == session, answer.scene != scene.document {
      answer.setScene(scene.document, scene.kind, scene.summary)
    }
    answer.delivery = delivery.delivery
    return answer
  }

  /// Returns the report of a session that a request changed. It includes why no display shows the session, or the
  /// warnings of its display.
  private func delivered(_ session: Int) async -> SessionReport {
    guard let scene = core.store.session(session)?.scene else { return state.report(session: session) }
    return await report(session, of: scene, since: environment.now(), waits: false)
  }

}
