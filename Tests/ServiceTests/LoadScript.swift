import Control
import Geometry
import JSON
import Scenes
import SeededRandom

/// The requests of one client in sequence, and a model of all acknowledged changes.
///
/// Two clients never send requests of the same kind, so each has an independent model.
struct LoadScript: Sendable {
  enum Sort: Sendable { case messages, sessions }

  let sort: Sort
  var chance: SeededGenerator
  /// The state that the daemon must have.
  private(set) var store = SessionModel()
  /// The command that has not been answered yet.
  private(set) var open: LoadCommand?
  /// The texts that the daemon reported as presented, with their displays.
  private(set) var shown: [(display: String, text: String)] = []
  /// The number of acknowledged commands.
  private(set) var acknowledged = 0
  private(set) var greatest = 0
  private var clock: Int64 = 0
  private var texts = 0

  init(_ sort: Sort, _ chance: SeededGenerator) {
    self.sort = sort
    self.chance = chance
    if sort == .sessions { store.attach([LoadMonitor.first.arrival(on: "Virtual-1")], at: 0) }
  }

  /// Returns the next command, which is in flight until it is acknowledged or refused.
  mutating func next() -> LoadCommand {
    let command = sort == .messages ? nextOfMessages() : nextOfSessions()
    begin(command)
    return command
  }

  /// Marks a command as in flight.
  mutating func begin(_ command: LoadCommand) { open = command }

  mutating func acknowledge(_ answer: LoadCommand.Answer) throws {
    guard let command = open else { return }
    try apply(command, number: answer.number)
    open = nil
    acknowledged += 1
    if case .post(let request) = command, let text = request.text {
      shown += answer.shown.map { (display: $0, text: text) }
    }
  }

  /// Records a refusal, after which nothing has changed.
  mutating func refuse() { open = nil }

  /// Compares the daemon with the model after a kill and a restart, and continues with the matching model.
  ///
  /// - Parameter found: The state of the daemon now.
  ///
  /// - Returns: Whether the daemon has exactly the acknowledged changes, with or without the command in flight.
  mutating func restart(found: LoadedState) -> Bool {
    guard let match = candidates(found).first(where: { LoadedState($0.store, sort) == found }) else { return false }
    self = match
    open = nil
    shown = []
    return true
  }

  /// The possible states after the restart: without and with the command in flight.
  private func candidates(_ found: LoadedState) -> [LoadScript] {
    var before = self
    before.restart()
    guard let open else { return [before] }
    var after = self
    let number = found.numbers.subtracting(LoadedState(before.store, sort).numbers).first
    // Messages and sessions share one sequence of IDs, and no ID is used twice.
    guard (try? after.apply(open, number: number ?? greatest + 1)) != nil else { return [before] }
    after.restart()
    return [before, after]
  }

  /// Unplugs all monitors, and plugs them in again in the order of their connectors.
  private mutating func restart() {
    guard sort == .sessions else { return }
    let arrivals = store.profiles.compactMap { profile in
      profile.display.map { Arrival(display: $0, monitor: profile.monitor, place: $0) }
    }.sorted { $0.display < $1.display }
    for arrival in arrivals { store.detach(arrival.display, at: tick()) }
    store.attach(arrivals, at: tick())
  }

  private mutating func apply(_ command: LoadCommand, number: Int?) throws {
    let now = tick()
    try command.apply(to: &store, number: number, at: now)
    greatest = max(greatest, number ?? 0)
  }

  private mutating func tick() -> Int64 {
    clock += 1
    return clock
  }

  // MARK: Random commands

  private mutating func nextOfMessages() -> LoadCommand {
    texts += 1
    let text = "Text \(texts) \(chance.next())"
    let known = store.messages.map(\.id)
    if known.count > 30, let one = known.randomElement(using: &chance) { return .withdraw(one) }
    switch (Int.random(in: 0..<10, using: &chance), known.randomElement(using: &chance)) {
    case (0, let one?): return .withdraw(one)
    case (1, let one?): return .acknowledge(one)
    case (2, _): return .show(MessageRequest(text: text))
    case (3, _): return .removeMessage
    case (4, _):
      // The priority is above all others, so that no other request can come before its presentation.
      return .post(MessageRequest(text: text, name: "above", priority: 100, wait: true))
    default: return .post(post(text))
    }
  }

  private mutating func post(_ text: String) -> MessageRequest {
    var request = MessageRequest(text: text, priority: Int.random(in: -100..<100, using: &chance))
    if Bool.random(using: &chance) { request.name = "name \(Int.random(in: 0..<8, using: &chance))" }
    request.acknowledge = Bool.random(using: &chance)
    switch Int.random(in: 0..<3, using: &chance) {
    case 0: request.role = .external
    case 1: request.tag = "tag 1"
    default: break
    }
    return request
  }

  private mutating func nextOfSessions() -> LoadCommand {
    let display = "Virtual-\(Int.random(in: 1...3, using: &chance))"
    let plugged = Set(store.profiles.filter { $0.display != nil }.map(\.monitor))
    let free = LoadMonitor.all.filter { !plugged.contains($0.identity) }
    switch (Int.random(in: 0..<13, using: &chance), store.sessions.randomElement(using: &chance)) {
    case (0, let one?): return .move(one.id, to: display)
    case (1, let one?): return .close(one.id)
    case (2...3, let one?): return .scroll(one.id, Double(Int.random(in: 0...4, using: &chance)) / 4)
    case (4...5, _):
      let asleep = Bool.random(using: &chance)
      return .sleep(SleepRequest(asleep: asleep, display: Bool.random(using: &chance) ? display : nil))
    case (6...7, _):
      guard let monitor = free.randomElement(using: &chance) else { return .unplug(display) }
      return .plug(monitor, into: display)
    case (8, _): return .unplug(display)
    case (9, _): return .turn(display, Rotation.allCases.randomElement(using: &chance) ?? .none)
    default: return .open(open(display))
    }
  }

  private mutating func open(_ display: String) -> OpenRequest {
    let number = JSONValue.string("\(Int.random(in: 0..<20, using: &chance))")
    let scenes: [JSONValue] = [
      ["kind": "banner", "text": number], ["kind": "clock", "caption": number],
      ["kind": "card", "title": number], ["kind": "markdown", "text": number],
    ]
    let tag = Bool.random(using: &chance) ? "tag \(Int.random(in: 0..<3, using: &chance))" : nil
    return OpenRequest(
      scene: scenes.randomElement(using: &chance) ?? .null, display: Bool.random(using: &chance) ? display : nil,
      tag: tag)
  }
}

/// The stored state of messages, or of sessions, sleep and rotation, of a model or of a daemon.
struct LoadedState: Hashable, Sendable {
  private struct Line: Hashable {
    var number: Int?
    var scene: JSONValue?
    var words: [String]
  }

  private var lines: [Line]

  /// The IDs of its messages or sessions.
  var numbers: Set<Int> { Set(lines.compactMap(\.number)) }

  init(_ messages: [LiveMessage]) {
    lines = messages.map { message in
      Line(
        number: message.id, scene: message.scene,
        words: [message.name ?? "-", message.target, "\(message.priority)", "\(message.acknowledge)"])
    }
  }

  init(_ sessions: [SessionReport], _ displays: [DisplayReport]) {
    lines = sessions.map { session in
      let display = displays.first { $0.name == session.display && $0.isChosen }
      return Line(
        number: session.id, scene: session.scene,
        words: [
          session.monitor, session.display ?? "-", session.tag ?? "-",
          session.scroll?.position.map { "\($0)" } ?? "-", "\(session.asleep)",
          display.map { "\($0.rotation)" } ?? "-",
        ])
    }
    sort()
  }

  init(_ store: SessionModel, _ sort: LoadScript.Sort) {
    switch sort {
    case .messages:
      lines = store.messages.map { message in
        Line(
          number: message.id, scene: message.scene.document,
          words: [
            message.name ?? "-", "\(message.target)", "\(message.priority)", "\(message.needsAcknowledgement)",
          ])
      }
    case .sessions:
      let profiles = store.profiles.map { profile in
        // The choice for a disconnected monitor is reported once the monitor returns.
        let turn = profile.display == nil ? nil : profile.choice.rotation
        return Self.line(profile.session, profile.monitor, profile.display, isAsleep: profile.isAsleep, turn)
      }
      lines = profiles + store.reservations.map { Self.line($0.session, "", $0.display, isAsleep: false, nil) }
      self.sort()
    }
  }

  private static func line(
    _ session: Session?, _ monitor: String, _ display: String?, isAsleep: Bool, _ turn: Rotation?
  ) -> Line {
    var scroll = "-"
    if case .share(let share) = session?.place { scroll = "\(share)" }
    return Line(
      number: session?.id, scene: session?.scene.document,
      words: [
        monitor, display ?? "-", session?.tag ?? "-", scroll, "\(isAsleep)", turn.map { "\($0.rawValue)" } ?? "-",
      ])
  }

  /// Sorts the lines, because disconnected monitors are reported in the order of removal, which is random at a restart.
  private mutating func sort() { lines.sort { ($0.number ?? 0, $0.words[0]) < ($1.number ?? 0, $1.words[0]) } }
}
