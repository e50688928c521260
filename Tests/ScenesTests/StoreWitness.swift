import Scenes

/// Lets steps happen to a store, and keeps a book of its own of what must be true then.
struct StoreWitness {
  private(set) var store = Store()
  /// What is wrong first.
  private(set) var fault: String?
  private var now: Int64 = 1_000_000
  private var step = 0
  /// The steps in which what lives was raised or posted last, by number.
  private var news: [Int: Int] = [:]
  /// All numbers that were ever given.
  private var given: Set<Int> = []
  /// How many monitors of an identity are asleep.
  private var sleepers: [String: Int] = [:]
  /// What was chosen for monitors of an identity, and how often.
  private var choices: [String: [MonitorChoice: Int]] = [:]
  private var saved = Store()
  private var records: [String: Record] = [:]

  /// Lets a step happen, and looks.
  mutating func see(_ next: StoreStep) {
    step += 1
    let before = store
    switch next {
    case .plug, .swap, .unplug, .sleep, .choose, .prune: change(next)
    case .open, .close, .move, .scroll, .edit: stage(next)
    case .board(let number): draw(number)
    case .post, .withdraw, .acknowledge, .wait: tell(next)
    case .restart: restart()
    }
    if store == before { return }
    checkSessions(before, next)
    checkSeats()
    checkShown(on: StoreStep.displays[step % StoreStep.displays.count])
  }

  private mutating func must(_ isTrue: Bool, _ what: @autoclosure () -> String) {
    if !isTrue && fault == nil { fault = what() }
  }

  private func arrival(_ display: String, _ monitor: String) -> Arrival {
    Arrival(
      display: display, monitor: monitor, place: display, role: monitor == "I" ? "internal" : "external",
      tags: [monitor])
  }

  private mutating func change(_ step: StoreStep) {
    switch step {
    case .plug(let display, let monitor):
      // A monitor without a twin is in one place.
      let elsewhere = store.seats.filter { $0.monitor == monitor }.compactMap(\.display)
      if monitor != "T" { for other in elsewhere { store.detach(other, at: now) } }
      store.attach([arrival(display, monitor)], at: now)
    case .swap(let one, let other):
      let pairs = [(one, store.seat(on: other)), (other, store.seat(on: one))]
      for (display, _) in pairs { store.detach(display, at: now) }
      store.attach(pairs.compactMap { display, seat in seat.map { arrival(display, $0.monitor) } }, at: now)
    case .unplug(let display): store.detach(display, at: now)
    case .sleep(let display, let isAsleep):
      guard let seat = store.seat(on: display) else {
        return must(!store.setAsleep(isAsleep, on: display), "nothing sleeps there")
      }
      store.setAsleep(isAsleep, on: display)
      if seat.isAsleep != isAsleep { sleepers[seat.monitor, default: 0] += isAsleep ? 1 : -1 }
    case .choose(let display, let choice):
      let seat = store.seat(on: display)
      must(store.choose(choice, on: display) == (seat != nil), "something is chosen just where a monitor is")
      guard let seat else { return }
      count(seat.choice, of: seat.monitor, by: -1)
      count(choice, of: seat.monitor, by: 1)
    case .prune(let seats):
      let absent = store.seats.filter { $0.display == nil && $0.session == nil && $0.choice.isEmpty }
      let ended = store.prune(at: now, keeping: Store.Retention(milliseconds: .max, seats: seats))
      for seat in absent.dropFirst(seats) where seat.isAsleep { sleepers[seat.monitor, default: 0] -= 1 }
      must(ended.isEmpty, "no session ends because there are too many monitors")
    default: break
    }
  }

  /// What was not chosen is not counted.
  private mutating func count(_ choice: MonitorChoice, of monitor: String, by number: Int) {
    if !choice.isEmpty { choices[monitor, default: [:]][choice, default: 0] += number }
  }

  private mutating func stage(_ next: StoreStep) {
    switch next {
    case .open(let number, let tag, let display):
      let isMeant = { (session: Session) in
        tag.map { session.tag == $0 } ?? (session.tag == nil && session.scene == scene(number))
      }
      // A card is open once, wherever that is.
      let isAnywhere = display == nil || tag == "card:a"
      let known = isAnywhere ? store.sessions : display.flatMap { store.session(on: $0) }.map { [$0] } ?? []
      let opened = store.open(scene(number), tag: tag, on: display, at: now)
      must(known.contains(where: isMeant) == given.contains(opened.id), "only what is meant is brought forward")
      must(store.session(opened.id)?.scene == scene(number), "a scene that is opened is there")
      if let display { must(store.session(on: display)?.id == opened.id, "a scene is opened where it should be") }
      news[opened.id] = step
      given.insert(opened.id)
    case .close(let id): refuse(id, store.session(id) == nil) { store throws(StoreError) in try store.close(id) }
    case .move(let id, let display):
      let isThere = store.session(id) != nil
      refuse(id, !isThere) { [now] store throws(StoreError) in try store.move(id, to: display, at: now) }
      if isThere { news[id] = step }
      must(!isThere || store.session(on: display)?.id == id, "a session is where it was moved to")
    case .scroll(let id):
      refuse(id, store.session(id) == nil) { [step] store throws(StoreError) in
        try store.scroll(id, to: .share(Double(step) / 60))
      }
    case .edit(let id, let number):
      let known = store.session(id)
      let scene = scene(number)
      refuse(id, known == nil) { store throws(StoreError) in try store.edit(id, to: scene) }
      guard let known, let edited = store.session(id) else { return }
      must(edited.scene == scene && edited.raised == known.raised, "an edit changes the scene, and nothing else")
      must(edited.place == (known.scene.kind == scene.kind ? known.place : .start), "what stays of a kind stays there")
    default: break
    }
  }

  private mutating func tell(_ next: StoreStep) {
    switch next {
    case .post(let number, let name, let target, let priority, let seconds, let acknowledge):
      let known = name.flatMap { store.message(named: $0)?.id }
      let posted = try? store.post(
        scene(number), to: target, name: name, priority: priority, expires: seconds.map { now + $0 * 1000 },
        needsAcknowledgement: acknowledge, at: now)
      must((posted == nil) == (seconds == 0), "what is over at once is refused")
      guard let posted else { return }
      must(known.map { $0 == posted.id } ?? !given.contains(posted.id), "a name keeps its number")
      news[posted.id] = step
      given.insert(posted.id)
    case .withdraw(let id): refuse(id, store.message(id) == nil) { store throws(StoreError) in try store.withdraw(id) }
    case .acknowledge(let id):
      let isAwaited = store.message(id)?.needsAcknowledgement
      refuse(id, isAwaited == nil) { [now] store throws(StoreError) in try store.acknowledge(id, at: now) }
      must(isAwaited != true || store.message(id) == nil, "what is acknowledged is over")
    case .wait(let milliseconds):
      now += milliseconds
      let due = store.messages.filter { ($0.expires ?? .max) <= now }.map(\.id).sorted()
      must(store.expire(at: now).map(\.id) == due, "what is over ends, and nothing else")
      must(store.nextExpiry.map { $0 > now } ?? true, "the next end is to come")
    default: break
    }
  }

  /// Odd ones are cards.
  private func scene(_ number: Int) -> Scene {
    number % 2 == 0 ? .banner("\(number)") : Scene(.card(Card(title: "\(number)")))
  }

  /// A card that changes on the board changes where it is open, too, and ends with its card; nothing else does.
  private mutating func draw(_ number: Int) {
    let before = store
    let cards = number == 0 ? [] : [Card(id: "a", title: "\(number)")]
    let board = Board(columns: [Board.Column(cards: cards + [Card(id: "a-2", title: "a")])])
    must((try? store.setBoard(Scene(.board(board)))) != nil, "a board is a board")
    for session in store.sessions {
      let old = before.session(session.id)
      let isOpen = number != 0 && session.tag == "card:a" && old?.scene.kind == "card" && store.board != before.board
      let expected = isOpen ? Scene(.card(Card(id: "a", title: "\(number)"))) : old?.scene
      must(session.scene == expected, "\(session.id) follows the board where it should")
    }
  }

  /// What does not exist is refused, and what does not is done.
  private mutating func refuse<Result>(
    _ id: Int, _ isUnknown: Bool, _ act: (inout Store) throws(StoreError) -> Result
  ) {
    let before = store
    let result = try? act(&store)
    must((result == nil) == isUnknown, "\(id) is refused just where it is unknown")
    must(!isUnknown || store == before, "nothing is done to what is unknown")
  }

  private mutating func restart() {
    write(Store.changes(from: saved, to: store))
    let (restored, changes, warnings) = Store.restored(from: Array(records.values), at: now)
    for seat in store.seats { if let display = seat.display { store.detach(display, at: now) } }
    must(restored == store && warnings.isEmpty, "a store is restored as it was: \(warnings)")
    write(changes)
    store = restored
    saved = restored
  }

  private mutating func write(_ changes: [RecordChange]) {
    for change in changes {
      switch change {
      case .put(let record): records[record.kind + record.key] = record
      case .remove(let kind, let key):
        must(records.removeValue(forKey: kind + key) != nil, "only what was written is removed")
      }
    }
  }

  /// A session ends only by being closed or pruned, or when another comes in its place.
  private mutating func checkSessions(_ before: Store, _ step: StoreStep) {
    var ids: Set<Int> = []
    must(store.sessions.count { $0.tag == "card:a" } <= 1, "a card is open once")
    for session in store.sessions { must(ids.insert(session.id).inserted, "no session is doubled") }
    for lost in before.sessions where !ids.contains(lost.id) {
      switch step {
      case .close(let id): must(id == lost.id, "closing \(id) ended \(lost.id)")
      case .open(_, _, let display):
        let seat = display == nil ? before.seat(of: lost.id)?.display : display
        must(seat != nil && before.session(on: seat ?? "")?.id == lost.id, "opening ended \(lost.id)")
      case .move(_, let display): must(before.session(on: display)?.id == lost.id, "moving ended \(lost.id)")
      case .board(let number): must(number == 0 && lost.tag == "card:a", "the board ended \(lost.id)")
      case .plug, .swap: must(!before.reservations.isEmpty, "plugging ended \(lost.id)")
      default: must(false, "\(step) ended \(lost.id)")
      }
    }
  }

  private mutating func checkSeats() {
    var displays: Set<String> = []
    var asleep: [String: Int] = [:]
    for seat in store.seats {
      if let display = seat.display { must(displays.insert(display).inserted, "a display has one seat") }
      must(
        seat.display != nil || seat.session != nil || seat.isAsleep || !seat.choice.isEmpty,
        "a seat that is kept has a reason")
      if seat.isAsleep { asleep[seat.monitor, default: 0] += 1 }
    }
    for reserved in store.reservations {
      must(reserved.display.map { !displays.contains($0) } ?? displays.isEmpty, "who waits for a monitor has none")
      let rivals = store.reservations.filter { $0.display == reserved.display }
      must(reserved.display == nil || rivals.count == 1, "one session waits for a display")
    }
    for (monitor, counts) in choices {
      let seats = store.seats.filter { $0.monitor == monitor && !$0.choice.isEmpty }
      let found = Dictionary(grouping: seats, by: \.choice).mapValues(\.count)
      must(found == counts.filter { $0.value != 0 }, "what was chosen for \(monitor) is what it has")
    }
    for (monitor, count) in sleepers {
      must(asleep[monitor, default: 0] == count, "\(monitor) sleeps as it was told")
    }
  }

  /// The rule as people say it: the highest priority, then the newest word.
  private mutating func checkShown(on display: String) {
    let seat = store.seat(on: display)
    let session = store.session(on: display)
    let fallback = Scene(.blank)
    var best: (priority: Int, news: Int, source: Shown.Source, scene: Scene) = (-1000, 0, .fallback, fallback)
    if let session { best = (0, news[session.id] ?? 0, .session(session.id), session.scene) }
    for message in store.messages.reversed() {
      let isConcerned =
        switch message.target {
        case .all: true
        case .role(let role): seat != nil && (role == "internal") == (seat?.monitor == "I")
        case .display(let name): name == display
        case .tag(let tag): session?.tag == tag || seat?.monitor == tag
        }
      let time = news[message.id] ?? 0
      if isConcerned && (best.priority, best.news) < (message.priority, time) {
        best = (message.priority, time, .message(message.id), message.scene)
      }
    }
    let shown = store.shown(on: display, otherwise: fallback)
    must(shown.source == best.source && shown.scene == best.scene, "\(display) shows \(shown), and should \(best)")
  }
}
