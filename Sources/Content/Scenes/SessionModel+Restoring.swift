extension SessionModel {
  /// Returns the model that a set of records was written from, with all monitors unplugged until they are attached
  /// again.
  ///
  /// Monitors that were attached at the end are treated as last seen now. A record that cannot be read is skipped. It
  /// stays in storage, and its number is not reused.
  ///
  /// - Parameters:
  ///   - records: Records of any kind, in any order; unknown kinds are ignored.
  ///   - now: The current time, in milliseconds since 1970.
  /// - Returns: The model, the changes from the given records to its current ones, and a sentence for each skipped
  ///   record.
  package static func restored(
    from records: [Record], at now: Int64
  ) -> (store: SessionModel, changes: [RecordChange], warnings: [String]) {
    var restoration = Restoration()
    for record in records {
      restoration.count(record)
      restoration.restoreBoard(from: record)
      restoration.restoreEntry(from: record)
      restoration.restoreValue(from: record)
    }
    restoration.each(in: records) { (store, profile: MonitorProfile) in store.allProfiles.append(profile) }
    restoration.each(in: records) { (store, kept: StoredSession) throws(RecordError) in try store.add(kept) }
    restoration.each(in: records) { (store, message: Message) throws(RecordError) in try store.add(message) }
    restoration.each(in: records) { (store, kept: StoredClosedSession) in store.closed.append(kept.closed) }
    restoration.store.closed.sort { ($0.ended, $0.id) < ($1.ended, $1.id) }
    var store = restoration.store
    store.skipPause(before: now)
    for profile in store.allProfiles { if let display = profile.display { store.detach(display, at: now) } }
    return (store, changes(from: restoration.store, to: store), restoration.warnings)
  }

  /// Replaces the model by another one, such as that of a backup, and attaches monitors to it.
  ///
  /// Numbers that were assigned in either model are not assigned again.
  ///
  /// - Parameters:
  ///   - model: The other model, without attached monitors.
  ///   - arrivals: The monitors that are connected.
  ///   - now: The current time, in milliseconds since 1970.
  package mutating func replace(by model: SessionModel, with arrivals: [Arrival], at now: Int64) {
    let former = self
    self = model
    last.profile = max(last.profile, former.last.profile)
    last.number = max(last.number, former.last.number)
    // Values with a maximum age are in no backup: their sources repeat them.
    for (name, value) in former.values where value.maxAge != nil { values[name] = value }
    attach(arrivals, at: now)
    expire(at: now)
  }

  /// Shifts stored times if the clock differs from all of them by more than 30 days.
  ///
  /// The machine was off, or its clock is wrong: a clock in the year 2200 would expire all unplugged monitors and their
  /// sessions. A clock before the year 2025 is not set yet. It changes nothing, so that the stored times are still
  /// intact at the next start with a correct clock.
  ///
  /// - Parameter now: The current time, in milliseconds since 1970.
  private mutating func skipPause(before now: Int64) {
    let times = allProfiles.map(\.lastSeen) + sessions.map(\.raised) + allMessages.map(\.changed)
    guard let newest = times.max(), now > Self.year2025 else { return }
    let distance = now &- newest
    if distance.magnitude > 30 * 86_400_000 { setClock(by: distance, to: now, timed: []) }
  }

  /// The beginning of 2025, in milliseconds since 1970.
  private static let year2025: Int64 = 1_735_689_600_000

  fileprivate mutating func add(_ kept: StoredSession) throws(RecordError) {
    guard let id = kept.profile else {
      let isTaken = kept.display != nil && reservations.contains { $0.display == kept.display }
      if isTaken { throw RecordError(reason: "another session is waiting for its display") }
      return reservations.append(Reservation(display: kept.display, session: kept.session))
    }
    guard let index = allProfiles.firstIndex(where: { $0.id == id }) else {
      throw RecordError(reason: "its monitor profile \(id), cannot be read")
    }
    if allProfiles[index].session != nil { throw RecordError(reason: "its monitor has another session") }
    allProfiles[index].session = kept.session
  }

  fileprivate mutating func add(_ message: Message) throws(RecordError) {
    if let name = message.name, self.message(named: name) != nil {
      throw RecordError(reason: "another message has the name \(name)")
    }
    if let profile = message.profile {
      guard allProfiles.contains(where: { $0.id == profile }) else {
        throw RecordError(reason: "its monitor profile \(profile), cannot be read")
      }
      if allMessages.contains(where: { $0.profile == profile }) {
        throw RecordError(reason: "its monitor has another message of its own")
      }
    }
    allMessages.append(message)
  }
}

/// A model that is being restored from records.
private struct Restoration {
  var store = SessionModel()
  var warnings: [String] = []

  /// Advances the number counters past a record, readable or not, so that no number is assigned twice.
  mutating func count(_ record: Record) {
    switch record.kind {
    case MonitorProfile.kind: store.last.profile = max(store.last.profile, number(record) ?? 0)
    case StoredSession.kind, StoredClosedSession.kind, Message.kind:
      store.last.number = max(store.last.number, number(record) ?? 0)
    case SessionModel.LastNumbers.kind:
      attempt(record) { store, fields throws(RecordError) in
        store.last.profile = max(store.last.profile, try fields.number("profile"))
        store.last.number = max(store.last.number, try fields.number("number"))
      }
    default: break
    }
  }

  mutating func restoreBoard(from record: Record) {
    guard record.kind == BoardRecord.kind else { return }
    attempt(record) { store, fields throws(RecordError) in store.board = try BoardRecord(fields).board }
  }

  mutating func restoreEntry(from record: Record) {
    guard record.kind == LibraryRecord.kind else { return }
    attempt(record) { store, fields throws(RecordError) in
      store.library[record.key] = try LibraryRecord(name: record.key, fields).entry
    }
  }

  mutating func restoreValue(from record: Record) {
    guard record.kind == ValueRecord.kind else { return }
    attempt(record) { store, fields throws(RecordError) in
      store.values[record.key] = try ValueRecord(name: record.key, fields).value
    }
  }

  /// Adds all parts of one kind, by number.
  mutating func each<Part: Recorded>(
    in records: [Record], add: (inout SessionModel, Part) throws(RecordError) -> Void
  ) {
    let ours = records.filter { $0.kind == Part.kind }.sorted { (number($0) ?? 0) < (number($1) ?? 0) }
    var known: Set<Int> = []
    for record in ours {
      attempt(record) { [self] store, fields throws(RecordError) in
        guard let id = number(record), known.insert(id).inserted else {
          throw RecordError(reason: "its key must be a number, and unique")
        }
        try add(&store, try Part(id: id, fields))
      }
    }
  }

  private mutating func attempt(
    _ record: Record, _ act: (inout SessionModel, RecordFields) throws(RecordError) -> Void
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
