import Control
import ControlClient
import JSON
import Scenes
import SimulatedTime
import VirtualDisplays

/// Requests of clients.
extension World {
  /// Asks for what a step names. A display that does not exist just now is refused, which is an answer as well.
  func ask(_ step: Step) {
    guard let life, life.isOpen, life.requests < 12 else { return }
    serial += 1
    let display = step.choose(Self.connectors.values.flatMap(\.self).sorted(), 1)
    let name = step.choose(["alarm", "note", "shift"], 2)
    let text = "\(step.kind) \(serial % 40)"
    let waits = step.below(3, 3) == 0
    switch step.kind {
    case .message:
      show(text, .message(Message.shownName), MessageRequest(text: text, wait: waits)) {
        try await $0.setMessage($1)
      }
    case .displayMessage:
      show(text, nil, MessageRequest(text: text, display: display, wait: waits)) { try await $0.setMessage($1) }
    case .post:
      let request = MessageRequest(text: text, name: name, priority: step.below(3, 4), wait: waits)
      // The client repeats the request, as after an answer that was lost.
      let key = "\(serial)"
      show(text, .message(name), request) { [unowned self] client, request in
        let report = try await client.once(key).post(request)
        let again = try? await client.once(key).post(request)
        if let again, again.id != report.id { violate("\(text): a request was carried out twice") }
        return report
      }
    case .timedPost:
      show(text, nil, MessageRequest(text: text, seconds: step.below(200, 4) + 1, wait: waits)) {
        try await $0.post($1)
      }
    case .withdraw: withdraw(name)
    case .open: open(display, "open \(serial)")
    case .close: close(step)
    case .sleep, .wake:
      request("\(step.kind)") { [kind = step.kind] in
        _ = try await $0.setAsleep(SleepRequest(asleep: kind == .sleep))
      }
    case .sleepOne:
      request("sleep \(display)") {
        _ = try await $0.setAsleep(SleepRequest(asleep: true, display: display))
      }
    case .turn:
      let request = ModeRequest(rotation: step.choose([0, 90, 180, 270], 4), keep: step.below(2, 5) == 0)
      // Without a confirmation the change ends by itself: until then the rotation at a flip is not known.
      changes[display] = .max
      self.request("turn \(display)") { _ = try await $0.setMode(display, request) }
    case .setValue:
      change(.value(name), to: text, "set \(name)") { life in
        try await life.client.setValue(name, ValueRequest(value: .string(text)))
      }
    case .unsetValue: change(.value(name), to: nil, "unset \(name)") { try await $0.client.removeValue(name) }
    case .confirm: request("confirm \(display)") { _ = try await $0.confirmMode(display) }
    default:
      request("read") { client in
        _ = try await client.status()
        _ = try await client.displays()
        _ = try await client.health()
        _ = try await client.history()
        _ = try? await client.why(display)
      }
    }
  }

  /// Shows a message, and checks the answer.
  private func show(
    _ text: String, _ key: Expectations.Key?, _ request: MessageRequest,
    _ body: @escaping @Sendable (PlacardClient, MessageRequest) async throws -> MessageReport
  ) {
    let begin = clock.time
    change(key, to: text, "show \(text)") { [unowned self] life in
      let report = try await body(life.client, request)
      guard !life.isOver else { return }
      let turns = try await life.client.displays().reduce(into: [:]) { $0[$1.name] = $1.rotation }
      for shown in report.shown where changes[shown.display] ?? 0 < begin {
        let turn = turns[shown.display] ?? 0
        if let words = pictures.check(shown.display, shows: text, at: shown.flipTime, turn: turn) { violate(words) }
      }
    }
  }

  private func withdraw(_ name: String) {
    change(.message(name), to: nil, "withdraw \(name)") { life in
      guard let message = try await life.client.messages().first(where: { $0.name == name }) else { throw Gone() }
      try await life.client.withdraw(message.id)
    }
  }

  private func open(_ display: String, _ text: String) {
    note("open \(text) on \(display)")
    guard let life else { return }
    life.requests += 1
    unplaced.insert(text)
    let (begin, failures) = (expectations.time, disk.failures)
    Task { [unowned self] in
      let request = OpenRequest(scene: Scene.banner(text).document, display: display)
      let report = try? await life.client.open(request)
      life.requests -= 1
      // The session of an empty connector is for the next monitor there, and ends the one that this monitor has.
      guard let report, !life.isOver, report.summary == text, report.id != nil, !report.monitor.isEmpty else { return }
      note("opened \(text) on \(report.monitor)")
      owners[text] = report.monitor
      unplaced.remove(text)
      let isCertain = await isAlone(report.monitor, life) && isReliable(since: failures)
      expectations.add(.session(report.monitor), text, since: begin, isAcknowledged: isCertain)
    }
  }

  /// Whether a monitor has one session at most. It has two for a moment after it moved to another card, when the service
  /// has handled the event of only one card, and clients cannot tell them apart.
  private func isAlone(_ monitor: String, _ life: Life) async -> Bool {
    (try? await life.client.sessions().count { $0.monitor == monitor } < 2) ?? false
  }

  private func close(_ step: Step) {
    guard let life else { return }
    let failures = disk.failures
    request("close a session") { [unowned self] client in
      let sessions = try await client.sessions().filter { $0.id != nil && !$0.monitor.isEmpty }
      guard !sessions.isEmpty else { return }
      let session = step.choose(sessions, 4)
      let number = expectations.begin(.session(session.monitor), nil)
      let isCertain = await isAlone(session.monitor, life)
      if let id = session.id { try await client.close(id) }
      if life.isOver { return }
      note("closed \(session.summary ?? "") on \(session.monitor)")
      if isCertain && isReliable(since: failures) { expectations.acknowledge(number, of: .session(session.monitor)) }
    }
  }

  // MARK: Requests

  private struct Gone: Error {}

  /// Whether an answer means that the change is on the disk: while the disk fails, changes wait in memory.
  private func isReliable(since failures: Int) -> Bool { disk.failures == failures && disk.fault == nil }

  private func begin(_ key: Expectations.Key?, _ value: String?) -> (Expectations.Key, Int)? {
    key.map { ($0, expectations.begin($0, value)) }
  }

  private func request(_ words: String, _ body: @escaping @Sendable (PlacardClient) async throws -> Void) {
    change(nil, to: nil, words) { life in try await body(life.client) }
  }

  /// Has the service carry out a request, and notes its answer.
  private func change(
    _ key: Expectations.Key?, to value: String?, _ words: String,
    _ body: @escaping @Sendable (Life) async throws -> Void
  ) {
    guard let life else { return }
    note(words)
    life.requests += 1
    let change = begin(key, value)
    let failures = disk.failures
    Task { [unowned self] in
      let isDone: Bool
      do {
        try await body(life)
        isDone = true
      } catch {
        isDone = false
      }
      life.requests -= 1
      guard !life.isOver else { return }
      note("\(words): \(isDone ? "done" : "refused")")
      guard let (key, number) = change else { return }
      if isDone && isReliable(since: failures) {
        expectations.acknowledge(number, of: key)
      } else {
        expectations.doubt(number, of: key)
      }
    }
  }
}
