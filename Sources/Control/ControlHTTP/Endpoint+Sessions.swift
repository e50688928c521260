import Control
import JSON

extension Endpoint {
  /// The endpoints for sessions, each of which belongs to one monitor.
  static let aboutSessions = [
    Endpoint(
      "GET", "/v1/sessions", "sessions", "The content of all monitors, including those that are not connected now.",
      query: Page.fields, answer: .page("SessionReport", "The monitors with their sessions."),
      perform: { call in
        try await call.page(by: \.listKey) { await call.service.sessions(after: $0, most: $1) }
      }),
    Endpoint(
      "POST", "/v1/sessions", "open", "Opens a scene on a display, or brings the session that already has it forward.",
      body: .json("OpenRequest"), answer: .created("SessionReport", "The session.", "session", by: "id"),
      problems: [404, 409],
      perform: {
        let report = try await $0.service.open(try $0.body())
        return .created(report, at: report.id.map { "/v1/sessions/\($0)" })
      }),
    Endpoint(
      "GET", "/v1/sessions/{session}", "session", "One session. Its ETag is that of its scene.",
      answer: .tagged("SessionReport", "The session."), perform: { .edited(try await $0.session(), \.revision) }),
    Endpoint(
      "PUT", "/v1/sessions/{session}", "move",
      "Moves a session to another display; the session that is open there ends.",
      body: .json("MoveRequest"), answer: .tagged("SessionReport", "The session on its new display."), problems: [409],
      isEditable: true,
      perform: {
        let target = try $0.body(MoveRequest.self)
        try await $0.requireMatch { try await $0.session().revision }
        return .edited(try await $0.service.move($0.id("session"), to: target.display), \.revision)
      }),
    Endpoint(
      "DELETE", "/v1/sessions/{session}", "close", "Ends a session; its display falls back to the scene of its role.",
      answer: .done("The session has ended."), isEditable: true,
      perform: {
        try await $0.requireMatch { try await $0.session().revision }
        try await $0.service.close($0.id("session"))
        return .nothing
      }),
    Endpoint(
      "GET", "/v1/closed-sessions", "closedSessions", "The sessions that ended last, newest first.",
      answer: .list("ClosedSessionReport", "At most 10 sessions."),
      perform: { .json(await $0.service.closedSessions()) }),
    Endpoint(
      "POST", "/v1/closed-sessions/{session}/reopen", "reopen",
      "Reopens an ended session on its monitor; the session that is open there ends.",
      answer: .tagged("SessionReport", "The session."), problems: [409],
      perform: { .edited(try await $0.service.reopen($0.id("session")), \.revision) }),
    Endpoint(
      "GET", "/v1/sessions/{session}/scene", "scene", "The scene document of a session.",
      answer: .document(APISchema.ref("SceneDocument"), "The scene."), perform: { try await $0.scene() }),
    Endpoint(
      "PUT", "/v1/sessions/{session}/scene", "edit", "Replaces the scene of a session.", body: .json("scene"),
      answer: .tagged("SessionReport", "The session with its new scene."), problems: [409], isEditable: true,
      perform: {
        let edit = try await $0.edit { try await $0.session().revision }
        return .edited(try await $0.service.edit($0.id("session"), edit), \.revision)
      }),
    Endpoint(
      "PUT", "/v1/sessions/{session}/scroll", "scroll", "Scrolls the scene of a session.",
      body: .json("ScrollRequest"), answer: .report("SessionReport", "The session with its scroll position."),
      problems: [409],
      perform: { .json(try await $0.service.scroll($0.id("session"), try $0.body())) }),
    Endpoint(
      "POST", "/v1/sessions/{session}/refresh", "refresh", "Reloads the files of a session's scene.",
      answer: .report("SessionReport", "The session."), problems: [409],
      perform: { .json(try await $0.service.refresh($0.id("session"))) }),
  ]

  /// The endpoints for the controller's board.
  static let aboutBoard = [
    Endpoint(
      "GET", "/v1/board", "board", "The controller's board and its open cards.",
      answer: .tagged("BoardReport", "The board."),
      perform: {
        // Cards open and close without a new revision, so the tag does not identify the whole report: always send all
        // of it.
        .edited(try await $0.service.board(), \.revision)
      }),
    Endpoint(
      "PUT", "/v1/board", "setBoard",
      "Replaces the columns and cards of the board and updates the displays that show open cards.",
      body: .json("scene.board"), answer: .tagged("BoardReport", "The board."), problems: [409], isEditable: true,
      perform: {
        let edit = try await $0.edit { try await $0.service.board().revision }
        return .edited(try await $0.service.setBoard(edit), \.revision)
      }),
  ]
}

// MARK: - Revisions

extension Answer {
  /// Returns an answer with a report on a resource that has revisions.
  static func edited<Report: Encodable>(_ report: Report, _ revision: (Report) -> String?) -> Answer {
    guard let revision = revision(report) else { return .json(report) }
    return .json(report, tag: EntityTag(text: revision))
  }
}

extension Call {
  fileprivate func scene() async throws -> Answer {
    let scene = try await session().scene ?? [:]
    return .json(scene, tag: EntityTag(text: Revision.of(scene)), known: try tags("If-None-Match"))
  }

  fileprivate func session() async throws(ControlError) -> SessionReport {
    let id = id("session")
    if let report = await service.session(id) { return report }
    throw ControlError.unknownSession(id)
  }

  /// Returns the edit in the body, with the revision that the request names.
  func edit(_ current: (Call) async throws -> String?) async throws -> SceneEdit {
    SceneEdit(scene: try request.body.document(), expecting: try await expected(current))
  }

  /// Refuses the request if it names a revision other than the current one.
  func requireMatch(_ current: (Call) async throws -> String?) async throws {
    guard let expected = try await expected(current) else { return }
    guard expected == (try await current(self)) else { throw Problem.changed }
  }

  /// Returns the revision that the request names, or nil for any.
  func expected(_ current: (Call) async throws -> String?) async throws -> String? {
    guard case .list(let tags)? = try tags("If-Match") else { return nil }
    let strong = tags.filter { !$0.isWeak }.map(\.text)
    if strong.count == 1 { return strong[0] }
    // If-Match lists several tags. The service compares an edit's revision again, so that no other edit can intervene.
    if let revision = try await current(self), strong.contains(revision) { return revision }
    throw Problem.changed
  }
}
