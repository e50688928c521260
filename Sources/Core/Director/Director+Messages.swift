import Configuration
package import Control
import Scenes

extension Director {
  /// Returns the message of one display, or with nil the message for all displays.
  ///
  /// - Parameter display: The connector's name, or nil for the message for all displays.
  /// - Throws: `ControlError` if the display is unknown.
  /// - Returns: The message with its text.
  package func message(_ display: String?) throws(ControlError) -> MessageReport {
    guard let display else {
      let text = store.message(named: Message.shownName)?.scene.text
      return MessageReport(display: nil, text: text ?? settings.message ?? environment.greeting?.text)
    }
    try mustBeKnown(display)
    let fallback =
      output(display).map { fallbackScene(of: $0.1) } ?? settings.message.map(Scene.banner) ?? environment.greeting
      ?? .banner("")
    return MessageReport(display: display, text: store.shown(on: display, otherwise: fallback).scene.text)
  }

  /// Shows a text or scene on one display or on all, on top of what is open there.
  ///
  /// With `wait`, it returns after the flips of the displays concerned.
  ///
  /// - Parameter request: The message. Only its text or scene, its display and `wait` are used.
  /// - Throws: `ControlError` if the request is invalid or the display unknown.
  /// - Returns: The message and where it is shown.
  package func setMessage(_ request: MessageRequest) async throws(ControlError) -> MessageReport {
    let scene = try scene(of: request)
    if let display = request.display { try mustBeKnown(display) }
    return try await show(request, scene) { store, now throws(SessionModelError) in
      guard let display = request.display else { return try store.post(scene, name: Message.shownName, at: now).id }
      return store.show(scene, on: display, at: now).id
    }
  }

  /// Ends the message that `setMessage(_:)` showed on one display, or with nil on all. The content that it covered
  /// becomes visible again.
  ///
  /// - Parameter display: The connector's name, or nil for the message for all displays.
  /// - Throws: `ControlError` if the display is unknown.
  /// - Returns: The removed message, and the messages that displays still show.
  package func removeMessage(_ display: String?) async throws(ControlError) -> ClearReport {
    if let display { try mustBeKnown(display) }
    let removed = await change { store, _ in
      let message = display.map { store.ownMessage(of: $0) } ?? store.message(named: Message.shownName)
      return message.flatMap { try? store.withdraw($0.id) }
    }
    return clearReport([removed].compactMap(\.self), on: display)
  }

  /// Ends all messages. The content that they covered becomes visible again.
  package func removeAllMessages() async -> ClearReport {
    clearReport(await change { store, _ in store.withdrawAll() }, on: nil)
  }

  /// Returns the removed messages, and the messages that displays still show.
  private func clearReport(_ removed: [Message], on display: String?) -> ClearReport {
    var displays: [Int: [String]] = [:]
    for output in outputs where output.isLit && (display == nil || display == output.name) {
      if case .message(let id)? = output.wanted?.source { displays[id, default: []].append(output.name) }
    }
    return ClearReport(
      removed: removed.map { ClearReport.Removed(id: $0.id, summary: $0.scene.summary) },
      remaining: store.messages.compactMap { message in
        displays[message.id].map { names in
          ClearReport.Remaining(
            id: message.id, summary: message.scene.summary, displays: names,
            expires: message.expires.map(Timestamp.init(milliseconds:)), acknowledge: message.needsAcknowledgement)
        }
      })
  }

  /// Posts a message alongside the others.
  ///
  /// - Parameter request: The message and its target.
  /// - Throws: `ControlError` if the request is invalid.
  /// - Returns: The message and where it is shown.
  package func post(_ request: MessageRequest) async throws(ControlError) -> MessageReport {
    let scene = try scene(of: request)
    let target = try target(of: request)
    try mustBeName(request.name, field: "name", Name.refusal(of:))
    return try await show(request, scene) { store, now throws(SessionModelError) in
      let expires = request.seconds.map {
        now &+ Int64(clamping: $0).multipliedReportingOverflow(by: 1000).partialValue
      }
      return try store.post(
        scene, to: target, name: request.name, priority: request.priority ?? 0, expires: expires,
        needsAcknowledgement: request.acknowledge ?? false, at: now
      ).id
    }
  }

  /// Returns all live messages; a message that covers another comes first.
  package func messages() -> [LiveMessage] { store.messages.map(live) }

  /// Returns part of the list of live messages. Reports are created for this part only.
  ///
  /// - Parameters:
  ///   - place: The place after which the part begins; nil for the beginning of the list.
  ///   - most: The maximum number of messages.
  /// - Returns: The messages, and whether more follow.
  package func messages(after place: ListPlace?, most: Int) -> ListPart<LiveMessage> {
    store.messages.part(after: place, most: most, by: { "\($0.id)" }, live)
  }

  /// Returns the live message with an ID.
  ///
  /// - Parameter id: The message's number.
  /// - Returns: The message; nil if there is none.
  package func liveMessage(_ id: Int) -> LiveMessage? { store.message(id).map(live) }

  private func live(_ message: Message) -> LiveMessage {
    let shown = outputs.filter { $0.isLit && $0.showing.source == .message(message.id) }.map(\.name)
    return LiveMessage(
      id: message.id, name: message.name, text: message.scene.text, scene: message.scene.document,
      kind: message.scene.kind, summary: message.scene.summary, target: "\(message.target)",
      priority: message.priority, created: Timestamp(milliseconds: message.created),
      changed: Timestamp(milliseconds: message.changed), expires: message.expires.map(Timestamp.init(milliseconds:)),
      acknowledge: message.needsAcknowledgement, shown: shown)
  }

  /// Confirms that a message was seen, which ends a message that requires acknowledgment.
  ///
  /// - Parameter message: The message's number.
  /// - Throws: `ControlError` if there is no such message.
  package func acknowledge(_ message: Int) async throws(ControlError) {
    try await attempt { store, now throws(SessionModelError) in _ = try store.acknowledge(message, at: now) }
  }

  /// Withdraws a message.
  ///
  /// - Parameter message: The message's number.
  /// - Throws: `ControlError` if there is no such message.
  package func withdraw(_ message: Int) async throws(ControlError) {
    try await attempt { store, _ throws(SessionModelError) in _ = try store.withdraw(message) }
  }

  /// Returns the entries of the display history, newest first.
  ///
  /// - Parameter query: The filter and the part of the history to return.
  /// - Throws: `ControlError` if the history cannot be read, or if the display is unknown and has no entries.
  /// - Returns: The entries.
  package func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine] {
    let lines = try await persistence.history(query)
    // A display that is gone can have a history whose last page is empty. Only a name without a history can be a typing
    // error.
    if lines.isEmpty, query.after == nil, let display = query.display, lost[display] == nil { try mustBeKnown(display) }
    return lines
  }

  private func show(
    _ request: MessageRequest, _ scene: Scene, _ body: (inout SessionModel, Int64) throws(SessionModelError) -> Int
  ) async throws(ControlError) -> MessageReport {
    let arrival = environment.now()
    let id = try attemptAtOnce(body)
    if request.seconds != nil { noteTimed(id) }
    let source = Shown.Source.message(id)
    let concerned = outputs.filter { $0.wanted?.source == source }
    var report = MessageReport(id: id, display: request.display, text: scene.text)
    let hidden = outputs.filter { isMeant($0, by: source) && $0.wanted?.source != source }
    for output in hidden { note(output, isNotShowing: source, in: &report) }
    report.unseen = unseenReason(source, scene)
    if request.wait ?? false {
      await waitForFlips(of: concerned, to: source, scene, since: arrival, into: &report)
    }
    await persistence.settled()
    let waits = request.wait ?? false
    // If all displays are asleep, `unseen` contains that reason already.
    let readable = concerned.filter { $0.isLit || !waits && !($0.isAsleep && report.unseen != nil) }
    report.warnings += await warnings(readable, waits: waits)
    return report
  }

  /// Records that a message ends after a duration, regardless of clock changes until then.
  func noteTimed(_ message: Int) {
    timedMessages.formIntersection(store.messages.map(\.id))
    timedMessages.insert(message)
  }

  func isMeant(_ output: Output, by source: Shown.Source) -> Bool {
    switch source {
    case .message(let id): store.message(id).map { store.isFor(output.name, $0) } ?? false
    case .session(let id): store.session(on: output.name)?.id == id
    case .fallback: false
    }
  }

  /// Returns why an output shows something else.
  func coverReason(_ output: Output, _ wanted: Shown.Source) -> String {
    switch output.wanted?.source {
    case wanted: "\(output.name): something else came first"
    case .message(let id): coverReason(output, id)
    case .session(let id): "\(output.name): session \(id) was brought forward since"
    case .fallback, nil: "\(output.name): it is over already"
    }
  }

  private func coverReason(_ output: Output, _ id: Int) -> String {
    guard let cover = cover(of: output, id) else { return "\(output.name): something else came first" }
    let ends = [
      cover.acknowledge ? "it is acknowledged" : nil,
      cover.expires.map { zones.clock($0.milliseconds, now: environment.wallClock()) },
    ].compactMap(\.self)
    let end = ends.isEmpty ? "it is withdrawn" : ends.joined(separator: " or ")
    return "\(output.name): message \(id) (\"\(cover.summary)\") covers it until \(end); "
      + "`placard \(cover.acknowledge ? "ack" : "withdraw") \(id)` ends it"
  }

  private func cover(of output: Output, _ id: Int) -> Cover? {
    store.message(id).map { message in
      Cover(
        display: output.name, message: id, summary: message.scene.summary,
        expires: message.expires.map(Timestamp.init(milliseconds:)), acknowledge: message.needsAcknowledgement)
    }
  }

  /// Records why an output shows something else, with the message that covers the requested content.
  func note(_ output: Output, isNotShowing source: Shown.Source, in report: inout MessageReport) {
    report.notShown.append(coverReason(output, source))
    guard case .message(let id)? = output.wanted?.source, .message(id) != source, let cover = cover(of: output, id)
    else { return }
    report.covers = (report.covers ?? []) + [cover]
  }

  private func scene(of request: MessageRequest) throws(ControlError) -> Scene {
    switch (request.text, request.scene) {
    case (let text?, nil): return try self.scene(Scene.banner(text).document, for: request.display)
    case (nil, let document?): return try scene(document, for: request.display)
    default: throw request.refusal
    }
  }

  private func target(of request: MessageRequest) throws(ControlError) -> Message.Target {
    switch (request.display, request.role, request.tag) {
    case (nil, nil, nil): return .all
    case (let display?, nil, nil):
      try mustBeKnown(display)
      return .display(display)
    case (nil, let role?, nil):
      return .role(role.rawValue)
    case (nil, nil, let tag?):
      try mustBeName(tag, field: "tag", Name.refusal(ofTag:))
      return .tag(tag)
    default: throw request.refusal
    }
  }

  /// Throws if a request contains an invalid name or tag.
  func mustBeName(
    _ text: String?, field: String, _ refusal: (String) -> String?
  ) throws(ControlError) {
    guard let refusal = text.flatMap(refusal) else { return }
    throw ControlError(.invalid, "`\(field)` \(refusal)")
  }
}
