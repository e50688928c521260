import Control
import JSON
import MQTT
import Primitives

/// The discovery messages and states of the box's monitors, as far as Home Assistant has them.
struct HomeAssistant: Sendable {
  /// The first level of discovery topics; nil to send none.
  let prefix: String?
  /// The messages that the broker has from this connection, and the availability of monitors that it has kept, by topic.
  var published: [String: [UInt8]] = [:]
  /// When all messages are published again, after Home Assistant has started; nil for never.
  var due: Int64?
  /// The times of the last flips to new content, by connector.
  var flips: [String: Timestamp] = [:]
  /// The connectors whose monitors were plugged in since the last state was read.
  var plugged: Set<String> = []
  /// The pictures of screens, by connector.
  var pictures: [String: Picture] = [:]
  /// The connectors whose pictures are being read, by the numbers of the requests.
  var reading: [Int: String] = [:]

  /// The picture of a screen that Home Assistant has.
  struct Picture: Hashable, Sendable {
    /// When the last one was requested, in milliseconds; nil for never.
    var last: Int64?
    /// Whether the screen has changed since.
    var isStale = true
  }

  /// The minimum time between two pictures of a display, in milliseconds.
  static let pictureInterval: Int64 = 60_000

  /// The topic at which Home Assistant says that it has started.
  var statusTopic: String? { prefix.map { "\($0)/status" } }
}

extension BridgeMachine {
  /// The topics for Home Assistant; none without discovery.
  var homeSubscriptions: [String] {
    home.statusTopic.map { [$0, box.topic("display/+/+/set"), box.topic("display/+/availability")] } ?? []
  }

  /// Handles a message of Home Assistant; returns false for other messages.
  mutating func receiveFromHome(_ message: MQTTMessage) -> Bool {
    if message.topic == home.statusTopic {
      // All boxes hear it at the same time.
      let delay = Int64(FNV1a.hash(box.base.utf8) % 5000)
      if message.payload.elementsEqual("online".utf8) { home.due = moment.monotonic + delay }
      return true
    }
    guard home.prefix != nil, message.topic.hasPrefix(box.topic("display/")) else { return false }
    let parts = message.topic.dropFirst(box.topic("display/").count).split(separator: "/")
    if parts.count == 2, parts[1] == "availability" {
      noteKept(message)
      return true
    }
    guard parts.count == 3, parts[2] == "set" else { return true }
    // A command for a monitor that has just left is void.
    let known = HomeAssistantDevice.identifiers(of: report.state?.displays ?? [])
    guard let display = known.first(where: { $0.id == parts[0] })?.display else { return true }
    guard message.payload.count <= Commands.largest, !message.isRetained,
      let payload = String(validating: message.payload, as: UTF8.self),
      let call = HomeAssistantDevice.call(String(parts[1]), payload, on: display.name),
      commands.waiting.count < Commands.mostWaiting
    else {
      log("ignored a command of Home Assistant: \(message.topic.prefix(200))")
      return true
    }
    commands.waiting.append(Commands.Command(key: nil, call: call))
    runNext()
    return true
  }

  /// Notes what the broker has kept about a monitor, which may have left while this bridge was not connected.
  private mutating func noteKept(_ message: MQTTMessage) {
    guard message.isRetained, home.published[message.topic] == nil else { return }
    home.published[message.topic] = message.payload
    publishToHome()
  }

  /// Publishes what Home Assistant does not have yet.
  mutating func publishToHome() {
    guard let prefix = home.prefix, broker == .connected, let state = report.state else { return }
    let entries = state.library.filter { $0.kind != "calendar" }.map(\.name)
    let shown = state.sessions.reduce(into: [String: String]()) { shown, session in
      guard let display = session.display, session.scene?["kind"] == "entry" else { return }
      shown[display] = session.scene?["name"]?.text
    }
    publish(
      HomeAssistantBox(box: box, status: state.status).configuration, prefix, HomeAssistantDevice.identifier(of: box))
    var here: Set<String> = []
    for (id, display) in HomeAssistantDevice.identifiers(of: state.displays) {
      let device = HomeAssistantDevice(
        id: id, box: box, display: display, status: state.status, entries: entries, entry: shown[display.name],
        lastFlip: home.flips[display.name])
      publish(device.configuration, prefix, id)
      publishChange(MQTTMessage(topic: device.topic("state"), payload: device.state.encoded, isRetained: true))
      publishChange(
        MQTTMessage(topic: device.topic("availability"), payload: Array("online".utf8), isRetained: true))
      here.insert(device.topic("availability"))
    }
    // A monitor that has left may be on another box by now, so its discovery message stays as it is.
    for (topic, payload) in home.published
    where topic.hasSuffix("/availability") && !here.contains(topic) && payload.elementsEqual("online".utf8) {
      publishChange(MQTTMessage(topic: topic, payload: Array("offline".utf8), isRetained: true))
    }
    readPictures()
  }

  private mutating func publish(_ configuration: JSONValue, _ prefix: String, _ id: String) {
    publishChange(
      MQTTMessage(topic: "\(prefix)/device/\(id)/config", payload: configuration.encoded, isRetained: true))
  }

  private mutating func publishChange(_ message: MQTTMessage) {
    guard home.published[message.topic] != message.payload else { return }
    home.published[message.topic] = message.payload
    effects.append(.publish(message, number: 0))
  }

  /// Publishes everything again if Home Assistant has started.
  mutating func publishToHomeIfDue() {
    if let due = home.due, moment.monotonic >= due {
      home.due = nil
      home.published = [:]
      for display in home.pictures.keys { home.pictures[display]?.isStale = true }
      publishToHome()
    } else {
      readPictures()
    }
  }

  /// Notes an event for the entities that are not states.
  mutating func noteForHome(_ event: ControlEvent) {
    guard home.prefix != nil, !event.display.isEmpty else { return }
    switch event.kind {
    case .messageShown:
      home.flips[event.display] = event.date
      home.pictures[event.display, default: HomeAssistant.Picture()].isStale = true
    case .connected: if broker == .connected { home.plugged.insert(event.display) }
    // The state that was last read has the monitor that has left; a new one is in the next state.
    case .disconnected: publishEvent("unplugged", of: event.display)
    case .messageAcknowledged: publishEvent("acknowledged", of: event.display)
    default: return
    }
  }

  private mutating func publishEvent(_ type: String, of display: String) {
    guard broker == .connected else { return }
    let known = HomeAssistantDevice.identifiers(of: report.state?.displays ?? [])
    if let id = known.first(where: { $0.display.name == display })?.id { publishEvent(type, id) }
  }

  /// Reports the monitors that were plugged in since the last state.
  mutating func reportPlugged() {
    for (id, display) in HomeAssistantDevice.identifiers(of: report.state?.displays ?? [])
    where home.plugged.contains(display.name) {
      publishEvent("plugged", id)
    }
    home.plugged = []
  }

  private mutating func publishEvent(_ type: String, _ id: String) {
    let payload: JSONValue = ["event_type": .string(type)]
    effects.append(
      .publish(MQTTMessage(topic: box.topic("display/\(id)/event"), payload: payload.encoded), number: 0))
  }

  // MARK: - Pictures

  /// When the next picture may be read; nil if all are current.
  var pictureDue: Int64? {
    guard home.prefix != nil, broker == .connected, service == .open else { return nil }
    return home.pictures.values.filter(\.isStale).map { ($0.last ?? .min / 2) + HomeAssistant.pictureInterval }.min()
  }

  private mutating func readPictures() {
    guard let due = pictureDue, moment.monotonic >= due else { return }
    for (display, picture) in home.pictures.sorted(by: { $0.key < $1.key })
    where picture.isStale && moment.monotonic >= (picture.last ?? .min / 2) + HomeAssistant.pictureInterval {
      home.pictures[display] = HomeAssistant.Picture(last: moment.monotonic, isStale: false)
      nextCall += 1
      home.reading[nextCall] = display
      let path = "/v1/displays/\(PercentEncoding.encode(display))/screenshot?format=jpeg"
      effects.append(.call(nextCall, ServiceCall(method: "GET", path: path)))
    }
  }

  /// Publishes a picture that was read; returns false for the answer to another request.
  mutating func handlePicture(_ answer: ServiceAnswer, of number: Int) -> Bool {
    guard let name = home.reading.removeValue(forKey: number) else { return false }
    let known = HomeAssistantDevice.identifiers(of: report.state?.displays ?? [])
    guard answer.status == 200, broker == .connected, let id = known.first(where: { $0.display.name == name })?.id
    else { return true }
    let topic = box.topic("display/\(id)/picture")
    effects.append(
      .publish(MQTTMessage(topic: topic, payload: answer.body, isAcknowledged: false, isRetained: false), number: 0))
    return true
  }
}
