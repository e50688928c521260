import Configuration
package import Control
import Displays
import JSON
import Logging
import Scenes

extension Director {
  /// Opens a scene on a display, or brings the session that has it forward.
  package func open(_ request: OpenRequest) async throws(ControlError) -> SessionReport {
    let arrival = environment.now()
    let scene = try scene(request.scene, for: request.display)
    if let display = request.display { try mustBeKnown(display) }
    try mustBeName(request.tag, field: "tag", Name.refusal(ofTag:))
    let session = try attemptAtOnce { store, now throws(SessionModelError) in
      store.open(scene, tag: request.tag, on: request.display, at: now)
    }
    forgetMonitors()
    return await report(session.id, of: scene, since: arrival, waits: request.wait ?? false)
  }

  /// Brings a session to another display; the one that was there ends.
  package func move(_ session: Int, to display: String) async throws(ControlError) -> SessionReport {
    try mustBeKnown(display)
    try attemptAtOnce { store, now throws(SessionModelError) in try store.move(session, to: display, at: now) }
    return await delivered(session)
  }

  /// Ends a session; its display falls back to what its role shows.
  package func close(_ session: Int) async throws(ControlError) {
    try await attempt { store, _ throws(SessionModelError) in try store.close(session) }
  }

  /// The sessions that ended last, the newest first.
  package func closedSessions() -> [ClosedSessionReport] {
    store.closedSessions.map { closed in
      ClosedSessionReport(
        id: closed.id, display: closed.display, kind: closed.session.scene.kind,
        summary: closed.session.scene.summary, tag: closed.session.tag,
        ended: Timestamp(milliseconds: closed.ended))
    }
  }

  /// Opens a session again that ended, on the monitor that it was on; what is open there ends.
  package func reopen(_ session: Int) async throws(ControlError) -> SessionReport {
    try attemptAtOnce { store, now throws(SessionModelError) in try store.reopen(session, at: now) }
    return await delivered(session)
  }

  /// Turns to another place of a session's scene.
  package func scroll(_ session: Int, _ request: ScrollRequest) async throws(ControlError) -> SessionReport {
    guard let known = store.session(session) else { throw ControlError(.noSession(session)) }
    let place = try place(request, from: known)
    // Pages turn from now on, also where this is the place it was sent to before.
    for output in outputs where output.wanted?.source == .session(session) {
      beginTurning(output)
      redraw(output)
    }
    let scrolled = try await attempt { store, _ throws(SessionModelError) in try store.scroll(session, to: place) }
    var report = report(session)
    report.scroll = ScrollPlace(scrolled.place)
    return report
  }

  /// Gives a session another scene, if nobody else did since the one that was seen.
  package func edit(_ session: Int, _ edit: SceneEdit) async throws(ControlError) -> SessionReport {
    let scene = try scene(edit.scene)
    guard let known = store.session(session) else { throw ControlError(.noSession(session)) }
    try mustExpect(known.scene, edit, "session \(session)")
    // Nothing is awaited from the look to the change, so that nobody comes between.
    try attemptAtOnce { store, _ throws(SessionModelError) in _ = try store.edit(session, to: scene) }
    return await delivered(session)
  }

  /// Refuses an edit that was made of another scene than the one that is there.
  func mustExpect(_ scene: Scene, _ edit: SceneEdit, _ what: String) throws(ControlError) {
    guard let expected = edit.expecting, expected != Revision.of(scene.document) else { return }
    throw ControlError(
      .changed, "\(what) was changed by somebody else since; read it again, and make your change to what it is now")
  }

  /// Reads the files of a session's scene anew, and draws it again.
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

  /// What all monitors show, also those that are not plugged in now.
  package func sessions() -> [SessionReport] {
    store.profiles.map { report($0) } + store.reservations.map { report($0) }
  }

  /// Some of the sessions; reports are made of these only.
  package func sessions(after place: ListPlace?, most: Int) -> ListPart<SessionReport> {
    let seats = store.profiles.map { seat in (id: seat.session?.id, report: { self.report(seat) }) }
    let reserved = store.reservations.map { one in (id: Optional(one.session.id), report: { self.report(one) }) }
    return (seats + reserved).part(after: place, most: most, by: { $0.id.map(String.init) ?? "" }) { $0.report() }
  }

  /// The session of this ID; nil where there is none.
  package func session(_ id: Int) -> SessionReport? { store.session(id) == nil ? nil : report(id) }

  /// Changes the store, shows what follows from that, and returns when it is kept.
  @discardableResult
  func change<Result: Sendable>(_ body: (inout SessionModel, Int64) -> Result) async -> Result {
    let result = changeAtOnce(body)
    await keeper.settled()
    return result
  }

  /// As `change`, for what the store may refuse.
  @discardableResult
  func attempt<Result: Sendable>(
    _ body: (inout SessionModel, Int64) throws(SessionModelError) -> Result
  ) async throws(ControlError) -> Result {
    let result = try attemptAtOnce(body)
    await keeper.settled()
    return result
  }

  /// As `changeAtOnce`, for what the store may refuse: nothing is changed then. What does not fit in it is refused, too.
  @discardableResult
  func attemptAtOnce<Result>(
    _ body: (inout SessionModel, Int64) throws(SessionModelError) -> Result
  ) throws(ControlError) -> Result {
    var refusal: SessionModelError?
    let mirrors = Dictionary(
      outputs.compactMap { output in fallbackScene(of: output).mirrored.map { (output.name, $0) } }
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

  /// Changes the store and shows what follows from that; it is kept soon.
  @discardableResult
  func changeAtOnce<Result>(_ body: (inout SessionModel, Int64) -> Result) -> Result {
    followSetClock()
    let old = store
    let now = environment.wallClock()
    let result = body(&store, now)
    guard store != old else { return result }
    store.keepClosed(from: old, at: now)
    keeper.write(SessionModel.changes(from: old, to: store))
    for event in SessionModel.events(from: old, to: store) { tell(event) }
    let outputs = outputs
    for output in outputs where shown(on: output) != output.wanted || output.isObserver { countContent(of: output) }
    // All at once: what changes together is one plan.
    follow(outputs)
    scheduleScenes()
    return result
  }

  /// Forgets monitors that are gone for longer than the settings say, and logs the sessions that end with them.
  func forgetMonitors() {
    let ended = changeAtOnce { store, now in store.prune(at: now, keeping: retention) }
    for id in ended {
      logger.notice("session \(id) ended: its monitor is gone for more than \(settings.monitorDays) days")
    }
  }

  /// Reads a document of a client as a scene.
  ///
  /// - Parameters:
  ///   - document: The scene's document.
  ///   - display: The display that it is for; nil for any.
  /// - Throws: `ControlError` if it is not a scene, or if its text would have the color of its background on each display.
  /// - Returns: The scene.
  func scene(_ document: JSONValue, for display: String? = nil) throws(ControlError) -> Scene {
    do throws(DocumentError) {
      let scene = try Scene(document: document)
      let meant = outputs.filter { display == nil || display == $0.name }
      let styles = meant.isEmpty ? [settings.style] : meant.map(\.presentation.style)
      let invisible = styles.map { scene.invisibleText(on: $0) }
      if let text = invisible[0], invisible.allSatisfy({ $0 != nil }) { throw DocumentError(invisible: text) }
      return scene
    } catch {
      throw ControlError(.invalid, "the scene cannot be used: \(error)")
    }
  }

  private func place(_ request: ScrollRequest, from session: Session) throws(ControlError) -> Place {
    switch (request.position, request.heading, request.page) {
    case (let share?, nil, nil): return .share(share)
    case (nil, let anchor?, nil):
      guard anchor.utf8.count <= 1024 else {
        throw ControlError(.invalid, "`heading` has \(anchor.utf8.count) bytes: it may have at most 1024")
      }
      try mustHave(anchor, session)
      return .heading(anchor)
    case (nil, nil, let count?):
      guard case .markdown(let text) = session.scene.content else {
        throw ControlError(.conflict, "session \(session.id) shows a \(session.scene.kind), which has no pages")
      }
      guard let output = outputs.first(where: { $0.isLit && $0.showing.source == .session(session.id) }) else {
        throw ControlError(
          .conflict, "session \(session.id) is on no glass now, so that nobody knows its pages; give a position")
      }
      return output.showing.extent.place(pages: count, from: seenPlace(of: session, on: output), text.flow)
    default:
      throw ControlError(.invalid, "a place is one of `position` (0...1), `heading` and `page` (+1, -1)")
    }
  }

  /// Where its pages have turned to.
  private func seenPlace(of session: Session, on output: Output) -> Place {
    if case .markdown(_, let place) = moment(of: output).view.content { place } else { session.place }
  }

  private func report(_ session: Int) -> SessionReport {
    guard let seat = store.profile(of: session) else {
      let reservation = store.reservations.first { $0.session.id == session }
      return report(store.session(session), display: reservation?.display, monitor: "", place: "")
    }
    return report(seat)
  }

  /// As `report`, when a session that was opened just now is kept, and where asked its scene shown; with its delivery.
  private func report(_ session: Int, of scene: Scene, since arrival: UInt64, waits: Bool) async -> SessionReport {
    let seat = store.profile(of: session)
    let output = seat?.display.flatMap { self.output($0)?.1 }
    var delivery = MessageReport(display: nil, text: nil, unseen: unseenReason(.session(session), scene))
    if let output {
      if waits { await waitForFlips(of: [output], to: .session(session), scene, since: arrival, into: &delivery) }
      if output.wanted?.source == .session(session) {
        delivery.warnings = await warnings([output], waits: waits)
      }
    }
    await keeper.settled()
    // What it came to may be another session by now; the answer is about this one.
    var answer = seat.map { report(store.profile(of: session) ?? $0) } ?? report(session)
    answer.delivery = delivery.delivery
    return answer
  }

  /// Returns the report of a session that a request changed, with why no display shows it or what is wrong with it there.
  private func delivered(_ session: Int) async -> SessionReport {
    guard let scene = store.session(session)?.scene else { return report(session) }
    return await report(session, of: scene, since: environment.now(), waits: false)
  }

  private func report(_ reservation: Reservation) -> SessionReport {
    report(reservation.session, display: reservation.display, monitor: "", place: "")
  }

  private func report(_ seat: MonitorProfile) -> SessionReport {
    var report = report(seat.session, display: seat.display, monitor: seat.monitor, place: seat.place)
    report.label = seat.display.flatMap { output($0)?.1.identity.label } ?? seat.label
    report.asleep = seat.isAsleep
    if let display = seat.display, let session = seat.session {
      report.covered = store.shown(on: display, otherwise: .banner("")).source != .session(session.id)
      if let showing = flipped(session, on: display) {
        // A countdown becomes what follows it, and pages turn by themselves.
        if let seen = showing.seen { report.summary = seen.summary }
        if let place = showing.place { report.scroll = ScrollPlace(place) }
      }
    }
    return report
  }

  /// What is on screen of a session; nil unless it is on screen as it is now.
  private func flipped(_ session: Session, on display: String) -> Output.Showing? {
    guard let (_, output) = output(display), output.isLit, output.showing.source == .session(session.id),
      output.showing.shown == output.wanted
    else { return nil }
    return output.showing
  }

  private func report(_ session: Session?, display: String?, monitor: String, place: String) -> SessionReport {
    SessionReport(
      id: session?.id, monitor: monitor, label: nil, display: display, place: place, scene: session?.scene.document,
      kind: session?.scene.kind, summary: session?.scene.summary, tag: session?.tag,
      scroll: session.map { ScrollPlace($0.place) }, opened: session.map { Timestamp(milliseconds: $0.opened) },
      message: session?.scene.text, asleep: false)
  }
}

extension Scene {
  /// A banner's text; nil for anything else.
  var text: String? {
    if case .banner(let text) = content { text } else { nil }
  }
}

extension ScrollPlace {
  init(_ place: Place) {
    switch place {
    case .share(let share): self = .position(share)
    case .heading(let anchor): self = .heading(anchor)
    }
  }
}

extension ControlError {
  /// What the store refused, in the words of remote control.
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
