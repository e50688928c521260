import Control

extension Endpoint {
  /// Sessions: what each monitor has of its own.
  static let aboutSessions = [
    Endpoint(method: "GET", path: "/v1/sessions") { .json(await $0.service.sessions()) },
    Endpoint(method: "POST", path: "/v1/sessions", body: .json) {
      let report = try await $0.service.open(try $0.request.body.decode(OpenRequest.self))
      return .created(report, at: report.id.map { "/v1/sessions/\($0)" })
    },
    Endpoint(method: "GET", path: "/v1/sessions/{session}") { try await $0.sessionReport() },
    Endpoint(method: "PUT", path: "/v1/sessions/{session}", body: .json, isEditable: true) {
      let target = try $0.request.body.decode(MoveRequest.self)
      try await $0.requireMatch { try await $0.session().revision }
      return .json(try await $0.service.move($0.id("session"), to: target.display))
    },
    Endpoint(method: "DELETE", path: "/v1/sessions/{session}", isEditable: true) {
      try await $0.requireMatch { try await $0.session().revision }
      try await $0.service.close($0.id("session"))
      return .nothing
    },
    Endpoint(method: "PUT", path: "/v1/sessions/{session}/scene", body: .json, isEditable: true) {
      let edit = try await $0.edit { try await $0.session().revision }
      return .edited(try await $0.service.edit($0.id("session"), edit), \.revision)
    },
    Endpoint(method: "PUT", path: "/v1/sessions/{session}/scroll", body: .json) {
      .json(try await $0.service.scroll($0.id("session"), try $0.request.body.decode(ScrollRequest.self)))
    },
    Endpoint(method: "POST", path: "/v1/sessions/{session}/refresh") {
      .json(try await $0.service.refresh($0.id("session")))
    },
  ]

  /// The board, and the pictures for it and for other scenes.
  static let aboutBoard = [
    Endpoint(method: "GET", path: "/v1/board") {
      let report = try await $0.service.board()
      // What is open where changes without the board: the tag is that of the columns and cards, and all is told anew.
      return .edited(report, \.revision)
    },
    Endpoint(method: "PUT", path: "/v1/board", body: .json, isEditable: true) {
      let edit = try await $0.edit { try await $0.service.board().revision }
      return .edited(try await $0.service.setBoard(edit), \.revision)
    },
    Endpoint(method: "GET", path: "/v1/pictures") { .json(try await $0.service.pictures()) },
    Endpoint(method: "POST", path: "/v1/pictures", body: .picture) {
      guard !$0.request.body.bytes.isEmpty else { throw Problem.malformed("The body is empty: send a PNG or a JPEG.") }
      let report = try await $0.service.addPicture($0.request.body.bytes)
      return .created(report, at: "/v1/pictures/" + PercentEncoding.encode(report.name))
    },
    Endpoint(method: "GET", path: "/v1/pictures/{picture}") {
      let name = $0.name("picture")
      let bytes = try await $0.service.picture(name)
      let type = bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) ? "image/png" : "image/jpeg"
      return .file(bytes, type, tag: .of(bytes), known: try $0.tags("If-None-Match"))
    },
    Endpoint(method: "DELETE", path: "/v1/pictures/{picture}") {
      try await $0.service.removePicture($0.name("picture"))
      return .nothing
    },
  ]
}

extension Answer {
  /// A report on something that has revisions.
  fileprivate static func edited<Report: Encodable>(_ report: Report, _ revision: (Report) -> String?) -> Answer {
    guard let revision = revision(report) else { return .json(report) }
    return .json(report, tag: EntityTag(text: revision))
  }
}

extension Call {
  fileprivate func sessionReport() async throws -> Answer {
    .edited(try await session(), \.revision)
  }

  fileprivate func session() async throws(ControlError) -> SessionReport {
    let id = id("session")
    if let report = await service.sessions().first(where: { $0.id == id }) { return report }
    throw ControlError(.notFound, "There is no session \(id): /v1/sessions lists them.")
  }

  /// An edit from the body, of the revision that the request names.
  fileprivate func edit(_ current: (Call) async throws -> String?) async throws -> SceneEdit {
    SceneEdit(scene: try request.body.document(), expecting: try await expected(current))
  }

  /// Refuses the request where it is for another revision than the current one.
  fileprivate func requireMatch(_ current: (Call) async throws -> String?) async throws {
    guard let expected = try await expected(current) else { return }
    guard expected == (try await current(self)) else { throw Problem.changed }
  }

  /// The revision that the request is for; nil for any.
  private func expected(_ current: (Call) async throws -> String?) async throws -> String? {
    guard case .list(let tags)? = try tags("If-Match") else { return nil }
    let strong = tags.filter { !$0.isWeak }.map(\.text)
    if strong.count == 1 { return strong[0] }
    // One of several: the service compares again, so that nothing comes between.
    if let revision = try await current(self), strong.contains(revision) { return revision }
    throw Problem.changed
  }
}
