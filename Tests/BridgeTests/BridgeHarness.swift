import Archive
import Control
import JSON
import MQTT
import Testing

@testable import Bridge

/// A machine with a service, a broker and a disk that the test controls.
struct BridgeHarness {
  var machine: BridgeMachine
  var now = BridgeMachine.Moment(monotonic: 1_000_000, wall: 1_795_000_000_000)
  /// The stored documents by kind and key.
  var disk: [String: String] = [:]
  /// The effects that are not carried out yet.
  var effects: [BridgeEffect] = []
  let box: BridgeBox

  init(queueLimit: Int = 1000, discovery: String? = nil) {
    box = BridgeBox(
      site: "berlin", node: "lobby", tags: ["entrance"], queueLimit: queueLimit, discovery: discovery)
    machine = BridgeMachine(box: box)
  }

  /// Handles an event, and keeps its effects.
  mutating func handle(_ event: BridgeEvent) { effects += machine.handle(event, at: now) }

  /// Starts the machine with what is on the disk.
  mutating func start() {
    machine = BridgeMachine(box: box)
    effects = []
    let documents = disk.keys.sorted().compactMap { name -> StoredDocument? in
      let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
      return disk[name].map { StoredDocument(kind: parts[0], key: parts[1], json: $0, changed: 0) }
    }
    handle(.loaded(documents))
  }

  /// Starts the machine, and connects both sides.
  mutating func connect() {
    start()
    handle(.broker(.connected(hasSession: true)))
    handle(.serviceOpened)
    settle()
  }

  /// Writes what is to be stored, and empties the list of effects.
  ///
  /// - Returns: The other effects.
  @discardableResult
  mutating func settle() -> [BridgeEffect] {
    var others: [BridgeEffect] = []
    while !effects.isEmpty {
      let effect = effects.removeFirst()
      guard case .store(let number, let changes) = effect else {
        others.append(effect)
        continue
      }
      write(changes)
      handle(.stored(number))
    }
    return others
  }

  mutating func write(_ changes: [ArchiveChange]) {
    for change in changes {
      switch change {
      case .put(let kind, let key, let json): disk["\(kind)/\(key)"] = json
      case .remove(let kind, let key): disk["\(kind)/\(key)"] = nil
      case .began, .ended: break
      }
    }
  }

  /// Delivers a message of the broker, settles, and returns the other effects.
  mutating func receive(_ topic: String, _ payload: String, isRetained: Bool = false) -> [BridgeEffect] {
    let message = MQTTMessage(topic: box.topic(topic), payload: Array(payload.utf8), isRetained: isRetained)
    handle(.broker(.message(message)))
    return settle()
  }

  /// Answers the query of the history that is being read.
  mutating func answerHistory(_ lines: [HistoryLine]) {
    guard let query = machine.proofs.reading else {
      Issue.record("no query is being read")
      return
    }
    handle(.history(query, lines))
  }

  /// Answers a request, settles, and returns the other effects.
  mutating func answer(_ call: (number: Int, call: ServiceCall), _ status: Int, _ body: String = "") -> [BridgeEffect] {
    handle(.answer(call.number, ServiceAnswer(status: status, body: Array(body.utf8))))
    return settle()
  }
}

extension [BridgeEffect] {
  /// The messages that are published, with the part of the topic that follows the box's.
  var published: [(topic: String, payload: JSONValue, number: Int)] {
    compactMap { effect in
      guard case .publish(let message, let number) = effect else { return nil }
      let topic = message.topic.split(separator: "/", maxSplits: 3).last.map(String.init) ?? ""
      return (topic, (try? JSONValue(parsing: message.payload)) ?? .null, number)
    }
  }

  /// The only request.
  var call: (number: Int, call: ServiceCall)? {
    let calls = compactMap { effect -> (Int, ServiceCall)? in
      if case .call(let number, let call) = effect { (number, call) } else { nil }
    }
    return calls.count == 1 ? calls[0] : nil
  }

  /// The payload that is published below the box's topics with a name; nil for none or several.
  func payload(_ topic: String) -> JSONValue? {
    let payloads = published.filter { $0.topic == topic }.map(\.payload)
    return payloads.count == 1 ? payloads[0] : nil
  }

  var warnings: [String] {
    compactMap { effect in if case .log(let text, isWarning: true) = effect { text } else { nil } }
  }
}
