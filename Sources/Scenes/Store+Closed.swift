/// A session that ended, and where it was, so that it can be opened again.
public struct ClosedSession: Hashable, Sendable, Identifiable {
  /// The session as it was.
  public let session: Session
  /// The number of the monitor's seat; nil for a session that waited for a monitor.
  let seat: Int?
  /// The display that it was on, or whose next monitor it waited for; nil for the first monitor anywhere. For a monitor
  /// that was unplugged, the port where it was last.
  public let display: String?
  /// When it ended, in milliseconds since 1970.
  public let ended: Int64

  /// The session's number.
  public var id: Int { session.id }
}

extension Store {
  /// The number of closed sessions that are kept.
  public static let mostClosed = 10

  /// The sessions that ended last, the newest first.
  public var closedSessions: [ClosedSession] { closed.reversed() }

  /// Keeps the sessions that another store had and this one has no longer.
  ///
  /// - Parameters:
  ///   - old: The store before a change.
  ///   - now: Milliseconds since 1970.
  public mutating func keepClosed(from old: Store, at now: Int64) {
    guard old.allSeats != allSeats || old.reservations != reservations else { return }
    let remaining = Set(sessions.map(\.id))
    let seated = old.allSeats.compactMap { seat in
      seat.session.map { ClosedSession(session: $0, seat: seat.id, display: seat.display ?? seat.place, ended: now) }
    }
    let waiting = old.reservations.map {
      ClosedSession(session: $0.session, seat: nil, display: $0.display, ended: now)
    }
    let ended = (seated + waiting).filter { !remaining.contains($0.id) }.sorted {
      $0.session.raised < $1.session.raised
    }
    closed.removeAll { remaining.contains($0.id) }
    closed = Array((closed + ended).suffix(Self.mostClosed))
  }

  /// Opens a session again that ended, on the monitor that it was on, as it was. What is open there ends, and can be
  /// opened again in turn.
  ///
  /// - Parameters:
  ///   - id: The session's number, one of `closedSessions`.
  ///   - now: Milliseconds since 1970.
  /// - Returns: The session as it is now.
  /// - Throws: `StoreError.noClosedSession`.
  @discardableResult
  public mutating func reopen(_ id: Int, at now: Int64) throws(StoreError) -> Session {
    guard let place = closed.firstIndex(where: { $0.id == id }) else { throw .noClosedSession(id) }
    let found = closed.remove(at: place)
    var session = found.session
    session.raised = stamp(now)
    put(session, inSeat: found.seat, otherwise: found.display)
    closeDoubles(of: session)
    return session
  }
}
