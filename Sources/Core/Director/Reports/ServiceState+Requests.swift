import Configuration
import Control
import Displays
import Geometry
import JSON
import Layout
import Scenes

/// The meaning of requests in the current state, or the reason for their refusal.
extension ServiceState {
  // MARK: Scenes

  /// Parses a client's document as a scene.
  ///
  /// - Parameters:
  ///   - document: The scene document.
  ///   - display: The display on which it is to be shown; nil for any.
  /// - Throws: `ControlError` if it is not a scene, or if its text would have the color of its background on each
  ///   display.
  /// - Returns: The scene.
  func scene(_ document: JSONValue, for display: String? = nil) throws(ControlError) -> Scene {
    do throws(DocumentError) {
      let scene = try Scene(document: document)
      try mustResolve(scene)
      let meant = outputs.filter { display == nil || display == $0.name }
      let styles = meant.isEmpty ? [settings.style] : meant.map(\.presentation.style)
      let invisible = styles.map { scene.invisibleText(on: $0) }
      if let text = invisible[0], invisible.allSatisfy({ $0 != nil }) { throw DocumentError(invisible: text) }
      return scene
    } catch {
      throw ControlError(.invalid, "the scene cannot be used: \(error)")
    }
  }

  /// Throws if a scene refers to a library entry or a time zone of a schedule or calendar that does not exist, or has
  /// events that can never be shown.
  private func mustResolve(_ scene: Scene) throws(DocumentError) {
    switch scene.content {
    case .entry(let name): try mustBeEntry(name, at: "name")
    case .schedule(let schedule):
      try mustBeZone(schedule.zone)
      for (index, rule) in schedule.rules.enumerated() {
        guard let name = rule.calendar else { continue }
        let path = "rules[\(index)].calendar"
        try mustBeEntry(name, at: path)
        if let kind = store.library[name]?.scene.kind, kind != "calendar" {
          throw DocumentError(path: path, reason: "is \(name), which is a `\(kind)`: it must be a `calendar`")
        }
      }
    case .calendar(let calendar):
      try mustBeZone(calendar.zone)
      try calendar.check(zones)
    default: break
    }
    for (path, child) in scene.children {
      do throws(DocumentError) { try mustResolve(child) } catch { throw error.inside(path) }
    }
  }

  private func mustBeEntry(_ name: String, at path: String) throws(DocumentError) {
    guard store.library[name] == nil else { return }
    let near = Suggestion.nearest(to: name, in: store.entryNames).map { "did you mean `\($0)`?" }
    throw DocumentError(
      path: path, reason: "is \(name), which is not in the library: \(near ?? "`placard library` lists its entries")")
  }

  private func mustBeZone(_ name: String?) throws(DocumentError) {
    guard let name, zones[name].warning != nil else { return }
    throw DocumentError(path: "zone", reason: "is \(name), which is not a time zone: write one like Europe/Berlin")
  }

  /// Returns the scene of a message.
  func scene(of request: MessageRequest) throws(ControlError) -> Scene {
    switch (request.text, request.scene) {
    case (let text?, nil): return try scene(["kind": "banner", "text": .string(text)], for: request.display)
    case (nil, let document?): return try scene(document, for: request.display)
    default: throw request.refusal
    }
  }

  /// Returns the scene and the target of a message.
  func content(of request: MessageRequest) throws(ControlError) -> (scene: Scene, target: Message.Target) {
    let content = (try scene(of: request), try target(of: request))
    try mustBeName(request.name, field: "name", Name.refusal(of:))
    return content
  }

  /// Returns the target of a message.
  func target(of request: MessageRequest) throws(ControlError) -> Message.Target {
    switch (request.display, request.role, request.tag) {
    case (nil, nil, nil): return .all
    case (let display?, nil, nil):
      try mustBeKnown(display)
      return .display(display)
    case (nil, let role?, nil): return .role(role.rawValue)
    case (nil, nil, let tag?):
      try mustBeName(tag, field: "tag", Name.refusal(ofTag:))
      return .tag(tag)
    default: throw request.refusal
    }
  }

  /// Throws if a request contains an invalid name or tag.
  func mustBeName(_ text: String?, field: String, _ refusal: (String) -> String?) throws(ControlError) {
    guard let refusal = text.flatMap(refusal) else { return }
    throw ControlError(.invalid, "`\(field)` \(refusal)")
  }

  /// Throws if an edit is based on another scene than the current one.
  func mustExpect(_ scene: Scene, _ edit: SceneEdit, _ what: String) throws(ControlError) {
    guard let expected = edit.expecting, expected != Revision.of(scene.document) else { return }
    throw ControlError(
      .changed, "\(what) was changed by another client since you read it; read it again, and repeat your change")
  }

  // MARK: Places

  /// Returns the place to which a request scrolls a session.
  ///
  /// - Parameters:
  ///   - request: The position, the heading or the number of pages to scroll by.
  ///   - session: The session.
  /// - Throws: `ControlError` if the session's scene has no such place.
  /// - Returns: The place.
  func place(_ request: ScrollRequest, from session: Session) throws(ControlError) -> Place {
    switch (request.position, request.heading, request.page) {
    case (let share?, nil, nil): return .share(share)
    case (nil, let anchor?, nil):
      guard anchor.utf8.count <= 1024 else {
        throw ControlError(.invalid, "`heading` has \(anchor.utf8.count) bytes: it may have at most 1024")
      }
      try mustHave(anchor, session)
      return .heading(anchor)
    case (nil, nil, let count?):
      guard let flow = session.scene.flow else {
        throw ControlError(.conflict, "session \(session.id) shows a \(session.scene.kind), which has no pages")
      }
      guard let output = outputs.first(where: { $0.isLit && $0.showing.source == .session(session.id) }) else {
        throw ControlError(
          .conflict, "session \(session.id) is not on screen, so its number of pages is unknown; give a position")
      }
      return output.showing.extent.place(pages: count, from: seenPlace(of: session, on: output), flow)
    default: throw request.refusal
    }
  }

  /// Returns the place to which the pages of a session have turned.
  private func seenPlace(of session: Session, on output: OutputState) -> Place {
    switch moment(of: output).view.content {
    case .markdown(_, let place): place
    case .table(let table): table.place
    default: session.place
    }
  }

  /// Throws if the session's scene does not have a heading.
  private func mustHave(_ anchor: String, _ session: Session) throws(ControlError) {
    guard case .markdown(let text) = session.scene.content else {
      throw ControlError(.conflict, "session \(session.id) shows a \(session.scene.kind), which has no headings")
    }
    let anchors = text.anchors
    guard !anchors.contains(anchor) else { return }
    let near = Suggestion.nearest(to: anchor, in: anchors).map { "did you mean #\($0)?" }
    let known = anchors.prefix(8).map { "#\($0)" }.joined(separator: ", ") + (anchors.count > 8 ? ", ..." : "")
    throw ControlError(
      .conflict,
      "session \(session.id) has no heading #\(anchor): "
        + (near ?? (anchors.isEmpty ? "its text has no headings" : "it has \(known)")))
  }

  // MARK: Modes

  /// Returns the choice that a request makes for an output's monitor.
  ///
  /// - Parameters:
  ///   - request: The mode and rotation.
  ///   - output: The output.
  /// - Throws: `ControlError` if the request is invalid, or if the monitor has no such mode.
  /// - Returns: The choice, which keeps what the request does not name.
  func choice(of request: ModeRequest, for output: OutputState) throws(ControlError) -> MonitorChoice {
    try request.check()
    var choice = choice(for: output)
    if let words = request.mode { choice.mode = try policy(words, for: output).description }
    if let degrees = request.rotation { choice.rotation = Rotation(rawValue: degrees) }
    return choice
  }

  private func policy(_ words: String, for output: OutputState) throws(ControlError) -> ModePolicy {
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
}

extension Scene {
  /// How a scene that is longer than its display moves; nil for a kind of scene without pages.
  fileprivate var flow: MarkdownText.Flow? {
    switch content {
    case .markdown(let text): text.flow
    case .table: .pages
    default: nil
    }
  }
}
