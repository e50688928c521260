import Ordering

/// A change of a session, a message, the board or the library.
package enum SessionModelEvent: Hashable, Sendable {
  /// A session was opened or brought forward.
  ///
  /// The display is the one that it is on, or whose next monitor it waits for; nil if it waits for any monitor.
  case opened(Session, display: String?)
  /// A session moved to this display.
  case moved(Session, display: String)
  /// A session's scene or scroll position changed, without moving it; the display is nil if its monitor is unplugged or
  /// it waits for any monitor.
  case changed(Session, display: String?)
  /// A session ended on this display; nil if its monitor was unplugged or it was waiting for any monitor.
  case closed(Session, display: String?)
  /// A message was posted or changed.
  case posted(Message)
  /// A message ended.
  case ended(Message)
  /// The board was replaced.
  case boardChanged(Scene)
  /// The library entry with this name was added, changed or removed.
  case entryChanged(String)
}

extension SessionModel {
  /// Returns the changes from one model to another, as events.
  ///
  /// - Parameters:
  ///   - old: The model before the changes.
  ///   - new: The model after the changes.
  /// - Returns: The events of sessions, then of messages, then of the board and the library. Sessions and messages
  ///   that ended come first.
  package static func events(from old: SessionModel, to new: SessionModel) -> [SessionModelEvent] {
    sessionEvents(from: old.sessionPlaces, to: new.sessionPlaces)
      + messageEvents(from: old.allMessages, to: new.allMessages)
      + (old.board == new.board ? [] : [.boardChanged(new.board)])
      + changedEntries(from: old, to: new).naturallySorted { $0 }.map { .entryChanged($0) }
  }

  private typealias SessionPlace = (session: Session, display: String?)

  private static func sessionEvents(from old: [SessionPlace], to new: [SessionPlace]) -> [SessionModelEvent] {
    let before = Dictionary(old.map { ($0.session.id, $0) }) { first, _ in first }
    let remaining = Set(new.map(\.session.id))
    let closed = old.filter { !remaining.contains($0.session.id) }
    return closed.map { .closed($0.session, display: $0.display) }
      + new.compactMap { place in
        guard let known = before[place.session.id] else { return .opened(place.session, display: place.display) }
        if let display = place.display, display != known.display { return .moved(place.session, display: display) }
        if known.session.raised != place.session.raised { return .opened(place.session, display: place.display) }
        return known.session == place.session ? nil : .changed(place.session, display: place.display)
      }
  }

  private static func messageEvents(from old: [Message], to new: [Message]) -> [SessionModelEvent] {
    // Most changes do not affect messages, of which there may be many.
    guard old != new else { return [] }
    let before = Dictionary(old.map { ($0.id, $0.changed) }) { first, _ in first }
    let remaining = Set(new.map(\.id))
    return old.filter { !remaining.contains($0.id) }.map { .ended($0) }
      + new.filter { before[$0.id] != $0.changed }.map { .posted($0) }
  }

  /// All sessions and their displays, by session number.
  private var sessionPlaces: [SessionPlace] {
    let seated = allProfiles.compactMap { profile in profile.session.map { (session: $0, display: profile.display) } }
    return (seated + reservations.map { (session: $0.session, display: $0.display) })
      .sorted { $0.session.id < $1.session.id }
  }
}
