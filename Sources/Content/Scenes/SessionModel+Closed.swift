/// A closed session and its location, kept so that it can be reopened.
package struct ClosedSession: Hashable, Sendable, Identifiable {
  /// The session as it was when it ended.
  package internal(set) var session: Session
  /// The number of the monitor's profile; nil if the session was waiting for a monitor.
  let profile: Int?
  /// The display that the session was on, or whose next monitor it was waiting for.
  ///
  /// For an unplugged monitor, this is its last port. It is nil for a session that was waiting for any monitor.
  package let display: String?
  /// The time when the session ended, in milliseconds since 1970.
  package let ended: Int64

  /// The session's number.
  package var id: Int { session.id }
}

extension SessionModel {
  /// The maximum number of closed sessions that are kept.
  package static let mostClosed = 10

  /// The closed sessions, newest first.
  package var closedSessions: [ClosedSession] { closed.reversed() }

  /// Keeps the sessions that an older model contains and this one does not.
  ///
  /// - Parameters:
  ///   - old: The model before a change.
  ///   - now: The current time, in milliseconds since 1970.
  package mutating func keepClosed(from old: SessionModel, at now: Int64) {
    guard old.allProfiles != allProfiles || old.reservations != reservations else { return }
    let remaining = Set(sessions.map(\.id))
    let seated = old.allProfiles.compactMap { profile in
      profile.session.map {
        ClosedSession(session: $0, profile: profile.id, display: profile.display ?? profile.place, ended: now)
      }
    }
    let waiting = old.reservations.map {
      ClosedSession(session: $0.session, profile: nil, display: $0.display, ended: now)
    }
    let ended = (seated + waiting).filter { !remaining.contains($0.id) }.sorted {
      $0.session.raised < $1.session.raised
    }
    closed.removeAll { remaining.contains($0.id) }
    closed = Array((closed + ended).suffix(Self.mostClosed))
  }

  /// Reopens a closed session on its monitor.
  ///
  /// The session that is open there ends, and can itself be reopened.
  ///
  /// - Parameters:
  ///   - id: The session's number, one of `closedSessions`.
  ///   - now: The current time, in milliseconds since 1970.
  /// - Throws: `SessionModelError.noClosedSession`.
  /// - Returns: The session after the change.
  @discardableResult
  package mutating func reopen(_ id: Int, at now: Int64) throws(SessionModelError) -> Session {
    guard let place = closed.firstIndex(where: { $0.id == id }) else { throw .noClosedSession(id) }
    let found = closed.remove(at: place)
    var session = found.session
    session.raised = stamp(now)
    put(session, inProfile: found.profile, otherwise: found.display)
    closeDoubles(of: session)
    return session
  }
}
