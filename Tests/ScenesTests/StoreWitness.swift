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
  private var saved = Store()
  private var records: [String: Record] = [:]

  /// Lets a step happen, and looks.
  mutating func see(_ next: StoreStep) {
    step += 1
    let before = store
    switch next {
    case .plug, .swap, .unplug, .sleep, .prune: change(next)
    case .open, .close, .move, .scroll: stage(next)
    case .post, .withdraw, .acknowledge, .wait: tell(next)
    case .restart: restart()
    }
    checkSessions(before, next)
    checkPlaces()
    checkShown()
    checkSleepers()
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
    case .prune(let seats):
      let absent = store.seats.filter { $0.display == nil }
      let ended = store.prune(at: now, keeping: Store.Retention(milliseconds: .max, seats: seats))
      for seat in absent.dropFirst(seats) where seat.isAsleep { sleepers[seat.monitor, default: 0] -= 1 }
      for id in ended { must(store.session(id) == nil, "session \(id) was pruned") }
    default: break
    }
  }

  private mutating func stage(_ next: StoreStep) {
    switch next {
    case .open(let number, let tag, let display):
      let isMeant = { (session: Session) in
        tag.map { session.tag == $0 } ?? (session.tag == nil && session.scene == scene(number))
      }
      let known = display.map { store.session(on: $0).map { [$0] } ?? [] } ?? store.sessions
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

  private func scene(_ number: Int) -> Scene { .banner("\(number)") }

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
    for change in Store.changes(from: saved, to: store) {
      switch change {
      case .put(let record): records[record.kind + record.key] = record
      case .remove(let kind, let key):
        must(records.removeValue(forKey: kind + key) != nil, "only what was written is removed")
      }
    }
    let (restored, warnings) = Store.restored(from: Array(records.values), at: now)
    for seat in store.seats { if let display = seat.display { store.detach(display, at: now) } }
    must(restored == store && warnings.isEmpty, "a store is restored as it was: \(warnings)")
    store = restored
    saved = restored
    // What was restored without its display is written so, or the next step is taken from records that are not there.
    for change in Store.changes(from: Store(), to: restored) {
      if case .put(let record) = change { records[record.kind + record.key] = record }
    }
  }

  /// A session ends only by being closed or pruned, or when another comes in its place.
  private mutating func checkSessions(_ before: Store, _ step: StoreStep) {
    let ids = store.sessions.map(\.id)
    must(Set(ids).count == ids.count, "no session is doubled")
    for lost in before.sessions where store.session(lost.id) == nil {
      switch step {
      case .close(let id): must(id == lost.id, "closing \(id) ended \(lost.id)")
      case .open(_, _, let display):
        let seat = display == nil ? before.seat(of: lost.id)?.display : display
        must(seat != nil && before.session(on: seat ?? "")?.id == lost.id, "opening ended \(lost.id)")
      case .move(_, let display): must(before.session(on: display)?.id == lost.id, "moving ended \(lost.id)")
      case .plug, .swap: must(!before.reservations.isEmpty, "plugging ended \(lost.id)")
      case .prune: must(before.seat(of: lost.id)?.display == nil, "\(lost.id) was pruned from a display")
      default: must(false, "\(step) ended \(lost.id)")
      }
    }
  }

  private mutating func checkPlaces() {
    let displays = store.seats.compactMap(\.display)
    must(Set(displays).count == displays.count, "two seats on one display")
    let awaited = store.reservations.compactMap(\.display)
    must(Set(awaited).count == awaited.count, "two sessions wait for one display")
    must(Set(awaited).isDisjoint(with: displays), "a session waits for a monitor that is there")
    must(displays.isEmpty || store.reservations.count == awaited.count, "a session waits for any monitor, and one is there")
    must(store.seats.allSatisfy { $0.display != nil || $0.session != nil || $0.isAsleep }, "a seat of nothing")
  }

  /// The rule as people say it: the highest priority, then the newest word.
  private mutating func checkShown() {
    let fallback = Scene(.blank)
    for display in StoreStep.displays {
      let seat = store.seat(on: display)
      let session = store.session(on: display)
      var best: (priority: Int, news: Int, source: Shown.Source, scene: Scene)?
      if let session { best = (0, news[session.id] ?? 0, .session(session.id), session.scene) }
      for message in store.messages {
        let isConcerned =
          switch message.target {
          case .all: true
          case .role(let role): seat != nil && (role == "internal") == (seat?.monitor == "I")
          case .display(let name): name == display
          case .tag(let tag): session?.tag == tag || seat?.monitor == tag
          }
        let time = news[message.id] ?? 0
        if isConcerned, best.map({ ($0.priority, $0.news) < (message.priority, time) }) ?? true {
          best = (message.priority, time, .message(message.id), message.scene)
        }
      }
      let shown = store.shown(on: display, otherwise: fallback)
      must(
        shown.source == best?.source ?? .fallback && shown.scene == best?.scene ?? fallback,
        "\(display) shows \(shown), and should show \(String(describing: best))")
    }
  }

  private mutating func checkSleepers() {
    let asleep = store.seats.reduce(into: [:]) { counts, seat in counts[seat.monitor, default: 0] += seat.isAsleep ? 1 : 0 }
    for monitor in Set(StoreStep.monitors + ["I"]) {
      must(asleep[monitor, default: 0] == sleepers[monitor, default: 0], "\(monitor) sleeps as it was told")
    }
  }
}
