import Ordering

extension Store {
  /// How long monitors that are gone are remembered.
  public struct Retention: Hashable, Sendable {
    /// Milliseconds since they were last seen.
    public var milliseconds: Int64
    /// Most of them; the oldest go first. Those with a session or a choice neither go nor make others stay: `mostSessions`
    /// and `mostChoices` bound them.
    public var seats: Int

    /// 90 days and 256 monitors, unless told otherwise.
    public init(milliseconds: Int64 = 90 * 86_400_000, seats: Int = 256) {
      self.milliseconds = milliseconds
      self.seats = seats
    }
  }

  /// All seats, those on a display first, by its name; then those of monitors that are gone, the newest first.
  public var seats: [Seat] {
    let shown = allSeats.filter { $0.display != nil }.naturallySorted { $0.display ?? "" }
    return shown + allSeats.filter { $0.display == nil }.sorted { Self.isBefore($1, $0) }
  }

  /// The seat on a display; nil where nothing is plugged in.
  public func seat(on display: String) -> Seat? { allSeats.first { $0.display == display } }

  /// Brings the seats of these monitors to their displays, or begins new ones. Then what was opened while there was no
  /// monitor for it comes there.
  ///
  /// Twins keep to their ports; one that comes on a port of nobody's takes the seat that was let go of last. Of two
  /// arrivals on one display the first counts.
  public mutating func attach(_ arrivals: [Arrival], at now: Int64) {
    for arrival in arrivals { detach(arrival.display, at: now) }
    let strays = arrivals.filter { arrival in
      let own = absent(arrival.monitor) { $0.place == arrival.place }
      if let own { bring(own, to: arrival, at: now) }
      return own == nil
    }
    for arrival in strays {
      bring(absent(arrival.monitor) { _ in true } ?? begin(arrival, at: now), to: arrival, at: now)
    }
    seatReserved()
    seatOwnMessages()
  }

  /// The monitor of this display is gone; its seat stays, if there is anything to remember.
  public mutating func detach(_ display: String, at now: Int64) {
    guard let index = allSeats.firstIndex(where: { $0.display == display }) else { return }
    allSeats[index].display = nil
    allSeats[index].lastSeen = now
    dropWorthless(index)
  }

  /// Sets what the settings say of the monitor on a display. Nothing happens where nothing is plugged in.
  public mutating func setTags(_ tags: [String], role: String, on display: String) {
    guard let index = allSeats.firstIndex(where: { $0.display == display }) else { return }
    allSeats[index].tags = tags
    allSeats[index].role = role
  }

  /// Sends the monitor on a display to sleep, or wakes it. False where nothing is plugged in.
  @discardableResult
  public mutating func setAsleep(_ isAsleep: Bool, on display: String) -> Bool {
    guard let index = allSeats.firstIndex(where: { $0.display == display }) else { return false }
    allSeats[index].isAsleep = isAsleep
    return true
  }

  /// Wakes the monitors that are away: whoever wakes all does not mean to leave dark the one that is just unplugged, or
  /// that dropped off because it slept.
  public mutating func wakeAbsent() {
    for index in allSeats.indices.reversed() where allSeats[index].display == nil && allSeats[index].isAsleep {
      allSeats[index].isAsleep = false
      dropWorthless(index)
    }
  }

  /// Chooses for the monitor on a display what the settings would say otherwise; an empty choice leaves it to them. False
  /// where nothing is plugged in.
  @discardableResult
  public mutating func choose(_ choice: MonitorChoice, on display: String) -> Bool {
    guard let index = allSeats.firstIndex(where: { $0.display == display }) else { return false }
    allSeats[index].choice = choice
    return true
  }

  /// Forgets monitors that are long gone, with their sessions. What is on a display stays, and so do sessions that wait
  /// for a monitor. Of too many monitors, those are forgotten that only were to stay asleep.
  ///
  /// - Returns: The numbers of the sessions that ended, by number.
  @discardableResult
  public mutating func prune(at now: Int64, keeping retention: Retention = Retention()) -> [Int] {
    let before = Set(sessions.map(\.id))
    let oldest = now &- retention.milliseconds
    allSeats.removeAll { $0.display == nil && $0.lastSeen < oldest }
    let sleepers = seats.filter { seat in
      seat.display == nil && seat.session == nil && seat.choice.isEmpty && !allMessages.contains { $0.seat == seat.id }
    }
    let forgotten = Set(sleepers.dropFirst(max(0, retention.seats)).map(\.id))
    allSeats.removeAll { forgotten.contains($0.id) }
    let remembered = Set(allSeats.map(\.id))
    allMessages.removeAll { message in message.seat.map { !remembered.contains($0) } ?? false }
    return before.subtracting(sessions.map(\.id)).sorted()
  }

  /// Takes in that the clock was set, and no time passed: what is away was away for as long as before, and messages that
  /// were to end some time from when they were posted end so.
  ///
  /// - Parameters:
  ///   - distance: By how many milliseconds.
  ///   - now: What it says from now on, in milliseconds since 1970.
  ///   - timed: The messages of which only the time until their end is known; others end at their moment.
  public mutating func setClock(by distance: Int64, to now: Int64, timed: Set<Int>) {
    let shift = { (time: Int64) in distance > 0 ? max(time, min(time &+ distance, now)) : min(time, now) }
    for index in allSeats.indices where allSeats[index].display == nil {
      allSeats[index].lastSeen = shift(allSeats[index].lastSeen)
    }
    for index in allMessages.indices where timed.contains(allMessages[index].id) {
      if let expires = allMessages[index].expires { allMessages[index].expires = expires &+ distance }
    }
  }

  /// Forgets the seat there, if its monitor is gone and there is nothing to remember.
  mutating func dropWorthless(_ index: Int) {
    if allSeats[index].display == nil && !isWorthKeeping(allSeats[index]) { allSeats.remove(at: index) }
  }

  /// Whether there is anything to remember of the monitor.
  func isWorthKeeping(_ seat: Seat) -> Bool { seat.isWorthKeeping || allMessages.contains { $0.seat == seat.id } }

  /// Whether one seat was let go of before another.
  private static func isBefore(_ one: Seat, _ other: Seat) -> Bool {
    (one.lastSeen, one.id) < (other.lastSeen, other.id)
  }

  /// The place of the seat of such a monitor that was let go of last.
  private func absent(_ monitor: String, where isWanted: (Seat) -> Bool) -> Int? {
    allSeats.indices.filter { allSeats[$0].display == nil && allSeats[$0].monitor == monitor && isWanted(allSeats[$0]) }
      .max { Self.isBefore(allSeats[$0], allSeats[$1]) }
  }

  private mutating func begin(_ arrival: Arrival, at now: Int64) -> Int {
    allSeats.append(Seat(id: last.nextSeat(), monitor: arrival.monitor, place: arrival.place, lastSeen: now))
    return allSeats.count - 1
  }

  private mutating func bring(_ index: Int, to arrival: Arrival, at now: Int64) {
    defer { dropWorthless(index) }
    guard seat(on: arrival.display) == nil else { return }
    (allSeats[index].display, allSeats[index].place) = (arrival.display, arrival.place)
    (allSeats[index].role, allSeats[index].tags) = (arrival.role, arrival.tags)
    allSeats[index].label = arrival.label ?? allSeats[index].label
    allSeats[index].lastSeen = now
    for place in allMessages.indices where allMessages[place].seat == allSeats[index].id {
      allMessages[place].target = .display(arrival.display)
    }
  }
}
