extension SessionModel {
  /// All sessions, by number.
  package var sessions: [Session] {
    (allProfiles.compactMap(\.session) + reservations.map(\.session)).sorted { $0.id < $1.id }
  }

  /// Returns the session with this number; nil if it does not exist.
  package func session(_ id: Int) -> Session? {
    for profile in allProfiles where profile.session?.id == id { return profile.session }
    return reservations.first { $0.session.id == id }?.session
  }

  /// Returns the session on a display, or the one that waits for its next monitor.
  package func session(on display: String) -> Session? {
    if let index = profileIndex(on: display) { return allProfiles[index].session }
    return reservations.first { $0.display == display }?.session
  }

  /// Returns the profile of the monitor that has this session; nil if the session does not exist or has no monitor yet.
  package func profile(of session: Int) -> MonitorProfile? { allProfiles.first { $0.session?.id == session } }

  /// Opens a scene as a session.
  ///
  /// A matching session is reused and brought forward with the new scene: one with the same tag or, without tags, one
  /// with an equal scene. Any other session on the display ends. A card of the board has a single session, which moves
  /// to the display.
  ///
  /// - Parameters:
  ///   - scene: The scene to show.
  ///   - tag: The client's name for the session; nil for none.
  ///   - display: The connector's name. A display without a monitor keeps the session for its next monitor. With nil, a
  ///     matching session is brought forward on its current display. Otherwise the scene goes to the first external
  ///     display by name without a session, else to the first external display, else to the first display. Without any
  ///     display, it waits for the first monitor.
  ///   - now: The current time, in milliseconds since 1970.
  /// - Returns: The session after the change.
  @discardableResult
  package mutating func open(
    _ scene: Scene, tag: String? = nil, on display: String? = nil, at now: Int64
  ) -> Session {
    let raised = stamp(now)
    let meant = display.map { session(on: $0).map { [$0] } ?? [] } ?? onDisplaysLast
    if var known = meant.last(where: { $0.isMeant(by: scene, tag: tag) }) ?? openCard(tag) {
      known.bringForward(scene, at: raised)
      if let display, session(on: display)?.id != known.id {
        removeSession(known.id)
        put(known, on: display)
      } else {
        replace(known)
      }
      closeDoubles(of: known)
      return known
    }
    let opened = Session(id: last.nextNumber(), scene: scene, tag: tag, opened: now, raised: raised)
    put(opened, on: display ?? bestDisplay)
    return opened
  }

  /// Moves a session to a display, and ends the session that was there.
  ///
  /// If the session is already on that display, it is brought forward.
  ///
  /// - Parameters:
  ///   - id: The session's number.
  ///   - display: The connector's name.
  ///   - now: The current time, in milliseconds since 1970.
  /// - Throws: `SessionModelError.noSession`.
  /// - Returns: The session after the change.
  @discardableResult
  package mutating func move(_ id: Int, to display: String, at now: Int64) throws(SessionModelError) -> Session {
    guard var moved = session(id) else { throw .noSession(id) }
    moved.raised = stamp(now)
    if session(on: display)?.id == id {
      replace(moved)
    } else {
      removeSession(id)
      put(moved, on: display)
    }
    return moved
  }

  /// Replaces a session's scene without bringing it forward.
  ///
  /// The scroll position is kept if the kind of scene stays the same.
  ///
  /// - Parameters:
  ///   - id: The session's number.
  ///   - scene: The new scene.
  /// - Throws: `SessionModelError.noSession`.
  /// - Returns: The session after the change.
  @discardableResult
  package mutating func edit(_ id: Int, to scene: Scene) throws(SessionModelError) -> Session {
    guard var edited = session(id) else { throw .noSession(id) }
    if scene.kind != edited.scene.kind { edited.place = .start }
    edited.scene = scene
    replace(edited)
    return edited
  }

  /// Scrolls a session.
  ///
  /// - Parameters:
  ///   - id: The session's number.
  ///   - place: The scroll position. A share outside of 0...1 is clamped.
  /// - Throws: `SessionModelError.noSession`.
  /// - Returns: The session after the change.
  @discardableResult
  package mutating func scroll(_ id: Int, to place: Place) throws(SessionModelError) -> Session {
    guard var scrolled = session(id) else { throw .noSession(id) }
    scrolled.place = place.clamped
    replace(scrolled)
    return scrolled
  }

  /// Ends a session, so that its display shows its role's scene again.
  ///
  /// - Parameter id: The session's number.
  /// - Throws: `SessionModelError.noSession`.
  /// - Returns: The session as it was.
  @discardableResult
  package mutating func close(_ id: Int) throws(SessionModelError) -> Session {
    guard let closed = session(id) else { throw .noSession(id) }
    removeSession(id)
    return closed
  }

  /// Assigns waiting sessions to displays; those that wait for any monitor go where a newly opened scene would go.
  mutating func assignReservations() {
    for profile in allProfiles { claim(profile) }
    for waiting in reservations where waiting.display == nil {
      guard let display = bestDisplay else { return }
      removeSession(waiting.session.id)
      put(waiting.session, on: display)
    }
  }

  /// Assigns the session that waits for a profile's display to that profile.
  private mutating func claim(_ profile: MonitorProfile) {
    guard let display = profile.display, let waiting = reservations.first(where: { $0.display == display }) else {
      return
    }
    removeSession(waiting.session.id)
    put(waiting.session, on: display)
  }

  /// All sessions in the order in which they were raised, those on displays after all others.
  var onDisplaysLast: [Session] {
    let shown = Set(allProfiles.compactMap { $0.display == nil ? nil : $0.session?.id })
    return sessions.sorted {
      (shown.contains($0.id) ? 1 : 0, $0.raised, $0.id) < (shown.contains($1.id) ? 1 : 0, $1.raised, $1.id)
    }
  }

  /// The display for a scene that is opened without one; nil if nothing is plugged in.
  private var bestDisplay: String? {
    let plugged = profiles.filter { $0.display != nil }
    let external = plugged.filter { $0.role == "external" }
    return (external.first { $0.session == nil } ?? external.first ?? plugged.first)?.display
  }

  private mutating func put(_ session: Session, on display: String?) {
    if let index = allProfiles.firstIndex(where: { $0.display != nil && $0.display == display }) {
      allProfiles[index].session = session
      return
    }
    reservations.removeAll { $0.display != nil && $0.display == display }
    reservations.append(Reservation(display: display, session: session))
    reservations.sort { $0.session.id < $1.session.id }
  }

  /// Assigns a session to an existing monitor profile, which may be unplugged, or otherwise to a display.
  mutating func put(_ session: Session, inProfile profile: Int?, otherwise display: String?) {
    guard let profile, let index = allProfiles.firstIndex(where: { $0.id == profile }) else {
      return put(session, on: display)
    }
    allProfiles[index].session = session
  }

  private mutating func replace(_ session: Session) {
    if let index = allProfiles.firstIndex(where: { $0.session?.id == session.id }) {
      allProfiles[index].session = session
    } else if let index = reservations.firstIndex(where: { $0.session.id == session.id }) {
      reservations[index].session = session
    }
  }

  private mutating func removeSession(_ id: Int) {
    reservations.removeAll { $0.session.id == id }
    guard let index = allProfiles.firstIndex(where: { $0.session?.id == id }) else { return }
    allProfiles[index].session = nil
    removeIfStateless(index)
  }
}

extension Place {
  /// The position with its share clamped to 0...1.
  var clamped: Place {
    guard case .share(let share) = self else { return self }
    return .share(share > 0 ? min(share, 1) : 0)
  }
}
