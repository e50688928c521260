extension Store {
  /// All sessions, by number.
  public var sessions: [Session] {
    (allSeats.compactMap(\.session) + reservations.map(\.session)).sorted { $0.id < $1.id }
  }

  /// The session of this number; nil where there is none.
  public func session(_ id: Int) -> Session? {
    for seat in allSeats where seat.session?.id == id { return seat.session }
    return reservations.first { $0.session.id == id }?.session
  }

  /// The session on a display, or the one for the next monitor there.
  public func session(on display: String) -> Session? {
    if let seat = seat(on: display) { return seat.session }
    return reservations.first { $0.display == display }?.session
  }

  /// The seat that has this session; nil where it has none yet, or there is no such session.
  public func seat(of session: Int) -> Seat? { allSeats.first { $0.session?.id == session } }

  /// Opens a scene. The session that was on its display ends, unless it is what is meant: the one of this tag, or without
  /// tags one of an equal scene. That one is brought forward with the new scene. A card of the board has one session,
  /// which moves to the display.
  ///
  /// - Parameters:
  ///   - scene: What to show.
  ///   - tag: What whoever opens it calls it; nil for nothing.
  ///   - display: Where; one without a monitor keeps it for the next one there. With nil, a session that is meant is
  ///     brought forward wherever it is; else it is the first external display without a session, by name, else the
  ///     first external one, else the first; without any it waits for the first monitor.
  ///   - now: Milliseconds since 1970.
  /// - Returns: The session as it is now.
  @discardableResult
  public mutating func open(
    _ scene: Scene, tag: String? = nil, on display: String? = nil, at now: Int64
  ) -> Session {
    let raised = stamp(now)
    let meant = display.map { session(on: $0).map { [$0] } ?? [] } ?? onDisplaysLast
    if var known = meant.last(where: { $0.isMeant(by: scene, tag: tag) }) ?? openCard(tag) {
      known.bringForward(scene, at: raised)
      if let display, session(on: display)?.id != known.id {
        take(known.id)
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

  /// Moves a session to a display, where the one that was there ends. On the display where it is it is brought forward.
  ///
  /// - Returns: The session as it is now.
  /// - Throws: `StoreError.noSession`.
  @discardableResult
  public mutating func move(_ id: Int, to display: String, at now: Int64) throws(StoreError) -> Session {
    guard var moved = session(id) else { throw .noSession(id) }
    moved.raised = stamp(now)
    if session(on: display)?.id == id {
      replace(moved)
    } else {
      take(id)
      put(moved, on: display)
    }
    return moved
  }

  /// Gives a session another scene. It is neither brought forward by that, nor scrolled where the kind of scene stays.
  ///
  /// - Returns: The session as it is now.
  /// - Throws: `StoreError.noSession`.
  @discardableResult
  public mutating func edit(_ id: Int, to scene: Scene) throws(StoreError) -> Session {
    guard var edited = session(id) else { throw .noSession(id) }
    if scene.kind != edited.scene.kind { edited.place = .start }
    edited.scene = scene
    replace(edited)
    return edited
  }

  /// Scrolls a session.
  ///
  /// - Parameter place: A share beyond 0...1 is the beginning or the end.
  /// - Returns: The session as it is now.
  /// - Throws: `StoreError.noSession`.
  @discardableResult
  public mutating func scroll(_ id: Int, to place: Place) throws(StoreError) -> Session {
    guard var scrolled = session(id) else { throw .noSession(id) }
    scrolled.place = place.clamped
    replace(scrolled)
    return scrolled
  }

  /// Ends a session; its display shows its role's scene again.
  ///
  /// - Returns: The session as it was.
  /// - Throws: `StoreError.noSession`.
  @discardableResult
  public mutating func close(_ id: Int) throws(StoreError) -> Session {
    guard let closed = session(id) else { throw .noSession(id) }
    take(id)
    return closed
  }

  /// Gives the sessions that wait for a monitor their displays; those that wait for any, as if they were opened now.
  mutating func seatReserved() {
    for seat in allSeats { claim(seat) }
    for waiting in reservations where waiting.display == nil {
      guard let display = bestDisplay else { return }
      take(waiting.session.id)
      put(waiting.session, on: display)
    }
  }

  /// Gives a seat the session that waits for its display.
  private mutating func claim(_ seat: Seat) {
    guard let display = seat.display, let waiting = reservations.first(where: { $0.display == display }) else { return }
    take(waiting.session.id)
    put(waiting.session, on: display)
  }

  /// The order in which they were raised, those on displays after those that wait.
  var onDisplaysLast: [Session] {
    let shown = Set(allSeats.compactMap { $0.display == nil ? nil : $0.session?.id })
    return sessions.sorted {
      (shown.contains($0.id) ? 1 : 0, $0.raised, $0.id) < (shown.contains($1.id) ? 1 : 0, $1.raised, $1.id)
    }
  }

  /// Where a scene goes that is opened without a display; nil where nothing is plugged in.
  private var bestDisplay: String? {
    let plugged = seats.filter { $0.display != nil }
    let external = plugged.filter { $0.role == "external" }
    return (external.first { $0.session == nil } ?? external.first ?? plugged.first)?.display
  }

  private mutating func put(_ session: Session, on display: String?) {
    if let index = allSeats.firstIndex(where: { $0.display != nil && $0.display == display }) {
      allSeats[index].session = session
      return
    }
    reservations.removeAll { $0.display != nil && $0.display == display }
    reservations.append(Reservation(display: display, session: session))
    reservations.sort { $0.session.id < $1.session.id }
  }

  /// Gives a session to a seat that is still known, also of a monitor that is away; otherwise to a display.
  mutating func put(_ session: Session, inSeat seat: Int?, otherwise display: String?) {
    guard let seat, let index = allSeats.firstIndex(where: { $0.id == seat }) else { return put(session, on: display) }
    allSeats[index].session = session
  }

  private mutating func replace(_ session: Session) {
    if let index = allSeats.firstIndex(where: { $0.session?.id == session.id }) {
      allSeats[index].session = session
    } else if let index = reservations.firstIndex(where: { $0.session.id == session.id }) {
      reservations[index].session = session
    }
  }

  private mutating func take(_ id: Int) {
    reservations.removeAll { $0.session.id == id }
    guard let index = allSeats.firstIndex(where: { $0.session?.id == id }) else { return }
    allSeats[index].session = nil
    dropWorthless(index)
  }
}

extension Place {
  /// The place with its share in 0...1.
  var clamped: Place {
    guard case .share(let share) = self else { return self }
    return .share(share > 0 ? min(share, 1) : 0)
  }
}
