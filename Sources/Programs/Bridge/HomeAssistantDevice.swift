import Control
import JSON
import Primitives

/// A monitor as a device of Home Assistant (https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload).
///
/// The device is the monitor by its identity, so that it stays the same on another port or box.
struct HomeAssistantDevice: Sendable {
  /// The device's identifier: letters of ASCII, digits, `_` and `-`.
  var id: String
  var box: BridgeBox
  var display: DisplayReport
  var status: ServiceStatus
  /// The names of the library's scenes and playlists.
  var entries: [String]
  /// The library entry that the display's session shows; nil if it shows another scene.
  var entry: String?
  /// The time of the last flip to new content; nil if it is unknown.
  var lastFlip: Timestamp?

  /// Returns an identifier with the characters that Home Assistant accepts.
  static func identifier(_ text: String) -> String {
    String(decoding: text.utf8.map { isOfIdentifier($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
  }

  private static func isOfIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// Returns the monitors that are connected, with an identifier for each.
  ///
  /// Monitors with equal identities, which have no serial number, are distinguished by their connectors.
  ///
  /// - Parameter displays: All displays.
  /// - Returns: The connected displays by their devices' identifiers.
  static func identifiers(of displays: [DisplayReport]) -> [(id: String, display: DisplayReport)] {
    let connected = displays.filter { $0.identity != nil && $0.state != .disconnected && $0.state != .lost }
    let counts = Dictionary(connected.map { ($0.identity ?? "", 1) }, uniquingKeysWith: +)
    return connected.map { display in
      let identity = display.identity ?? ""
      let text = counts[identity] == 1 ? identity : "\(identity)-\(display.name)"
      return (identifier("placard-\(text)"), display)
    }
  }

  /// The identifier of the box's own device.
  static func identifier(of box: BridgeBox) -> String { identifier("placard-box-\(box.site)-\(box.node)") }

  /// The topic of a part of the device, such as `state`.
  func topic(_ part: String) -> String { box.topic("display/\(id)/\(part)") }

  /// The discovery message's content.
  var configuration: JSONValue {
    var device: [String: JSONValue] = [
      "ids": [.string(id)], "name": .string(display.monitor ?? display.name),
      "mf": .string(String((display.identity ?? "").prefix { $0 != "-" })),
      "mdl": .string(display.monitor ?? display.driver), "sw": .string(status.version),
      "via_device": .string(Self.identifier(of: box)),
    ]
    device["cu"] = status.address.map(JSONValue.string)
    return [
      "dev": .object(device),
      "o": ["name": "Placard", "sw": .string(status.version)],
      "qos": 1,
      "availability": [
        ["topic": .string(box.topic("availability"))], ["topic": .string(topic("availability"))],
      ],
      "availability_mode": "all",
      "state_topic": .string(topic("state")),
      "cmps": .object(components),
    ]
  }

  private var components: [String: JSONValue] {
    var components = actions.merging(sensors) { first, _ in first }
    if !entries.isEmpty {
      components["scene"] = component(
        "select", "scene", "Scene",
        [
          "command_topic": .string(topic("scene/set")), "options": .array(entries.map(JSONValue.string)),
          "value_template": "{{ value_json.scene }}",
        ])
    }
    return components
  }

  private var actions: [String: JSONValue] {
    [
      "notify": component("notify", "notify", "Message", ["command_topic": .string(topic("message/set"))]),
      "text": component(
        "text", "text", "Text",
        [
          "command_topic": .string(topic("text/set")), "max": 255, "value_template": "{{ value_json.text[:255] }}",
          "json_attributes_topic": .string(topic("state")),
          "json_attributes_template": "{{ {'full_text': value_json.text, 'warnings': value_json.warnings} | tojson }}",
        ]),
      "power": component(
        "switch", "power", "Power",
        ["command_topic": .string(topic("power/set")), "value_template": "{{ value_json.power }}"]),
      "identify": button("identify", "Identify", ["device_class": "identify"]),
      "wake": button("wake", "Wake"),
      "clear": button("clear", "Clear message"),
      "picture": component(
        "image", "picture", "Screen",
        ["image_topic": .string(topic("picture")), "content_type": "image/jpeg"]),
      "happened": component(
        "event", "happened", "Event",
        ["state_topic": .string(topic("event")), "event_types": ["plugged", "unplugged", "acknowledged"]]),
    ]
  }

  private var sensors: [String: JSONValue] {
    [
      "state": sensor("state", "State", ["entity_category": "diagnostic"]),
      "mode": sensor("mode", "Mode", ["entity_category": "diagnostic"]),
      "shown": sensor("shown", "Shown"),
      "flip": sensor("flip", "Last change", ["device_class": "timestamp", "entity_category": "diagnostic"]),
      "distance": sensor(
        "distance", "Readable distance",
        ["device_class": "distance", "unit_of_measurement": "m", "entity_category": "diagnostic"]),
      "connected": component(
        "binary_sensor", "connected", "Connected",
        [
          "device_class": "connectivity", "value_template": "{{ value_json.connected }}",
          "entity_category": "diagnostic",
        ]),
      "problem": component(
        "binary_sensor", "problem", "Problem",
        ["device_class": "problem", "value_template": "{{ value_json.problem }}", "entity_category": "diagnostic"]),
    ]
  }

  private func component(
    _ platform: String, _ key: String, _ name: String, _ options: [String: JSONValue]
  ) -> JSONValue {
    let common: [String: JSONValue] = [
      "p": .string(platform), "unique_id": .string("\(id)_\(key)"), "name": .string(name),
    ]
    return .object(common.merging(options) { first, _ in first })
  }

  private func button(_ key: String, _ name: String, _ options: [String: JSONValue] = [:]) -> JSONValue {
    component(
      "button", key, name, options.merging(["command_topic": .string(topic("\(key)/set"))]) { first, _ in first })
  }

  private func sensor(_ key: String, _ name: String, _ options: [String: JSONValue] = [:]) -> JSONValue {
    let template = JSONValue.string("{{ value_json.\(key) }}")
    return component("sensor", key, name, options.merging(["value_template": template]) { first, _ in first })
  }

  /// The state of all components. Home Assistant takes null for an unknown state.
  var state: JSONValue {
    func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
    let isLit = display.state == .lit
    // A state of a sensor has at most 255 characters.
    let shown = display.message.map { String($0.prefix(255)) }
    return [
      "state": .string(display.state.rawValue), "mode": text(display.mode), "shown": text(shown),
      "text": .string(display.message ?? ""), "scene": text(entry.flatMap { entries.contains($0) ? $0 : nil }),
      "power": display.state == .asleep ? "OFF" : "ON", "connected": "ON",
      "problem": isLit || display.state == .asleep ? "OFF" : "ON", "flip": text(lastFlip?.utc),
      "distance": display.legibility.map { JSONValue($0.readableDistance) } ?? .null,
      "warnings": .array(display.warnings.map(JSONValue.string)), "reason": text(display.reason),
      "display": .string(display.name),
    ]
  }

  /// Returns the request for a command of Home Assistant; nil for an unknown one.
  ///
  /// - Parameters:
  ///   - name: The component, such as `power`.
  ///   - payload: The content of the command.
  ///   - display: The connector's name of the monitor.
  /// - Returns: The request.
  static func call(_ name: String, _ payload: String, on display: String) -> ServiceCall? {
    let target = JSONValue.string(display)
    func put(_ path: String, _ body: JSONValue) -> ServiceCall {
      ServiceCall(method: "PUT", path: path, body: body.encoded)
    }
    func post(_ path: String, _ body: JSONValue) -> ServiceCall {
      ServiceCall(method: "POST", path: path, body: body.encoded)
    }
    let clear = ServiceCall(method: "DELETE", path: "/v1/displays/\(PercentEncoding.encode(display))/message")
    switch name {
    case "message", "text":
      return payload.isEmpty ? clear : put("/v1/message", ["text": .string(payload), "display": target])
    case "clear": return clear
    case "scene":
      return post("/v1/sessions", ["scene": ["kind": "entry", "name": .string(payload)], "display": target])
    case "power": return put("/v1/sleep", ["asleep": .bool(payload == "OFF"), "display": target])
    case "wake": return put("/v1/sleep", ["asleep": false, "display": target])
    case "identify": return post("/v1/identify", ["display": target])
    default: return nil
    }
  }
}

/// The box as a device of Home Assistant, through which its monitors are connected.
struct HomeAssistantBox: Sendable {
  var box: BridgeBox
  var status: ServiceStatus

  private var id: String { HomeAssistantDevice.identifier(of: box) }

  /// The discovery message's content.
  var configuration: JSONValue {
    var device: [String: JSONValue] = [
      "ids": [.string(id)], "name": .string("\(box.site) \(box.node)"), "mf": "Placard", "mdl": "Box",
      "sw": .string(status.version),
    ]
    device["cu"] = status.address.map(JSONValue.string)
    return [
      "dev": .object(device),
      "o": ["name": "Placard", "sw": .string(status.version)],
      "qos": 1,
      "availability": [["topic": .string(box.topic("availability"))]],
      "cmps": [
        "problem": [
          "p": "binary_sensor", "unique_id": .string("\(id)_problem"), "name": "Problem", "device_class": "problem",
          "state_topic": .string(box.topic("reported")),
          "value_template": "{{ 'OFF' if value_json.state == 'ok' else 'ON' }}",
          "json_attributes_topic": .string(box.topic("reported")),
          "json_attributes_template": "{{ {'reasons': value_json.reasons} | tojson }}",
          "entity_category": "diagnostic",
        ],
        "update": [
          "p": "update", "unique_id": .string("\(id)_update"), "name": "Version", "device_class": "firmware",
          "state_topic": .string(box.topic("reported")),
          "value_template":
            "{{ {'installed_version': value_json.version, 'latest_version': value_json.version} | tojson }}",
          "entity_category": "diagnostic",
        ],
      ],
    ]
  }
}
