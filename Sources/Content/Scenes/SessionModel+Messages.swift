extension SessionModel {
  /// All live messages in stacking order, topmost first.
  package var messages: [Message] { allMessages.sorted { $1.isCovered(by: $0) } }

  /// Returns the message with this number; nil if it does not exist.
  package func message(_ id: Int) -> Message? { allMessages.first { $0.id == id } }

  /// Returns the message with this name; nil if it does not exist.
  package func message(named name: String) -> Message? { allMessages.first { $0.name == name } }

  /// The time when the next message expires, in milliseconds since 1970; nil if none does.
  package var nextExpiry: Int64? { allMessages.compactMap(\.expires).min() }

  /// Posts a message.
  ///
  /// If a message with the same name exists, it is replaced, keeps its number, and becomes the newest.
  ///
  /// - Parameters:
  ///   - scene: The scene to show.
  ///   - target: The displays that show it.
  ///   - name: A key that the sender chooses; nil for none.
  ///   - priority: A value in `Message.priorities`.
  ///   - expires: The time when the message expires, in milliseconds since 1970; nil for never.
  ///   - needsAcknowledgement: Whether the message ends as soon as it is acknowledged.
  ///   - now: The current time, in milliseconds since 1970.
  /// - Throws: `SessionModelError.priority` or `SessionModelError.over`; the model is unchanged then.
  /// - Returns: The message after the change.
  @discardableResult
  package mutating func post(
    _ scene: Scene, to target: Message.Target = .all, name: String? = nil, priority: Int = 0, expires: Int64? = nil,
    needsAcknowledgement: Bool = false, at now: Int64
  ) throws(SessionModelError) -> Message {
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

  /// Ends all messages and reveals what they covered.
  ///
  /// - Returns: The ended messages in stacking order, topmost first.
  @discardableResult
  package mutating func withdrawAll() -> [Message] {
    let ended = messages
    allMessages = []
    for index in allProfiles.indices.reversed() { removeIfStateless(index) }
    return ended
  }

  /// Shows a scene on one display, above its session.
  ///
  /// It replaces the display's own message, keeps that message's number, and becomes the newest. The message follows
  /// the display's monitor to any port.
  ///
  /// - Parameters:
  ///   - scene: The scene to show.
  ///   - display: The connector's name. A display without a monitor keeps the message for its next monitor.
  ///   - now: The current time, in milliseconds since 1970.
  /// - Returns: The message after the change.
  @discardableResult
  package mutating func show(_ scene: Scene, on display: String, at now: Int64) -> Message {
    let known = ownMessage(of: display)
    let shown = Message(
      id: known?.id ?? last.nextNumber(), name: nil, scene: scene, target: .display(display), priority: 0,
      created: known?.created ?? now, changed: stamp(now), expires: nil, needsAcknowledgement: false, isOwn: true,
      profile: profile(on: display)?.id)
    if let index = allMessages.firstIndex(where: { $0.id == shown.id }) {
      allMessages[index] = shown
    } else {
      allMessages.append(shown)
    }
    return shown
  }

  /// Returns a display's own message, which `show(_:on:at:)` creates; nil if there is none.
  ///
  /// - Parameter display: A connector's name, with or without a monitor.
  /// - Returns: The own message of the monitor on the display, or the one that waits for a monitor there.
  package func ownMessage(of display: String) -> Message? {
    if let profile = profile(on: display) { return allMessages.first { $0.profile == profile.id } }
    return allMessages.first { $0.isOwn && $0.profile == nil && $0.target == .display(display) }
  }

  /// Assigns own messages that wait for a monitor to the monitor that is there now, replacing its previous own message.
  mutating func assignOwnMessages() {
    for profile in allProfiles {
      guard let display = profile.display,
        let waiting = allMessages.firstIndex(where: { $0.isOwn && $0.profile == nil && $0.target == .display(display) })
      else { continue }
      allMessages[waiting].profile = profile.id
      let id = allMessages[waiting].id
      allMessages.removeAll { $0.profile == profile.id && $0.id != id }
    }
  }

  /// Ends a message and reveals what it covered.
  ///
  /// - Parameter id: The message's number.
  /// - Throws: `SessionModelError.noMessage`.
  /// - Returns: The message as it was.
  @discardableResult
  package mutating func withdraw(_ id: Int) throws(SessionModelError) -> Message {
    guard let index = allMessages.firstIndex(where: { $0.id == id }) else { throw .noMessage(id) }
    return remove(at: index)
  }

  /// Confirms that a message was seen.
  ///
  /// A message that needs acknowledgement then ends.
  ///
  /// - Parameters:
  ///   - id: The message's number.
  ///   - now: The current time, in milliseconds since 1970.
  /// - Throws: `SessionModelError.noMessage`.
  /// - Returns: The message after the change, or as it was when it ended.
  @discardableResult
  package mutating func acknowledge(_ id: Int, at now: Int64) throws(SessionModelError) -> Message {
    guard let index = allMessages.firstIndex(where: { $0.id == id }) else { throw .noMessage(id) }
    allMessages[index].acknowledged = now
    return allMessages[index].needsAcknowledgement ? remove(at: index) : allMessages[index]
  }

  /// Ends the messages that have expired.
  ///
  /// - Parameter now: The current time, in milliseconds since 1970.
  /// - Returns: The ended messages, by number.
  @discardableResult
  package mutating func expire(at now: Int64) -> [Message] {
    let over = allMessages.filter { $0.expires.map { $0 <= now } ?? false }
    allMessages.removeAll { $0.expires.map { $0 <= now } ?? false }
    return over
  }

  /// Removes a message, and the profile of its unplugged monitor if nothing else is stored there.
  private mutating func remove(at index: Int) -> Message {
    let removed = allMessages.remove(at: index)
    if let profile = allProfiles.firstIndex(where: { $0.id == removed.profile }) { removeIfStateless(profile) }
    return removed
  }
}
