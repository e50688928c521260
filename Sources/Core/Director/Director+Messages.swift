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
    try state.message(display)
  }

  /// Shows a text or scene on one display or on all, on top of what is open there.
  ///
  /// With `wait`, it returns after the flips of the displays concerned.
  ///
  /// - Parameter request: The message. Only its text or scene, its display and `wait` are used.
  /// - Throws: `ControlError` if the request is invalid or the display unknown.
  /// - Returns: The message and where it is shown.
  package func setMessage(_ request: MessageRequest) async throws(ControlError) -> MessageReport {
    let scene = try state.scene(of: request)
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
    return state.clearReport([removed].compactMap(\.self), on: display)
  }

  /// Ends all messages. The content that they covered becomes visible again.
  package func removeAllMessages() async -> ClearReport {
    let removed = await change { store, _ in store.withdrawAll() }
    return state.clearReport(removed, on: nil)
  }

  /// Posts a message alongside the others.
  ///
  /// - Parameter request: The message and its target.
  /// - Throws: `ControlError` if the request is invalid.
  /// - Returns: The message and where it is shown.
  package func post(_ request: MessageRequest) async throws(ControlError) -> MessageReport {
    let scene = try state.scene(of: request)
    let target = try state.target(of: request)
    try state.mustBeName(request.name, field: "name", Name.refusal(of:))
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
  package func messages() -> [LiveMessage] { store.messages.map(state.report) }

  /// Returns part of the list of live messages. Reports are created for this part only.
  ///
  /// - Parameters:
  ///   - place: The place after which the part begins; nil for the beginning of the list.
  ///   - most: The maximum number of messages.
  /// - Returns: The messages, and whether more follow.
  package func messages(after place: ListPlace?, most: Int) -> ListPart<LiveMessage> {
    store.messages.part(after: place, most: most, by: { "\($0.id)" }, state.report)
  }

  /// Returns the live message with an ID.
  ///
  /// - Parameter id: The message's number.
  /// - Returns: The message; nil if there is none.
  package func liveMessage(_ id: Int) -> LiveMessage? { store.message(id).map(state.report) }

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
    let state = state
    let hidden = state.outputs.filter { state.isMeant($0, by: source) && $0.wanted?.source != source }
    for output in hidden { state.note(output, isNotShowing: source, in: &report) }
    report.unseen = state.unseenReason(source, scene)
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

}
