import Configuration
import Control
import Ordering
import Scenes

/// The reports on messages, and the reasons why displays do not show what was requested.
extension ServiceState {
  /// Returns the message of one display, or with nil the message for all displays.
  ///
  /// - Parameter display: The connector's name, or nil for the message for all displays.
  /// - Throws: `ControlError` if the display is unknown.
  /// - Returns: The message with its text.
  func message(_ display: String?) throws(ControlError) -> MessageReport {
    guard let display else {
      let text = store.message(named: Message.shownName)?.scene.text
      return MessageReport(display: nil, text: text ?? settings.message ?? facts.greeting?.text)
    }
    try mustBeKnown(display)
    let fallback =
      output(display).map(fallbackScene) ?? settings.message.map(Scene.banner) ?? facts.greeting ?? .banner("")
    return MessageReport(display: display, text: store.shown(on: display, otherwise: fallback).scene.text)
  }

  /// Returns the report of a live message.
  func report(_ message: Message) -> LiveMessage {
    let shown = outputs.filter { $0.isLit && $0.showing.source == .message(message.id) }.map(\.name)
    return LiveMessage(
      id: message.id, name: message.name, text: message.scene.text, scene: message.scene.document,
      kind: message.scene.kind, summary: message.scene.summary, target: "\(message.target)",
      priority: message.priority, created: Timestamp(milliseconds: message.created),
      changed: Timestamp(milliseconds: message.changed), expires: message.expires.map(Timestamp.init(milliseconds:)),
      acknowledge: message.needsAcknowledgement, shown: shown)
  }

  /// Returns the removed messages, and the messages that one display still shows, or with nil any display.
  func clearReport(_ removed: [Message], on display: String?) -> ClearReport {
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

  /// Returns the outputs that are to show a new message, and the report on it before they do.
  ///
  /// - Parameters:
  ///   - id: The number of the message.
  ///   - scene: Its scene.
  ///   - display: The display that the request named; nil for none.
  /// - Returns: The outputs, and the report with the reasons why others do not show the message.
  func outcome(ofMessage id: Int, _ scene: Scene, for display: String?) -> (outputs: [OutputID], report: MessageReport)
  {
    let source = Shown.Source.message(id)
    var report = MessageReport(id: id, display: display, text: scene.text)
    for output in outputs where isMeant(output, by: source) && output.wanted?.source != source {
      note(output, isNotShowing: source, in: &report)
    }
    report.unseen = unseenReason(source, scene)
    return (outputs.filter { $0.wanted?.source == source }.map(\.record.id), report)
  }

  // MARK: Covered content

  /// Returns whether a source is meant for an output.
  func isMeant(_ output: OutputState, by source: Shown.Source) -> Bool {
    switch source {
    case .message(let id): store.message(id).map { store.isFor(output.name, $0) } ?? false
    case .session(let id): store.session(on: output.name)?.id == id
    case .fallback: false
    }
  }

  /// Records why an output shows something else, with the message that covers the requested content.
  func note(_ output: OutputState, isNotShowing source: Shown.Source, in report: inout MessageReport) {
    report.notShown.append(coverReason(output, source))
    guard case .message(let id)? = output.wanted?.source, .message(id) != source, let cover = cover(of: output, id)
    else { return }
    report.covers = (report.covers ?? []) + [cover]
  }

  /// Returns why an output shows something else.
  private func coverReason(_ output: OutputState, _ wanted: Shown.Source) -> String {
    switch output.wanted?.source {
    case wanted: "\(output.name): something else came first"
    case .message(let id): coverReason(output, id)
    case .session(let id): "\(output.name): session \(id) was brought forward since"
    case .fallback, nil: "\(output.name): it is over already"
    }
  }

  private func coverReason(_ output: OutputState, _ id: Int) -> String {
    guard let cover = cover(of: output, id) else { return "\(output.name): something else came first" }
    let ends = [
      cover.acknowledge ? "it is acknowledged" : nil,
      cover.expires.map { zones.clock($0.milliseconds, now: now) },
    ].compactMap(\.self)
    let end = ends.isEmpty ? "it is withdrawn" : ends.joined(separator: " or ")
    return "\(output.name): message \(id) (\"\(cover.summary)\") covers it until \(end); "
      + "`placard \(cover.acknowledge ? "ack" : "withdraw") \(id)` ends it"
  }

  private func cover(of output: OutputState, _ id: Int) -> Cover? {
    store.message(id).map { message in
      Cover(
        display: output.name, message: id, summary: message.scene.summary,
        expires: message.expires.map(Timestamp.init(milliseconds:)), acknowledge: message.needsAcknowledgement)
    }
  }

  // MARK: Unseen content

  /// Returns why no display shows the content of a request, in one sentence.
  ///
  /// - Parameters:
  ///   - source: The message or session that the request posted or opened.
  ///   - scene: The scene of the message or session.
  /// - Returns: The reason; nil if a display shows it or is about to.
  func unseenReason(_ source: Shown.Source, _ scene: Scene) -> String? {
    if scene.isEmptyText {
      return "the text is empty, so only the background is visible; give a text"
    }
    let concerned = outputs.filter { isMeant($0, by: source) }
    guard !concerned.isEmpty else { return absenceReason(source) }
    let reasons = concerned.map { output in
      output.wanted?.source == source
        ? endReason(of: output).map { "\(output.name): \($0)" } : coverReason(output, source)
    }
    return reasons.contains(nil) ? nil : reasons.compactMap(\.self).joined(separator: "; ")
  }

  /// Returns why no connected display is a target of a message or session.
  private func absenceReason(_ source: Shown.Source) -> String {
    if case .message(let id) = source, let target = store.message(id)?.target, !outputs.isEmpty {
      switch target {
      case .role(let role): return "no \(role) display is connected; `placard displays` lists those that are"
      case .tag(let tag):
        return "no connected display has the tag \(tag); `tags` in the configuration and `placard open --tag` set them"
      case .display(let name): return darknessReason(of: name)
      case .all: break
      }
    }
    if case .session(let id) = source {
      let reserved = store.reservations.first { $0.session.id == id }?.display
      if let display = reserved ?? store.profile(of: id)?.place { return darknessReason(of: display) }
    }
    return waitingReasons.isEmpty ? "no monitor is connected" : waitingReasons.joined(separator: "; ")
  }

  private func darknessReason(of display: String) -> String {
    do throws(ControlError) {
      _ = try connected(display)
      return "\(display): its monitor is another one now"
    } catch { return error.message }
  }
}
