/// What became of a session or a message.
public enum StoreEvent: Hashable, Sendable {
  /// A session was opened on a display, brought forward there, or waits for a monitor: there, or with nil anywhere.
  case opened(Session, display: String?)
  /// A session came to this display.
  case moved(Session, display: String)
  /// A session got another scene, or is read elsewhere, and stays where it is: on this display, or waiting.
  case changed(Session, display: String?)
  /// A session ended, on this display; nil where its monitor was gone.
  case closed(Session, display: String?)
  /// A message was posted or changed.
  case posted(Message)
  /// A message is over.
  case ended(Message)
  /// The board is another one.
  case boardChanged(Scene)
}

extension Store {
  /// What happened from one store to another, for whoever watches: first what ended.
  public static func events(from old: Store, to new: Store) -> [StoreEvent] {
    sessionEvents(from: old.sessionPlaces, to: new.sessionPlaces)
      + messageEvents(from: old.allMessages, to: new.allMessages)
      + (old.board == new.board ? [] : [.boardChanged(new.board)])
  }

  private typealias SessionPlace = (session: Session, display: String?)

  private static func sessionEvents(from old: [SessionPlace], to new: [SessionPlace]) -> [StoreEvent] {
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

  private static func messageEvents(from old: [Message], to new: [Message]) -> [StoreEvent] {
    // Most changes are none of messages, of which there may be many.
    guard old != new else { return [] }
    let before = Dictionary(old.map { ($0.id, $0.changed) }) { first, _ in first }
    let remaining = Set(new.map(\.id))
    return old.filter { !remaining.contains($0.id) }.map { .ended($0) }
      + new.filter { before[$0.id] != $0.changed }.map { .posted($0) }
  }

  /// All sessions by number, and where they are.
  private var sessionPlaces: [SessionPlace] {
    let seated = allSeats.compactMap { seat in seat.session.map { (session: $0, display: seat.display) } }
    return (seated + reservations.map { (session: $0.session, display: $0.display) })
      .sorted { $0.session.id < $1.session.id }
  }
}
