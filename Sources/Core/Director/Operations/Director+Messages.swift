import Configuration
package import Control
import Displays
import Geometry
import Layout
import Scenes

extension Director {
  package func message(_ display: String?) throws(ControlError) -> MessageReport {
    try state.message(display)
  }

  package func setMessage(_ request: MessageRequest) async throws(ControlError) -> MessageReport {
    let scene = try state.scene(of: request)
    if let display = request.display { try mustBeKnown(display) }
    return try await show(request, scene) { store, now throws(SessionModelError) in
      guard let display = request.display else { return try store.post(scene, name: Message.shownName, at: now).id }
      return store.show(scene, on: display, at: now).id
    }
  }

  package func removeMessage(_ display: String?) async throws(ControlError) -> ClearReport {
    if let display { try mustBeKnown(display) }
    let removed = change { store, _ in
      let message = display.map { store.ownMessage(of: $0) } ?? store.message(named: Message.shownName)
      return message.flatMap { try? store.withdraw($0.id) }
    }
    await persistence.settled()
    return state.clearReport([removed].compactMap(\.self), on: display)
  }

  package func removeAllMessages() async -> ClearReport {
    let removed = change { store, _ in store.withdrawAll() }
    await persistence.settled()
    return state.clearReport(removed, on: nil)
  }

  package func post(_ request: MessageRequest) async throws(ControlError) -> MessageReport {
    let (scene, target) = try state.content(of: request)
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

  package func messages() -> [LiveMessage] { core.store.messages.map(state.report) }

  package func messages(after place: ListPlace?, most: Int) -> ListPart<LiveMessage> {
    core.store.messages.part(after: place, most: most, by: { "\($0.id)" }, state.report)
  }

  package func liveMessage(_ id: Int) -> LiveMessage? { core.store.message(id).map(state.report) }

  package func acknowledge(_ message: Int) async throws(ControlError) {
    try step { core throws(ControlError) in try core.acknowledge(message) }
    await persistence.settled()
  }

  package func withdraw(_ message: Int) async throws(ControlError) {
    try attempt { store, _ throws(SessionModelError) in _ = try store.withdraw(message) }
    await persistence.settled()
  }

  package func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine] {
    let lines = try await persistence.history(query)
    // A display that is gone can have a history whose last page is empty. Only a name without a history can be a typing
    // error.
    if lines.isEmpty, query.after == nil, let display = query.display, core.lost[display] == nil {
      try mustBeKnown(display)
    }
    return lines
  }

  private func show(
    _ request: MessageRequest, _ scene: Scene, _ body: (inout SessionModel, Int64) throws(SessionModelError) -> Int
  ) async throws(ControlError) -> MessageReport {
    let arrival = environment.now()
    if request.requireReadable ?? false { try await mustBeReadable(body) }
    let id = try inspectingFirst(!(request.wait ?? false)) { () throws(ControlError) in try attempt(body) }
    if request.seconds != nil { step { $0.noteTimed(id) } }
    var (concerned, report) = state.outcome(ofMessage: id, scene, for: request.display)
    if request.wait ?? false {
      await waitForFlips(of: concerned, to: .message(id), scene, since: arrival, into: &report)
    }
    await persistence.settled()
    let waits = request.wait ?? false
    // If all displays are asleep, `unseen` contains that reason already.
    let isUnseen = report.unseen != nil
    let readable = concerned.filter { id in
      core[id].map { $0.isLit || !waits && !($0.isAsleep && isUnseen) } ?? false
    }
    await inspect(readable, waits: waits, into: &report)
    return report
  }

  /// Throws if a display would show the message of a change with a warning, or too small for its distance.
  ///
  /// The change is applied to a copy of the content. Displays without a mode are not checked: they show nothing.
  private func mustBeReadable(
    _ body: (inout SessionModel, Int64) throws(SessionModelError) -> Int
  ) async throws(ControlError) {
    var state = state
    guard let id = try? body(&state.store, state.now) else { return }
    for output in state.outputs where state.shown(on: output).source == .message(id) {
      guard let mode = output.candidate else { continue }
      guard output.presentation.distance != nil else {
        throw ControlError(
          .conflict, "\(output.name): it is unknown whether the text is readable: set `distance` in the configuration")
      }
      let moment = state.moment(of: output)
      let metrics = DisplayMetrics(pixels: output.turn.inverse.turn(mode.mode.size), scale: mode.scale)
      let result = await renderMutex.run { await renderer.inspect(moment.view, on: metrics) }
      guard case .success(let found) = result else {
        throw ControlError(.failed, "\(output.name): the message could not be laid out, so it is not shown")
      }
      let unreadable = [output.legibilityWarning(of: found.extent)].compactMap(\.self)
      guard let first = (unreadable + moment.warnings + found.warnings).first else { continue }
      throw ControlError(
        .conflict, "\(output.name): the message is not shown, because it would not be readable: \(first)")
    }
  }
}
