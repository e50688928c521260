extension Store {
  /// The store that these records were written of, with no monitor plugged in: they announce themselves again. Those
  /// that were there at the end count as seen just now.
  ///
  /// What cannot be read is left out, and never removed from where it is kept, nor is its number given again.
  ///
  /// - Parameters:
  ///   - records: Of any kinds, in any order; others' are passed over.
  ///   - now: Milliseconds since 1970.
  /// - Returns: The store, the steps from its records to what they are from now on, and a sentence for each that is
  ///   left out.
  public static func restored(
    from records: [Record], at now: Int64
  ) -> (store: Store, changes: [RecordChange], warnings: [String]) {
    var restoration = Restoration()
    for record in records {
      restoration.count(record)
      restoration.restoreBoard(from: record)
    }
    restoration.each(in: records) { (store, seat: Seat) in store.allSeats.append(seat) }
    restoration.each(in: records) { (store, kept: KeptSession) throws(RecordError) in try store.add(kept) }
    restoration.each(in: records) { (store, message: Message) throws(RecordError) in try store.add(message) }
    restoration.each(in: records) { (store, kept: KeptClosed) in store.closed.append(kept.closed) }
    restoration.store.closed.sort { ($0.ended, $0.id) < ($1.ended, $1.id) }
    var store = restoration.store
    store.skipPause(before: now)
    for seat in store.allSeats { if let display = seat.display { store.detach(display, at: now) } }
    return (store, changes(from: restoration.store, to: store), restoration.warnings)
  }

  /// More than 30 days from all that is kept, no time counts as passed: the machine was off, or its clock is wrong. A
  /// clock in the year 2200 would have all monitors forgotten that are away, with their sessions.
  ///
  /// A clock that is before the year 2025 knows no time yet, and forgets nothing either: times are left as they are for
  /// the start at which it is right.
  private mutating func skipPause(before now: Int64) {
    let times = allSeats.map(\.lastSeen) + sessions.map(\.raised) + allMessages.map(\.changed)
    guard let newest = times.max(), now > Self.year2025 else { return }
    let distance = now &- newest
    if distance.magnitude > 30 * 86_400_000 { setClock(by: distance, to: now, timed: []) }
  }

  /// In milliseconds since 1970.
  private static let year2025: Int64 = 1_735_689_600_000

  fileprivate mutating func add(_ kept: KeptSession) throws(RecordError) {
    guard let id = kept.seat else {
      let isTaken = kept.display != nil && reservations.contains { $0.display == kept.display }
      if isTaken { throw RecordError(reason: "another session waits for its display") }
      return reservations.append(Reservation(display: kept.display, session: kept.session))
    }
    guard let index = allSeats.firstIndex(where: { $0.id == id }) else {
      throw RecordError(reason: "its monitor, seat \(id), could not be read")
    }
    if allSeats[index].session != nil { throw RecordError(reason: "its monitor has another session") }
    allSeats[index].session = kept.session
  }

  fileprivate mutating func add(_ message: Message) throws(RecordError) {
    if let name = message.name, self.message(named: name) != nil {
      throw RecordError(reason: "another message is called \(name)")
    }
    if let seat = message.seat {
      guard allSeats.contains(where: { $0.id == seat }) else {
        throw RecordError(reason: "its monitor, seat \(seat), could not be read")
      }
      if allMessages.contains(where: { $0.seat == seat }) {
        throw RecordError(reason: "its monitor has another message of its own")
      }
    }
    allMessages.append(message)
  }
}

/// A store on its way back from records.
private struct Restoration {
  var store = Store()
  var warnings: [String] = []

  /// Sees to it that no number is given twice, readable or not.
  mutating func count(_ record: Record) {
    switch record.kind {
    case Seat.kind: store.last.seat = max(store.last.seat, number(record) ?? 0)
    case KeptSession.kind, KeptClosed.kind, Message.kind:
      store.last.number = max(store.last.number, number(record) ?? 0)
    case Store.LastNumbers.kind:
      attempt(record) { store, fields throws(RecordError) in
        store.last.seat = max(store.last.seat, try fields.number("seat"))
        store.last.number = max(store.last.number, try fields.number("number"))
      }
    default: break
    }
  }

  mutating func restoreBoard(from record: Record) {
    guard record.kind == BoardRecord.kind else { return }
    attempt(record) { store, fields throws(RecordError) in store.board = try BoardRecord(fields).board }
  }

  /// Adds all parts of one kind, by number.
  mutating func each<Part: Recorded>(
    in records: [Record], add: (inout Store, Part) throws(RecordError) -> Void
  ) {
    let ours = records.filter { $0.kind == Part.kind }.sorted { (number($0) ?? 0) < (number($1) ?? 0) }
    var known: Set<Int> = []
    for record in ours {
      attempt(record) { [self] store, fields throws(RecordError) in
        guard let id = number(record), known.insert(id).inserted else {
          throw RecordError(reason: "its key must be a number that no other has")
        }
        try add(&store, try Part(id: id, fields))
      }
    }
  }

  private mutating func attempt(
    _ record: Record, _ act: (inout Store, RecordFields) throws(RecordError) -> Void
  ) {
    do throws(RecordError) {
      try act(&store, try RecordFields(record))
    } catch {
      warnings.append("the \(record.kind) \(record.key) cannot be read and is left out: \(error.reason)")
    }
  }

  private func number(_ record: Record) -> Int? {
    Int(record.key).flatMap { (1..<RecordFields.greatest).contains($0) ? $0 : nil }
  }
}
