import Scenes

/// An independent model that applies random steps to a session model and checks its invariants.
struct StoreChecker {
  private(set) var store = SessionModel()
  /// The first violated invariant.
  private(set) var fault: String?
  private var now: Int64 = 1_000_000
  private var step = 0
  /// The step in which each session or message was last raised or posted, by ID.
  private var order: [Int: Int] = [:]
  /// All IDs that were ever assigned.
  private var given: Set<Int> = []
  /// The number of sleeping monitors by identity.
  private var sleepers: [String: Int] = [:]
  /// The choices for monitors by identity, with their counts.
  private var choices: [String: [MonitorChoice: Int]] = [:]
  private var saved = SessionModel()
  private var records: [String: Record] = [:]

  /// Applies a step and checks the invariants.
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
    checkProfiles()
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
      // A monitor without a twin is on one port.
      let elsewhere = store.profiles.filter { $0.monitor == monitor }.compactMap(\.display)
      if monitor != "T" { for other in elsewhere { store.detach(other, at: now) } }
      store.attach([arrival(display, monitor)], at: now)
    case .swap(let one, let other):
      let pairs = [(one, store.profile(on: other)), (other, store.profile(on: one))]
      for (display, _) in pairs { store.detach(display, at: now) }
      store.attach(pairs.compactMap { display, profile in profile.map { arrival(display, $0.monitor) } }, at: now)
    case .unplug(let display): store.detach(display, at: now)
    case .sleep(let display, let isAsleep):
      guard let profile = store.profile(on: display) else {
        return must(!store.setAsleep(isAsleep, on: display), "no monitor can sleep there")
      }
      store.setAsleep(isAsleep, on: display)
      if profile.isAsleep != isAsleep { sleepers[profile.monitor, default: 0] += isAsleep ? 1 : -1 }
    case .choose(let display, let choice):
      let profile = store.profile(on: display)
      must(store.choose(choice, on: display) == (profile != nil), "a choice needs a monitor")
      guard let profile else { return }
      count(profile.choice, of: profile.monitor, by: -1)
      count(choice, of: profile.monitor, by: 1)
    case .prune(let profiles):
      let absent = store.profiles.filter { $0.display == nil && $0.session == nil && $0.choice.isEmpty }
      let ended = store.prune(at: now, keeping: SessionModel.Retention(milliseconds: .max, profiles: profiles))
      for profile in absent.dropFirst(profiles) where profile.isAsleep { sleepers[profile.monitor, default: 0] -= 1 }
      must(ended.isEmpty, "too many monitors end no session")
    default: break
    }
  }

  /// Counts a choice by `number`, unless it is empty.
  private mutating func count(_ choice: MonitorChoice, of monitor: String, by number: Int) {
    if !choice.isEmpty { choices[monitor, default: [:]][choice, default: 0] += number }
  }

  private mutating func stage(_ next: StoreStep) {
    switch next {
    case .open(let number, let tag, let display):
      let isMeant = { (session: Session) in
        tag.map { session.tag == $0 } ?? (session.tag == nil && session.scene == scene(number))
      }
      // A card is open at most once, on any display.
      let isAnywhere = display == nil || tag == "card:a"
      let known = isAnywhere ? store.sessions : display.flatMap { store.session(on: $0) }.map { [$0] } ?? []
      let opened = store.open(scene(number), tag: tag, on: display, at: now)
      must(known.contains(where: isMeant) == given.contains(opened.id), "only a matching session is raised")
      must(store.session(opened.id)?.scene == scene(number), "an opened scene is in its session")
      if let display { must(store.session(on: display)?.id == opened.id, "a scene is opened on its display") }
      order[opened.id] = step
      given.insert(opened.id)
    case .close(let id): refuse(id, store.session(id) == nil) { store throws(SessionModelError) in try store.close(id) }
    case .move(let id, let display):
      let isThere = store.session(id) != nil
      refuse(id, !isThere) { [now] store throws(SessionModelError) in try store.move(id, to: display, at: now) }
      if isThere { order[id] = step }
      must(!isThere || store.session(on: display)?.id == id, "a session is on the display it was moved to")
    case .scroll(let id):
      refuse(id, store.session(id) == nil) { [step] store throws(SessionModelError) in
        try store.scroll(id, to: .share(Double(step) / 60))
      }
    case .edit(let id, let number):
      let known = store.session(id)
      let scene = scene(number)
      refuse(id, known == nil) { store throws(SessionModelError) in try store.edit(id, to: scene) }
      guard let known, let edited = store.session(id) else { return }
      must(edited.scene == scene && edited.raised == known.raised, "an edit changes only the scene")
      must(
        edited.place == (known.scene.kind == scene.kind ? known.place : .start),
        "a scene of the same kind keeps its place")
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
      must((posted == nil) == (seconds == 0), "a message that has already expired is refused")
      guard let posted else { return }
      must(known.map { $0 == posted.id } ?? !given.contains(posted.id), "a name keeps its ID")
      order[posted.id] = step
      given.insert(posted.id)
    case .withdraw(let id):
      refuse(id, store.message(id) == nil) { store throws(SessionModelError) in try store.withdraw(id) }
    case .acknowledge(let id):
      let isAwaited = store.message(id)?.needsAcknowledgement
      refuse(id, isAwaited == nil) { [now] store throws(SessionModelError) in try store.acknowledge(id, at: now) }
      must(isAwaited != true || store.message(id) == nil, "an acknowledged message ends")
    case .wait(let milliseconds):
      now += milliseconds
      let due = store.messages.filter { ($0.expires ?? .max) <= now }.map(\.id).sorted()
      must(store.expire(at: now).map(\.id) == due, "exactly the expired messages end")
      must(store.nextExpiry.map { $0 > now } ?? true, "the next expiry is in the future")
    default: break
    }
  }

  /// Returns a card for odd numbers and a banner for even ones.
  private func scene(_ number: Int) -> Scene {
    number % 2 == 0 ? .banner("\(number)") : Scene(.card(Card(title: "\(number)")))
  }

  /// Sets a board. A changed card changes its open session, a removed card closes it, and nothing else changes.
  private mutating func draw(_ number: Int) {
    let before = store
    let cards = number == 0 ? [] : [Card(id: "a", title: "\(number)")]
    let board = Board(columns: [Board.Column(cards: cards + [Card(id: "a-2", title: "a")])])
    must((try? store.setBoard(Scene(.board(board)))) != nil, "a valid board is accepted")
    for session in store.sessions {
      let old = before.session(session.id)
      let isOpen = number != 0 && session.tag == "card:a" && old?.scene.kind == "card" && store.board != before.board
      let expected = isOpen ? Scene(.card(Card(id: "a", title: "\(number)"))) : old?.scene
      must(session.scene == expected, "\(session.id) follows the board")
    }
  }

  /// Applies an operation, which must fail without any change exactly if the ID is unknown.
  private mutating func refuse<Result>(
    _ id: Int, _ isUnknown: Bool, _ act: (inout SessionModel) throws(SessionModelError) -> Result
  ) {
    let before = store
    let result = try? act(&store)
    must((result == nil) == isUnknown, "\(id) is refused exactly if it is unknown")
    must(!isUnknown || store == before, "an unknown ID changes nothing")
  }

  private mutating func restart() {
    write(SessionModel.changes(from: saved, to: store))
    let (restored, changes, warnings) = SessionModel.restored(from: Array(records.values), at: now)
    for profile in store.profiles { if let display = profile.display { store.detach(display, at: now) } }
    must(restored == store && warnings.isEmpty, "the restored model differs: \(warnings)")
    write(changes)
    store = restored
    saved = restored
  }

  private mutating func write(_ changes: [RecordChange]) {
    for change in changes {
      switch change {
      case .put(let record): records[record.kind + record.key] = record
      case .remove(let kind, let key):
        must(records.removeValue(forKey: kind + key) != nil, "only a written record is removed")
      }
    }
  }

  /// Checks that a session ended only by being closed, pruned or replaced.
  private mutating func checkSessions(_ before: SessionModel, _ step: StoreStep) {
    var ids: Set<Int> = []
    must(store.sessions.count { $0.tag == "card:a" } <= 1, "a card is open at most once")
    for session in store.sessions { must(ids.insert(session.id).inserted, "session IDs are unique") }
    for lost in before.sessions where !ids.contains(lost.id) {
      switch step {
      case .close(let id): must(id == lost.id, "closing \(id) ended \(lost.id)")
      case .open(_, _, let display):
        let profile = display == nil ? before.profile(of: lost.id)?.display : display
        must(profile != nil && before.session(on: profile ?? "")?.id == lost.id, "opening ended \(lost.id)")
      case .move(_, let display): must(before.session(on: display)?.id == lost.id, "moving ended \(lost.id)")
      case .board(let number): must(number == 0 && lost.tag == "card:a", "the board ended \(lost.id)")
      case .plug, .swap: must(!before.reservations.isEmpty, "plugging ended \(lost.id)")
      default: must(false, "\(step) ended \(lost.id)")
      }
    }
  }

  private mutating func checkProfiles() {
    var displays: Set<String> = []
    var asleep: [String: Int] = [:]
    for profile in store.profiles {
      if let display = profile.display { must(displays.insert(display).inserted, "a display has one monitor profile") }
      must(
        profile.display != nil || profile.session != nil || profile.isAsleep || !profile.choice.isEmpty,
        "a profile that is kept has a reason")
      if profile.isAsleep { asleep[profile.monitor, default: 0] += 1 }
    }
    for reserved in store.reservations {
      must(reserved.display.map { !displays.contains($0) } ?? displays.isEmpty, "a reserved session has no monitor")
      let rivals = store.reservations.filter { $0.display == reserved.display }
      must(reserved.display == nil || rivals.count == 1, "at most one session waits for a display")
    }
    for (monitor, counts) in choices {
      let profiles = store.profiles.filter { $0.monitor == monitor && !$0.choice.isEmpty }
      let found = Dictionary(grouping: profiles, by: \.choice).mapValues(\.count)
      must(found == counts.filter { $0.value != 0 }, "\(monitor) has its chosen settings")
    }
    for (monitor, count) in sleepers {
      must(asleep[monitor, default: 0] == count, "\(monitor) has the requested sleep state")
    }
  }

  /// Checks the documented rule: the highest priority, then the newest message or session.
  private mutating func checkShown(on display: String) {
    let profile = store.profile(on: display)
    let session = store.session(on: display)
    let fallback = Scene(.blank)
    var best: (priority: Int, order: Int, source: Shown.Source, scene: Scene) = (-1000, 0, .fallback, fallback)
    if let session { best = (0, order[session.id] ?? 0, .session(session.id), session.scene) }
    for message in store.messages.reversed() {
      let isConcerned =
        switch message.target {
        case .all: true
        case .role(let role): profile != nil && (role == "internal") == (profile?.monitor == "I")
        case .display(let name): name == display
        case .tag(let tag): session?.tag == tag || profile?.monitor == tag
        }
      let time = order[message.id] ?? 0
      if isConcerned && (best.priority, best.order) < (message.priority, time) {
        best = (message.priority, time, .message(message.id), message.scene)
      }
    }
    let shown = store.shown(on: display, otherwise: fallback)
    must(shown.source == best.source && shown.scene == best.scene, "\(display) shows \(shown), and should \(best)")
  }
}
