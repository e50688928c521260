package import JSON
package import MQTT

/// A box as its retained messages describe it.
package struct FleetBox: Hashable, Sendable {
  /// A display of a box.
  package struct Display: Hashable, Sendable {
    /// The connector's name.
    package var name: String
    /// The state, such as `lit`.
    package var state: String
    /// The reason why the display is not lit; nil if it is.
    package var reason: String?
    /// The identity of the monitor; nil while none is connected.
    package var identity: String?
    /// The name of the monitor; nil if it is unknown.
    package var monitor: String?
    /// The text on the display; nil if there is none.
    package var message: String?
  }

  /// The site.
  package var site: String
  /// The name of the box.
  package var node: String
  /// Whether the box is connected to the broker.
  package var isOnline = false
  /// The groups to which the box belongs.
  package var tags: [String] = []
  /// The health of the service, such as `ok`; empty before the first report.
  package var health = ""
  /// The problems of the box.
  package var reasons: [String] = []
  /// The version of Placard; nil if it is unknown.
  package var version: String?
  /// The displays.
  package var displays: [Display] = []
  /// The version of the desired state that the box has accepted; nil for none.
  package var desiredVersion: Int?
  /// The paths of the desired state that the box has not applied yet.
  package var desiredWaiting: [String] = []
  /// The paths of the desired state that the service has refused, each with the reason.
  package var desiredRefused: [String] = []
  /// The retained message with the desired state; nil for none.
  package var desired: JSONValue?

  /// The name with the site, `berlin/lobby`.
  package var name: String { "\(site)/\(node)" }

  /// `offline`, or the health of the service.
  package var state: String { isOnline ? health.isEmpty ? "unknown" : health : "offline" }

  /// Returns the values that an expression compares.
  func values(of key: FleetExpression.Key) -> [String] {
    switch key {
    case .tag: tags
    case .site: [site]
    case .node: [node]
    case .state: [state]
    case .monitor: displays.flatMap { [$0.identity, $0.monitor].compactMap(\.self) }
    case .version: [version].compactMap(\.self)
    }
  }

  fileprivate mutating func read(_ report: JSONValue) {
    tags = report["tags"]?.elements?.compactMap(\.text) ?? []
    health = report["state"]?.text ?? ""
    reasons = report["reasons"]?.elements?.compactMap(\.text) ?? []
    version = report["version"]?.text
    displays =
      report["displays"]?.elements?.map { display in
        Display(
          name: display["name"]?.text ?? "", state: display["state"]?.text ?? "", reason: display["reason"]?.text,
          identity: display["identity"]?.text, monitor: display["monitor"]?.text, message: display["message"]?.text)
      } ?? []
    desiredVersion = report["desired"]?["version"]?.integer
    desiredWaiting = report["desired"]?["waiting"]?.elements?.compactMap(\.text) ?? []
    desiredRefused =
      report["desired"]?["refused"]?.elements?.map { refusal in
        "\(refusal["path"]?.text ?? ""): \(refusal["detail"]?.text ?? "")"
      } ?? []
  }
}

/// The boxes of a fleet, from the messages that the broker keeps.
package struct FleetInventory: Hashable, Sendable {
  private var boxesByName: [String: FleetBox] = [:]

  /// Creates an inventory without boxes.
  package init() {}

  /// The topics from which the inventory is read.
  package static let topics = ["placard/+/+/reported", "placard/+/+/availability", "placard/+/+/desired"]

  /// The boxes, sorted by site and name.
  package var boxes: [FleetBox] { boxesByName.values.sorted { ($0.site, $0.node) < ($1.site, $1.node) } }

  /// Returns the box with a name such as `berlin/lobby`; nil if it is unknown.
  package func box(_ name: String) -> FleetBox? { boxesByName[name] }

  /// Returns the boxes that an expression chooses, sorted by site and name.
  package func boxes(_ expression: FleetExpression) -> [FleetBox] { boxes.filter(expression.matches) }

  /// Reads a message of a box.
  ///
  /// - Parameter message: The message; those of other topics are ignored.
  /// - Returns: The name of the box that has changed; nil for none.
  @discardableResult
  package mutating func read(_ message: MQTTMessage) -> String? {
    let levels = message.topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard levels.count == 4, levels[0] == "placard" else { return nil }
    var box = boxesByName["\(levels[1])/\(levels[2])"] ?? FleetBox(site: levels[1], node: levels[2])
    let old = box
    switch levels[3] {
    case "availability": box.isOnline = message.payload.elementsEqual("online".utf8)
    case "reported":
      guard let report = try? JSONValue(parsing: message.payload) else { return nil }
      box.read(report)
    case "desired": box.desired = try? JSONValue(parsing: message.payload)
    default: return nil
    }
    boxesByName[box.name] = box
    return box == old ? nil : box.name
  }
}

/// A change of the desired state of boxes.
///
/// Each box has two layers: the one that its groups share, and its own, which hides paths of the first. The box gets
/// both together.
package struct DesiredChange: Sendable {
  /// The bodies by path; null removes what is there.
  package var bodies: [String: JSONValue] = [:]
  /// The paths that are no longer part of the state. What is there stays.
  package var forgotten: [String] = []
  /// Whether the box's own layer is changed; otherwise the shared one.
  package var isOverride = false

  /// Creates a change without content.
  package init() {}

  /// Returns the next document for a box.
  ///
  /// - Parameter document: The document that the broker has; nil for none.
  /// - Returns: The document with the next version.
  package func applied(to document: JSONValue?) -> JSONValue {
    func layer(_ name: String) -> [String: JSONValue] {
      if case .object(let layer)? = document?["layers"]?[name] { layer } else { [:] }
    }
    var shared = layer("shared")
    // A document that another program has written is the shared layer.
    if document?["layers"] == nil, case .object(let state)? = document?["state"] { shared = state }
    var own = layer("own")
    func change(_ layer: inout [String: JSONValue]) {
      layer.merge(bodies) { _, new in new }
      for path in forgotten { layer[path] = nil }
    }
    if isOverride { change(&own) } else { change(&shared) }
    return [
      "version": .number("\((document?["version"]?.integer ?? 0) + 1)"),
      "state": .object(shared.merging(own) { _, own in own }),
      "layers": ["shared": .object(shared), "own": .object(own)],
    ]
  }
}

/// The answers of boxes to a message.
package struct FleetReceipts: Sendable {
  /// The number of boxes that were asked.
  package private(set) var asked: Int
  /// The number of boxes that have answered.
  package private(set) var answered = 0
  /// The number of displays that show the message.
  package private(set) var shown = 0
  /// The displays and boxes that do not show it, by reason.
  package private(set) var reasons: [String: [String]] = [:]

  /// Creates receipts for a number of boxes.
  package init(asked: Int) { self.asked = asked }

  /// Reads the reply of a box.
  package mutating func read(_ reply: JSONValue, of box: String) {
    answered += 1
    guard let status = reply["status"]?.integer, (200..<300).contains(status) else {
      reasons[reply["body"]?["detail"]?.text ?? "refused", default: []].append(box)
      return
    }
    shown += reply["body"]?["shown"]?.elements?.count ?? 0
    for entry in reply["body"]?["notShown"]?.elements?.compactMap(\.text) ?? [] {
      let parts = entry.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
      let display = parts.first.map(String.init) ?? ""
      reasons[parts.count == 2 ? String(parts[1]) : entry, default: []].append("\(box) \(display)")
    }
  }

  /// Notes a box that cannot answer.
  package mutating func note(_ reason: String, _ box: String) { reasons[reason, default: []].append(box) }

  /// The lines for people.
  ///
  /// - Parameter seconds: The time from sending to the last answer.
  /// - Returns: The sum, and a line for each reason.
  package func lines(_ seconds: Double) -> [String] {
    let dark = reasons.values.map(\.count).reduce(0, +)
    let time = (seconds * 10).rounded() / 10
    var lines = ["\(shown) of \(shown + dark) on screen in \(time) s; \(answered) of \(asked) boxes answered"]
    for (reason, names) in reasons.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
      let named = names.sorted().prefix(3).joined(separator: ", ") + (names.count > 3 ? ", ..." : "")
      lines.append("\(names.count) because \(reason): \(named)")
    }
    return lines
  }
}
