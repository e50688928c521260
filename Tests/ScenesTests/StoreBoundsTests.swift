import Scenes
import Testing

/// A full session model rejects additions, and nothing that was accepted ends to make room.
struct StoreBoundsTests {
  private func excess(_ store: SessionModel, _ change: (inout SessionModel) throws -> Void) rethrows
    -> SessionModelError?
  {
    var changed = store
    try change(&changed)
    return SessionModel.excess(from: store, to: changed)
  }

  @Test func `A message over the limit is rejected at any priority, but a replacement is accepted`() throws {
    var store = SessionModel()
    for number in 0..<SessionModel.mostMessages {
      #expect(try excess(store) { try $0.post(.banner(""), name: "\(number)", priority: -1, at: 1) } == nil)
      try store.post(.banner(""), name: "\(number)", priority: -1, at: 1)
    }
    #expect(try excess(store) { try $0.post(.banner(""), priority: 100, at: 2) } == .full(.messages))
    #expect(try excess(store) { try $0.post(.banner("other"), name: "7", at: 2) } == nil)
    try store.withdraw(store.messages[0].id)
    #expect(try excess(store) { try $0.post(.banner(""), at: 2) } == nil)
    #expect(
      "\(SessionModelError.full(.messages))".contains("1000")
        && "\(SessionModelError.full(.messages))".contains("withdraw"))
  }

  @Test func `A session over the limit is rejected, but a replacement is accepted`() {
    var store = SessionModel()
    for number in 0..<SessionModel.mostSessions { store.open(.banner("\(number)"), on: "DP-\(number)", at: 1) }
    #expect(excess(store) { $0.open(.banner("more"), on: "DP-1000", at: 2) } == .full(.sessions))
    #expect(excess(store) { $0.open(.banner("other"), on: "DP-7", at: 2) } == nil)
    #expect(excess(store) { $0.attach([Arrival(display: "DP-7", monitor: "A", place: "7")], at: 2) } == nil)
  }

  @Test func `A mode choice over the limit is rejected, because absent monitors count`() {
    var store = SessionModel()
    let choice = MonitorChoice(mode: "native", rotation: nil)
    for number in 0...SessionModel.mostChoices {
      store.attach([Arrival(display: "DP-1", monitor: "\(number)", place: "1")], at: 1)
      if number < SessionModel.mostChoices {
        store.choose(choice, on: "DP-1")
        store.detach("DP-1", at: 1)
      }
    }
    #expect(excess(store) { $0.choose(choice, on: "DP-1") } == .full(.choices))
    #expect(excess(store) { $0.choose(MonitorChoice(), on: "DP-1") } == nil)
  }

  @Test func `Messages and sessions share a byte limit, and smaller content frees space`() throws {
    var store = SessionModel()
    let large = Scene.banner(String(repeating: "x", count: SceneBounds.text))
    let count = SessionModel.mostBytes / SceneBounds.text - 1
    for number in 0..<count {
      if number % 2 == 0 { try store.post(large, at: 1) } else { store.open(large, on: "DP-\(number)", at: 1) }
    }
    #expect(try excess(store) { try $0.post(large, at: 2) } == .full(.bytes))
    #expect(excess(store) { $0.open(large, on: "DP-0", at: 2) } == .full(.bytes))
    #expect(try excess(store) { try $0.post(.banner("small"), at: 2) } == nil)
    let session = try #require(store.sessions.first)
    try store.edit(session.id, to: .banner("small"))
    #expect(try excess(store) { try $0.edit(session.id, to: large) } == nil)
    #expect(excess(store) { $0.open(large, on: "DP-0", at: 2) } == nil)
  }

  @Test func `State from before the limits is restored and can only shrink`() throws {
    let text = String(repeating: "x", count: 1 << 20)
    let records = (1...20).map { number in
      Record(
        kind: "message", key: "\(number)",
        json: #"{"changed":1,"created":1,"needs_acknowledgement":false,"priority":0,"#
          + #""scene":{"kind":"banner","text":"\#(text)"},"target":"all","v":1}"#)
    }
    let (store, changes, warnings) = SessionModel.restored(from: records, at: 2)
    #expect(warnings == [] && store.messages.count == 20 && store.messages[0].scene == .banner(text))
    #expect(changes == [])
    #expect(try excess(store) { try $0.withdraw(1) } == nil)
    #expect(try excess(store) { try $0.post(.banner("more"), at: 3) } == .full(.bytes))
  }

  // MARK: Absent monitors

  @Test func `If there are too many monitors, only absent ones that merely sleep are forgotten`() {
    var store = SessionModel()
    for number in 0..<10 {
      store.attach([Arrival(display: "DP-1", monitor: "\(number)", place: "1")], at: 1)
      switch number {
      case 0, 5: store.open(.banner("text"), on: "DP-1", at: 1)
      case 1: store.choose(MonitorChoice(mode: "native", rotation: nil), on: "DP-1")
      default: store.setAsleep(true, on: "DP-1")
      }
      store.detach("DP-1", at: Int64(number))
    }
    #expect(store.prune(at: 1004, keeping: .init(milliseconds: 2000, profiles: 2)) == [])
    #expect(store.profiles.map(\.monitor) == ["9", "8", "5", "1", "0"])
  }

  @Test(arguments: [84_006 * 86_400_000, 20_600 * 86_400_000 + 365 * 86_400_000, 1000] as [Int64])
  func `A start with a wrong clock forgets no monitor and no session`(now: Int64) throws {
    let day: Int64 = 86_400_000
    let today = 20_600 * day
    var store = SessionModel()
    store.attach([Arrival(display: "DP-1", monitor: "A", place: "1")], at: today)
    store.open(.banner("away"), on: "DP-1", at: today)
    store.detach("DP-1", at: today - day)
    store.open(.banner("waiting"), on: "DP-2", at: today)
    var records = Dictionary(uniqueKeysWithValues: SessionModel.changes(from: SessionModel(), to: store).map(Self.kept))
    for time in [now, now + day, today + day] {
      let restored = SessionModel.restored(from: Array(records.values), at: time)
      store = restored.store
      #expect(store.prune(at: time) == [], "at \(time)")
      for change in restored.changes { records[Self.kept(change).0] = Self.kept(change).1 }
    }
    #expect(store.sessions.count == 2)
    #expect(store.prune(at: today + 100 * day).count == 1, "the session is forgotten after the time limit")
  }

  private static func kept(_ change: RecordChange) -> (String, Record) {
    switch change {
    case .put(let record): (record.kind + record.key, record)
    case .remove(let kind, let key): (kind + key, Record(kind: "none", key: "", json: ""))
    }
  }
}
