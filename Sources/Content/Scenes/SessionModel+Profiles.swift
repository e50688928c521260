import Ordering

extension SessionModel {
  /// The limits on how long unplugged monitors are remembered.
  package struct Retention: Hashable, Sendable {
    /// The maximum time since a monitor was last seen, in milliseconds.
    package var milliseconds: Int64
    /// The maximum number of unplugged monitors; the oldest are removed first.
    ///
    /// Monitors with a session, a choice or an own message are neither counted nor removed: `mostSessions`,
    /// `mostChoices` and `mostMessages` limit them.
    package var profiles: Int

    /// Creates limits, by default 90 days and 256 monitors.
    ///
    /// - Parameters:
    ///   - milliseconds: The maximum time since a monitor was last seen, in milliseconds.
    ///   - profiles: The maximum number of unplugged monitors without a session, a choice or an own message.
    package init(milliseconds: Int64 = 90 * 86_400_000, profiles: Int = 256) {
      self.milliseconds = milliseconds
      self.profiles = profiles
    }
  }

  /// All monitor profiles: attached ones by display name, then unplugged ones with the most recently seen first.
  package var profiles: [MonitorProfile] {
    let shown = allProfiles.filter { $0.display != nil }.naturallySorted { $0.display ?? "" }
    return shown + allProfiles.filter { $0.display == nil }.sorted { Self.isBefore($1, $0) }
  }

  /// Returns the profile of the monitor on a display; nil if nothing is plugged in.
  package func profile(on display: String) -> MonitorProfile? { profileIndex(on: display).map { allProfiles[$0] } }

  /// Returns the index of the profile of the monitor on a display; nil if nothing is plugged in.
  func profileIndex(on display: String) -> Int? { allProfiles.indices.first { allProfiles[$0].display == display } }

  /// Attaches monitors to their displays, with their existing profiles or new ones.
  ///
  /// Sessions and own messages that were waiting for a monitor are then assigned. Twins keep their ports: a monitor on
  /// a port without a profile gets the most recently seen profile of its identity. A profile whose port matches is
  /// assigned first. If several arrivals name the same display, the first one that is assigned wins.
  ///
  /// - Parameters:
  ///   - arrivals: The monitors that were plugged in.
  ///   - now: The current time, in milliseconds since 1970.
  package mutating func attach(_ arrivals: [Arrival], at now: Int64) {
    for arrival in arrivals { detach(arrival.display, at: now) }
    let strays = arrivals.filter { arrival in
      let own = absent(arrival.monitor) { $0.place == arrival.place }
      if let own { bring(own, to: arrival, at: now) }
      return own == nil
    }
    for arrival in strays {
      bring(absent(arrival.monitor) { _ in true } ?? begin(arrival, at: now), to: arrival, at: now)
    }
    assignReservations()
    assignOwnMessages()
  }

  /// Detaches the monitor from a display, and keeps its profile if it has stored state.
  ///
  /// - Parameters:
  ///   - display: The connector's name.
  ///   - now: The current time, in milliseconds since 1970.
  package mutating func detach(_ display: String, at now: Int64) {
    guard let index = profileIndex(on: display) else { return }
    allProfiles[index].display = nil
    allProfiles[index].lastSeen = now
    removeIfStateless(index)
  }

  /// Sets the configured tags and role of the monitor on a display, if one is plugged in.
  ///
  /// - Parameters:
  ///   - tags: The tags that messages can target.
  ///   - role: `internal` or `external`.
  ///   - display: The connector's name.
  package mutating func setTags(_ tags: [String], role: String, on display: String) {
    guard let index = profileIndex(on: display) else { return }
    allProfiles[index].tags = tags
    allProfiles[index].role = role
  }

  /// Puts the monitor on a display to sleep, or wakes it.
  ///
  /// - Parameters:
  ///   - isAsleep: Whether the monitor sleeps.
  ///   - display: The connector's name.
  /// - Returns: False if nothing is plugged in.
  @discardableResult
  package mutating func setAsleep(_ isAsleep: Bool, on display: String) -> Bool {
    guard let index = profileIndex(on: display) else { return false }
    allProfiles[index].isAsleep = isAsleep
    return true
  }

  /// Wakes all unplugged monitors.
  ///
  /// Waking everything includes a monitor that was just unplugged, or that disconnected because it was asleep.
  package mutating func wakeAbsent() {
    for index in allProfiles.indices.reversed() where allProfiles[index].display == nil && allProfiles[index].isAsleep {
      allProfiles[index].isAsleep = false
      removeIfStateless(index)
    }
  }

  /// Sets the choice that overrides the configuration for the monitor on a display; an empty choice removes the
  /// override.
  ///
  /// - Parameters:
  ///   - choice: The mode and rotation to use.
  ///   - display: The connector's name.
  /// - Returns: False if nothing is plugged in.
  @discardableResult
  package mutating func choose(_ choice: MonitorChoice, on display: String) -> Bool {
    guard let index = profileIndex(on: display) else { return false }
    allProfiles[index].choice = choice
    return true
  }

  /// Removes the profiles of monitors that have been unplugged for too long, with their sessions and own messages.
  ///
  /// Attached monitors and sessions that wait for a monitor are kept. If there are too many unplugged monitors, the
  /// removed ones are those whose only stored state is sleep.
  ///
  /// - Parameters:
  ///   - now: The current time, in milliseconds since 1970.
  ///   - retention: The limits to apply.
  /// - Returns: The numbers of the sessions that ended, in ascending order.
  @discardableResult
  package mutating func prune(at now: Int64, keeping retention: Retention = Retention()) -> [Int] {
    let before = Set(sessions.map(\.id))
    let oldest = now &- retention.milliseconds
    allProfiles.removeAll { $0.display == nil && $0.lastSeen < oldest }
    let sleepers = profiles.filter { profile in
      profile.display == nil && profile.session == nil && profile.choice.isEmpty
        && !allMessages.contains { $0.profile == profile.id }
    }
    let forgotten = Set(sleepers.dropFirst(max(0, retention.profiles)).map(\.id))
    allProfiles.removeAll { forgotten.contains($0.id) }
    let remembered = Set(allProfiles.map(\.id))
    allMessages.removeAll { message in message.profile.map { !remembered.contains($0) } ?? false }
    return before.subtracting(sessions.map(\.id)).sorted()
  }

  /// Adjusts stored times after the clock was set.
  ///
  /// If the clock was set forward, unplugged monitors stay unplugged for as long as before. If it was set back, times
  /// in the future become the current time.
  ///
  /// - Parameters:
  ///   - distance: The change of the clock, in milliseconds.
  ///   - now: The current time after the change, in milliseconds since 1970.
  ///   - timed: The messages whose expiry was given as a duration, which is preserved. Other messages expire at their
  ///     original time.
  package mutating func setClock(by distance: Int64, to now: Int64, timed: Set<Int>) {
    let shift = { (time: Int64) in distance > 0 ? max(time, min(time &+ distance, now)) : min(time, now) }
    for index in allProfiles.indices where allProfiles[index].display == nil {
      allProfiles[index].lastSeen = shift(allProfiles[index].lastSeen)
    }
    for index in allMessages.indices where timed.contains(allMessages[index].id) {
      if let expires = allMessages[index].expires { allMessages[index].expires = expires &+ distance }
    }
    // The age of a value stays the same. Those without a maximum age keep the time that is stored.
    for (name, value) in values where value.maxAge != nil { values[name]?.updated = value.updated &+ distance }
  }

  /// Removes the profile at an index if its monitor is unplugged and it has no stored state.
  mutating func removeIfStateless(_ index: Int) {
    if allProfiles[index].display == nil && !hasStoredState(allProfiles[index]) { allProfiles.remove(at: index) }
  }

  /// Returns whether a monitor's profile has stored state, including its own message.
  func hasStoredState(_ profile: MonitorProfile) -> Bool {
    profile.hasStoredState || allMessages.contains { $0.profile == profile.id }
  }

  /// Returns whether one monitor was last seen before another.
  private static func isBefore(_ one: MonitorProfile, _ other: MonitorProfile) -> Bool {
    (one.lastSeen, one.id) < (other.lastSeen, other.id)
  }

  /// Returns the index of the most recently seen profile among the unplugged monitors with this identity.
  private func absent(_ monitor: String, where isWanted: (MonitorProfile) -> Bool) -> Int? {
    allProfiles.indices.filter {
      allProfiles[$0].display == nil && allProfiles[$0].monitor == monitor && isWanted(allProfiles[$0])
    }
    .max { Self.isBefore(allProfiles[$0], allProfiles[$1]) }
  }

  private mutating func begin(_ arrival: Arrival, at now: Int64) -> Int {
    allProfiles.append(
      MonitorProfile(id: last.nextProfile(), monitor: arrival.monitor, place: arrival.place, lastSeen: now))
    return allProfiles.count - 1
  }

  private mutating func bring(_ index: Int, to arrival: Arrival, at now: Int64) {
    defer { removeIfStateless(index) }
    guard profile(on: arrival.display) == nil else { return }
    (allProfiles[index].display, allProfiles[index].place) = (arrival.display, arrival.place)
    (allProfiles[index].role, allProfiles[index].tags) = (arrival.role, arrival.tags)
    allProfiles[index].label = arrival.label ?? allProfiles[index].label
    allProfiles[index].lastSeen = now
    for place in allMessages.indices where allMessages[place].profile == allProfiles[index].id {
      allMessages[place].target = .display(arrival.display)
    }
  }
}
