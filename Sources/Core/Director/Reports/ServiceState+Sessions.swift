import Control
import Displays
import Scenes

/// The reports on sessions and the board.
extension ServiceState {
  /// Returns what each monitor shows, including monitors that are not connected now.
  func sessions() -> [SessionReport] { store.profiles.map(report) + store.reservations.map(report) }

  /// Returns part of the list of sessions. Reports are created for this part only.
  ///
  /// - Parameters:
  ///   - place: The place after which the part begins; nil for the beginning of the list.
  ///   - most: The maximum number of sessions.
  /// - Returns: The sessions, and whether more follow.
  func sessions(after place: ListPlace?, most: Int) -> ListPart<SessionReport> {
    let profiles = store.profiles.map { profile in (id: profile.session?.id, report: { self.report(profile) }) }
    let reserved = store.reservations.map { one in (id: Optional(one.session.id), report: { self.report(one) }) }
    return (profiles + reserved).part(after: place, most: most, by: { $0.id.map(String.init) ?? "" }) { $0.report() }
  }

  /// Returns the report of a session. That of an unknown one has no ID.
  func report(session: Int) -> SessionReport {
    if let profile = store.profile(of: session) { return report(profile) }
    if let reservation = store.reservations.first(where: { $0.session.id == session }) { return report(reservation) }
    return report(store.session(session), display: nil, monitor: "", place: "")
  }

  /// Returns the sessions that ended last, newest first.
  func closedSessions() -> [ClosedSessionReport] {
    store.closedSessions.map { closed in
      ClosedSessionReport(
        id: closed.id, display: closed.display, kind: closed.session.scene.kind,
        summary: closed.session.scene.summary, tag: closed.session.tag,
        ended: Timestamp(milliseconds: closed.ended))
    }
  }

  /// Returns the report of the controller's board.
  func board() -> BoardReport {
    let open = store.sessions.compactMap { session in
      session.card.map { card in
        BoardReport.OpenCard(card: card, session: session.id, display: store.profile(of: session.id)?.display)
      }
    }
    let document = store.board.document
    return BoardReport(board: document, revision: Revision.of(document), open: open)
  }

  /// Returns the report of a session that waits for a monitor on a display.
  private func report(_ reservation: Reservation) -> SessionReport {
    report(reservation.session, display: reservation.display, monitor: "", place: "")
  }

  /// Returns the report of what a monitor shows.
  func report(_ profile: MonitorProfile) -> SessionReport {
    var report = report(profile.session, display: profile.display, monitor: profile.monitor, place: profile.place)
    report.label = profile.display.flatMap { output($0)?.identity.label } ?? profile.label
    report.asleep = profile.isAsleep
    if let display = profile.display, let session = profile.session {
      report.covered = store.shown(on: display, otherwise: .banner("")).source != .session(session.id)
      if let showing = flipped(session, on: display) {
        // A countdown is replaced by the scene that follows it, and pages turn automatically.
        if let seen = showing.seen { report.summary = seen.summary }
        if let place = showing.place { report.scroll = ScrollPlace(place) }
      }
    }
    return report
  }

  /// Returns the frame content of a session, or nil unless the session's current content is on screen.
  private func flipped(_ session: Session, on display: String) -> Showing? {
    guard let output = output(display), output.isLit, output.showing.source == .session(session.id),
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
  /// The text of a banner; nil for any other content.
  var text: String? {
    if case .banner(let text) = content { text } else { nil }
  }
}

extension ScrollPlace {
  /// Creates the report of a place.
  init(_ place: Place) {
    switch place {
    case .share(let share): self = .position(share)
    case .heading(let anchor): self = .heading(anchor)
    }
  }
}
