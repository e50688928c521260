import Control
import Layout
import Ordering
import Scenes

extension Director {
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
    let waiting = waitingCards.naturallySorted { $0.key }.map(\.value)
    return waiting.isEmpty ? "no monitor is connected" : waiting.joined(separator: "; ")
  }

  private func darknessReason(of display: String) -> String {
    do throws(ControlError) {
      _ = try connected(display)
      return "\(display): its monitor is another one now"
    } catch { return error.message }
  }

  /// Throws if the session's scene does not have a heading.
  func mustHave(_ anchor: String, _ session: Session) throws(ControlError) {
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
}
