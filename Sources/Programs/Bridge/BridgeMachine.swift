import Archive
import Control
import JSON
package import MQTT
import Primitives

/// The decisions of a bridge between a service and a broker, without clocks, connections and files.
///
/// Whatever must reach the broker is stored before it is published, and removed after the broker has acknowledged it.
package struct BridgeMachine: Sendable {
  /// The connection to the broker.
  package enum Broker: Hashable, Sendable {
    /// There is none; the next attempt is made at a time in milliseconds.
    case waiting(until: Int64)
    /// The broker has not answered yet.
    case connecting
    /// Messages can be published.
    case connected
  }

  /// The connection to the service.
  enum Service: Hashable {
    case waiting(until: Int64)
    case opening
    case open
  }

  /// The current time.
  package struct Moment: Hashable, Sendable {
    /// The time since the start of the machine, in milliseconds.
    package var monotonic: Int64
    /// The time since 1970, in milliseconds.
    package var wall: Int64

    /// Creates a moment.
    package init(monotonic: Int64, wall: Int64) {
      self.monotonic = monotonic
      self.wall = wall
    }
  }

  let box: BridgeBox
  /// The state of the connection to the broker.
  package internal(set) var broker = Broker.waiting(until: .min)
  /// Why there is no connection to the broker; nil while there is one, and before the first attempt has ended.
  package internal(set) var fault: MQTTFault?
  var service = Service.waiting(until: .min)
  /// The number of attempts to connect since the last connection that lasted for `steadyTime`.
  var brokerAttempts = 0
  /// The number of the next attempt to connect, which chooses the broker. The boxes of a fleet begin with different
  /// ones.
  private var nextAttempt: Int
  /// When the broker accepted the connection; nil without one.
  private var connected: Int64?
  /// The time at which a broker that has not acknowledged another message by then is left; nil if none is unacknowledged.
  private var acknowledgmentDue: Int64?
  /// When the box subscribes again after a refusal; nil for never.
  private var subscriptionDue: Int64?
  /// Whether to log that the connection is back as soon as the broker has accepted the subscriptions. Before that, a
  /// command could be lost.
  private var announcesReturn = false
  /// The number of refused subscriptions on this connection.
  private var refusals = 0
  var serviceAttempts = 0
  var outbox: Outbox
  var commands = Commands()
  var desired = Desired()
  var proofs = Proofs()
  var report = Report()
  var home: HomeAssistant
  /// The changes to store when the event has been handled.
  var changes: [ArchiveChange] = []
  var effects: [BridgeEffect] = []
  var moment = Moment(monotonic: 0, wall: 0)
  /// The number of the last request to the service.
  var nextCall = 0
  /// The place of the last event of the service that was handled; nil before the first one.
  private var place: EventPlace?
  /// The state of the connection that the service has; nil for none. The inner value is nil if it is connected.
  private var reportedFault: MQTTFault??
  private var isLoaded = false
  private var lastStore = 0

  /// Creates a bridge that has stored nothing yet.
  package init(box: BridgeBox) {
    self.box = box
    nextAttempt = Int(FNV1a.hash(box.base.utf8) % 1000)
    outbox = Outbox(limit: box.queueLimit)
    home = HomeAssistant(prefix: box.discovery)
  }

  /// When `BridgeEvent.time` is due, in milliseconds of `Moment.monotonic`; nil for never.
  package var due: Int64? {
    var times: [Int64] = []
    if case .waiting(let time) = broker, isLoaded { times.append(time) }
    if case .waiting(let time) = service, isLoaded { times.append(time) }
    if let time = acknowledgmentDue { times.append(time) }
    if let time = subscriptionDue { times.append(time) }
    if let time = report.due, service == .open { times.append(time) }
    if let time = home.due, broker == .connected { times.append(time) }
    if let time = pictureDue { times.append(time) }
    return times.min()
  }

  /// Handles an event, and returns what to do next, in order.
  package mutating func handle(_ event: BridgeEvent, at moment: Moment) -> [BridgeEffect] {
    self.moment = moment
    switch event {
    case .loaded(let documents):
      load(documents)
      isLoaded = true
      passTime()
    case .stored(let number): handleStored(number)
    case .broker(let event): handle(event)
    case .serviceOpened: openService()
    case .serviceClosed(let reason): closeService(reason)
    case .gap:
      readState()
      readMissedProofs()
    case .notice(let event, let place):
      handle(event)
      if let place { move(to: place) }
    case .state(let state): handle(state)
    case .history(let query, let lines): handleHistory(lines, of: query)
    case .answer(let number, let answer): handle(answer, of: number)
    case .time: passTime()
    }
    reportFault()
    if !changes.isEmpty {
      lastStore += 1
      outbox.note(store: lastStore)
      effects.append(.store(lastStore, changes))
      changes = []
    }
    defer { effects = [] }
    return effects
  }

  /// Reports the state of the connection to the broker to the service, if it has changed.
  private mutating func reportFault() {
    guard service == .open else {
      reportedFault = nil
      return
    }
    guard broker == .connected || fault != nil, reportedFault != .some(fault) else { return }
    reportedFault = .some(fault)
    effects.append(.reportState(fault))
  }

  private mutating func passTime() {
    if let due = acknowledgmentDue, moment.monotonic >= due {
      lose(MQTTFault(.unavailable, "the broker has not acknowledged a message for \(Self.patience / 1000) s"))
    }
    if let due = subscriptionDue, moment.monotonic >= due { subscribe() }
    if case .waiting(let time) = broker, moment.monotonic >= time {
      broker = .connecting
      // Otherwise the broker would send the same message again at each connection.
      effects.append(.connect(nextAttempt, isClean: fault?.kind == .outOfMemory))
      nextAttempt += 1
    }
    if case .waiting(let time) = service, moment.monotonic >= time {
      service = .opening
      effects.append(.open(after: place))
    }
    readStateIfDue()
    publishToHomeIfDue()
  }

  private mutating func load(_ documents: [StoredDocument]) {
    for document in documents where document.kind == "outbox" { outbox.load(document) }
    // Of answers and proofs, the oldest are forgotten first.
    for document in documents.sorted(by: { $0.changed < $1.changed }) {
      switch document.kind {
      case "answer": commands.load(document)
      case "proof": proofs.load(document)
      case "fact": loadFact(document)
      default: continue
      }
    }
  }

  private mutating func loadFact(_ document: StoredDocument) {
    guard let value = try? JSONValue(parsing: document.json.utf8) else { return }
    switch document.key {
    case "outbox": outbox.load(fact: value)
    case "desired": desired.load(value)
    case "place": place = value.text.flatMap(EventPlace.init)
    default: return
    }
  }

  /// Notes the place of an event. It is stored with what the event has caused, so that nothing is sent twice.
  private mutating func move(to place: EventPlace) {
    self.place = place
    guard !changes.isEmpty else { return }
    let json = String(decoding: JSONValue.string("\(place)").encoded, as: UTF8.self)
    changes.append(.put(kind: "fact", key: "place", json: json))
  }

  mutating func log(_ text: String, isWarning: Bool = true) { effects.append(.log(text, isWarning: isWarning)) }
}

// MARK: - The broker

extension BridgeMachine {
  private mutating func handle(_ event: MQTTEvent) {
    switch event {
    case .connected:
      broker = .connected
      connected = moment.monotonic
      announcesReturn = fault != nil
      fault = nil
      refusals = 0
      subscribe()
      effects.append(.publish(availability(isOnline: true), number: 0))
      report.published = nil
      home.published = [:]
      publishReport()
      publishToHome()
      outbox.restart()
      acknowledgmentDue = nil
      publishNext()
    case .subscribed(let isAccepted):
      if isAccepted {
        if announcesReturn { log("connected to the broker again", isWarning: false) }
        announcesReturn = false
        return refusals = 0
      }
      // A broker that is busy may refuse as well.
      refusals += 1
      subscriptionDue = moment.monotonic + Self.delay(after: refusals, seed: box.base)
      guard refusals == 1 else { return }
      log("the broker refuses the subscriptions to \(box.base)#; correct its access rules for this box")
    case .message(let message): handle(message)
    case .oversized(let topic, let bytes): refuseOversized(topic, bytes)
    case .published(let number):
      guard let entry = outbox.acknowledge(number) else { return }
      changes.append(.remove(kind: "outbox", key: entry.key))
      acknowledgmentDue = nil
      publishNext()
    case .ended(let fault): lose(fault)
    }
  }

  private mutating func subscribe() {
    subscriptionDue = nil
    effects.append(.subscribe(box.subscriptions + homeSubscriptions))
  }

  /// Gives up a connection to the broker, and waits for the next attempt.
  private mutating func lose(_ fault: MQTTFault) {
    if fault.kind != self.fault?.kind { log("no connection to the broker: \(fault)") }
    self.fault = fault
    if let connected, moment.monotonic - connected >= Self.steadyTime { brokerAttempts = 0 }
    connected = nil
    (acknowledgmentDue, subscriptionDue) = (nil, nil)
    brokerAttempts += 1
    broker = .waiting(until: moment.monotonic + Self.delay(after: brokerAttempts, seed: box.base))
  }

  private mutating func handle(_ message: MQTTMessage) {
    if receiveFromHome(message) { return }
    guard message.topic.hasPrefix(box.base) else { return }
    let name = message.topic.dropFirst(box.base.count)
    if name == "desired" { return receiveDesired(message.payload) }
    if name.hasPrefix("cmd/") { receiveCommand(String(name.dropFirst(4)), message) }
  }

  /// The message that says whether the box is connected; the broker publishes the other one as the will.
  package func availability(isOnline: Bool) -> MQTTMessage {
    MQTTMessage(
      topic: box.topic("availability"), payload: Array((isOnline ? "online" : "offline").utf8), isRetained: true)
  }

  /// The time after which a connection counts as steady, in milliseconds.
  ///
  /// A broker may accept connections and end them at once, for example if two boxes have the same name.
  private static let steadyTime: Int64 = 60_000

  /// The longest time without an acknowledgment while messages wait for one, in milliseconds.
  ///
  /// A node that a partition separates from its cluster answers pings, but cannot store messages.
  static let patience: Int64 = 60_000

  /// Returns the delay before an attempt to connect, in milliseconds.
  ///
  /// It doubles from a second to a minute. A different part of it for each box spreads the boxes of a fleet after the
  /// broker has restarted.
  static func delay(after attempts: Int, seed: String) -> Int64 {
    let longest = min(60_000, Int64(1000) << Int64(min(attempts - 1, 6)))
    let hash = FNV1a.hash("\(seed)\(attempts)".utf8)
    return longest / 2 + Int64(hash % UInt64(longest / 2 + 1))
  }

  /// Publishes the entries that are stored, up to the limit of unacknowledged ones.
  mutating func publishNext() {
    guard broker == .connected else { return }
    while let entry = outbox.next() {
      let message = MQTTMessage(topic: box.topic(entry.topic), payload: Array(entry.payload.utf8))
      effects.append(.publish(message, number: entry.number))
    }
    if outbox.isUnacknowledged, acknowledgmentDue == nil { acknowledgmentDue = moment.monotonic + Self.patience }
  }

  private mutating func handleStored(_ number: Int) {
    outbox.stored(number)
    publishNext()
  }

  /// Adds a message that must reach the broker, with its number as `sequence`.
  mutating func send(_ topic: String, _ members: [String: JSONValue]) {
    var members = members
    members["sequence"] = .number("\(outbox.nextNumber)")
    changes += outbox.append(topic, String(decoding: JSONValue.object(members).encoded, as: UTF8.self))
  }
}
