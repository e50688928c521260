import Control
import JSON
import MQTT

/// The state of the service, and the report of it.
struct Report: Sendable {
  /// The state that was last read; nil before.
  var state: BoxState?
  /// The report that was last published on this connection; nil for none.
  var published: JSONValue?
  var isReading = false
  /// Whether the state has changed while it was read.
  var isStale = false
  /// When the state was last read, and when it is read again; nil if it has not changed since.
  var lastRead: Int64?
  var due: Int64?

  /// The minimum time between two reads, in milliseconds.
  static let interval: Int64 = 1000
}

extension BridgeMachine {
  // MARK: - The service

  mutating func openService() {
    service = .open
    if serviceAttempts > 0 { log("connected to the service again", isWarning: false) }
    serviceAttempts = 0
    report.isReading = false
    report.lastRead = nil
    desired.running = nil
    commands.running = nil
    proofs.reading = nil
    readState()
    readMissedProofs()
    runNext()
  }

  mutating func closeService(_ reason: String) {
    if serviceAttempts == 0 { log("no connection to the service: \(reason)") }
    serviceAttempts += 1
    service = .waiting(
      until: moment.monotonic + min(10_000, Self.delay(after: serviceAttempts, seed: box.base)))
    report.state = nil
    publishReport()
  }

  /// The events that are sent, besides what is shown.
  private static let sent: Set<ControlEvent.Kind> = [
    .connected, .disconnected, .modeChanged, .stateChanged, .dark, .asleep, .messagePosted, .messageAcknowledged,
    .messageEnded, .modePending, .healthChanged,
  ]

  mutating func handle(_ event: ControlEvent) {
    if [.messageShown, .dark, .asleep, .disconnected].contains(event.kind) { readProofs(at: event) }
    if Self.sent.contains(event.kind), case .object(let members)? = try? JSONValue(parsing: JSON.encode(event)) {
      send("evt/\(event.kind.rawValue)", members)
    }
    noteForHome(event)
    let used: Set<ControlEvent.Resource> =
      home.prefix == nil ? [.displays, .health, .status] : [.displays, .health, .status, .library, .sessions]
    if !used.isDisjoint(with: event.kind.resources) { readState() }
  }

  /// Reads the state now, or as soon as the interval allows.
  mutating func readState() {
    guard service == .open else { return }
    if report.isReading {
      report.isStale = true
    } else {
      report.due = max(moment.monotonic, (report.lastRead ?? .min / 2) + Report.interval)
      readStateIfDue()
    }
  }

  mutating func readStateIfDue() {
    guard service == .open, !report.isReading, let due = report.due, moment.monotonic >= due else { return }
    report.due = nil
    report.isReading = true
    report.isStale = false
    effects.append(.readState(isComplete: home.prefix != nil))
  }

  mutating func handle(_ state: BoxState?) {
    guard report.isReading else { return }
    report.isReading = false
    report.lastRead = moment.monotonic
    guard let state else {
      // The event stream may still be open.
      report.due = moment.monotonic + Report.interval
      return
    }
    report.state = state
    publishReport()
    publishToHome()
    reportPlugged()
    if report.isStale { readState() }
    // What had no answer before is requested again.
    runNext()
    readNextProofs()
  }

  // MARK: - The report

  /// Publishes the report, if it has changed.
  mutating func publishReport() {
    // The first attempt to reach the service decides what there is to report.
    guard broker == .connected, report.state != nil || serviceAttempts > 0 else { return }
    let json = reported
    guard json != report.published else { return }
    report.published = json
    effects.append(
      .publish(MQTTMessage(topic: box.topic("reported"), payload: json.encoded, isRetained: true), number: 0))
  }

  private var reported: JSONValue {
    var members: [String: JSONValue] = [
      "bridge": .string(PlacardVersion.current), "site": .string(box.site), "node": .string(box.node),
      "tags": .array(box.tags.map(JSONValue.string)), "dropped": .number("\(outbox.dropped)"),
      "ignored": .number("\(commands.ignored)"),
      "desired": [
        "version": desired.version.map { .number("\($0)") } ?? .null,
        "waiting": .array(desired.waiting.map(JSONValue.string)),
        "refused": .array(desired.refusals.map(\.json)),
      ],
    ]
    if let state = report.state {
      members["version"] = .string(state.status.version)
      members["state"] = .string(state.health.state.rawValue)
      members["reasons"] = .array(state.health.reasons.map(JSONValue.string))
      members["displays"] = .array(state.displays.map(Self.json))
    } else {
      members["state"] = "unreachable"
      members["reasons"] = ["the bridge cannot reach the service"]
      members["displays"] = []
    }
    return .object(members)
  }

  private static func json(_ display: DisplayReport) -> JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(display.name), "state": .string(display.state.rawValue), "role": .string(display.role.rawValue),
      "warnings": .array(display.warnings.map(JSONValue.string)),
    ]
    let texts = [
      "reason": display.reason, "monitor": display.monitor, "identity": display.identity, "mode": display.mode,
      "message": display.message,
    ]
    for case (let key, let text?) in texts { members[key] = .string(text) }
    if let distance = display.legibility?.readableDistance { members["readableDistance"] = JSONValue(distance) }
    return .object(members)
  }
}
