extension Store {
  /// All messages that live, in the order in which they cover each other: the first is above all.
  public var messages: [Message] { allMessages.sorted { $1.isCovered(by: $0) } }

  /// The message of this number; nil where there is none.
  public func message(_ id: Int) -> Message? { allMessages.first { $0.id == id } }

  /// The message of this name; nil where there is none.
  public func message(named name: String) -> Message? { allMessages.first { $0.name == name } }

  /// When the next message is over, in milliseconds since 1970; nil for never.
  public var nextExpiry: Int64? { allMessages.compactMap(\.expires).min() }

  /// Posts a message. One of the same name gets all of this, keeps its number, and is the newest.
  ///
  /// - Parameters:
  ///   - scene: What to show.
  ///   - target: Who is to see it.
  ///   - name: A key of the sender's choice; nil for none.
  ///   - priority: See `Message.priorities`.
  ///   - expires: When it is over, in milliseconds since 1970; nil for never.
  ///   - needsAcknowledgement: Whether it is over as soon as somebody acknowledges it.
  ///   - now: Milliseconds since 1970.
  /// - Returns: The message as it is now.
  /// - Throws: `StoreError.priority`, `.over`: nothing is changed then.
  @discardableResult
  public mutating func post(
    _ scene: Scene, to target: Message.Target = .all, name: String? = nil, priority: Int = 0, expires: Int64? = nil,
    needsAcknowledgement: Bool = false, at now: Int64
  ) throws(StoreError) -> Message {
    guard Message.priorities.contains(priority) else { throw .priority(priority) }
    if let expires, expires <= now { throw .over(expires: expires, now: now) }
    let known = name.flatMap { message(named: $0) }
    let posted = Message(
      id: known?.id ?? last.nextNumber(), name: name, scene: scene, target: target, priority: priority,
      created: known?.created ?? now, changed: stamp(now), expires: expires,
      needsAcknowledgement: needsAcknowledgement)
    if let index = allMessages.firstIndex(where: { $0.id == posted.id }) {
      allMessages[index] = posted
    } else {
      allMessages.append(posted)
    }
    return posted
  }

  /// Ends all messages; what they covered is seen again.
  ///
  /// - Returns: Those messages, in the order in which they covered each other.
  @discardableResult
  public mutating func withdrawAll() -> [Message] {
    let ended = messages
    allMessages = []
    for index in allSeats.indices.reversed() { dropWorthless(index) }
    return ended
  }

  /// Shows a scene on one display, over its session. It takes the place of the message that the display has of its own,
  /// keeps its number, and is the newest. It stays with the display's monitor, on whatever port.
  ///
  /// - Parameters:
  ///   - scene: What to show.
  ///   - display: Where; one without a monitor keeps it for the next one there.
  ///   - now: Milliseconds since 1970.
  /// - Returns: The message as it is now.
  @discardableResult
  public mutating func show(_ scene: Scene, on display: String, at now: Int64) -> Message {
    let known = ownMessage(of: display)
    let shown = Message(
      id: known?.id ?? last.nextNumber(), name: nil, scene: scene, target: .display(display), priority: 0,
      created: known?.created ?? now, changed: stamp(now), expires: nil, needsAcknowledgement: false, isOwn: true,
      seat: seat(on: display)?.id)
    if let index = allMessages.firstIndex(where: { $0.id == shown.id }) {
      allMessages[index] = shown
    } else {
      allMessages.append(shown)
    }
    return shown
  }

  /// The message that a display has of its own, by `show(_:on:at:)`; nil where there is none.
  ///
  /// - Parameter display: A connector's name, with a monitor or without.
  /// - Returns: The message of the monitor there, or the one that waits for a monitor.
  public func ownMessage(of display: String) -> Message? {
    if let seat = seat(on: display) { return allMessages.first { $0.seat == seat.id } }
    return allMessages.first { $0.isOwn && $0.seat == nil && $0.target == .display(display) }
  }

  /// Gives the own messages that wait for a monitor to the one that is there now, in place of what it had.
  mutating func seatOwnMessages() {
    for seat in allSeats {
      guard let display = seat.display,
        let waiting = allMessages.firstIndex(where: { $0.isOwn && $0.seat == nil && $0.target == .display(display) })
      else { continue }
      allMessages[waiting].seat = seat.id
      let id = allMessages[waiting].id
      allMessages.removeAll { $0.seat == seat.id && $0.id != id }
    }
  }

  /// Ends a message; what it covered is seen again.
  ///
  /// - Returns: The message as it was.
  /// - Throws: `StoreError.noMessage`.
  @discardableResult
  public mutating func withdraw(_ id: Int) throws(StoreError) -> Message {
    guard let index = allMessages.firstIndex(where: { $0.id == id }) else { throw .noMessage(id) }
    return remove(at: index)
  }

  /// Notes that somebody has seen a message; one that waited for it is over.
  ///
  /// - Returns: The message as it is now, or was at its end.
  /// - Throws: `StoreError.noMessage`.
  @discardableResult
  public mutating func acknowledge(_ id: Int, at now: Int64) throws(StoreError) -> Message {
    guard let index = allMessages.firstIndex(where: { $0.id == id }) else { throw .noMessage(id) }
    allMessages[index].acknowledged = now
    return allMessages[index].needsAcknowledgement ? remove(at: index) : allMessages[index]
  }

  /// Ends the messages whose time is over.
  ///
  /// - Returns: Those messages, by number.
  @discardableResult
  public mutating func expire(at now: Int64) -> [Message] {
    let over = allMessages.filter { $0.expires.map { $0 <= now } ?? false }
    allMessages.removeAll { $0.expires.map { $0 <= now } ?? false }
    return over
  }

  /// Removes a message, and the seat of a monitor that is gone if there is nothing else to remember.
  private mutating func remove(at index: Int) -> Message {
    let removed = allMessages.remove(at: index)
    if let seat = allSeats.firstIndex(where: { $0.id == removed.seat }) { dropWorthless(seat) }
    return removed
  }
}
