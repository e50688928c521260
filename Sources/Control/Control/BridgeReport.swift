/// The state of a bridge: a program that connects the service to another system, such as an MQTT broker.
public struct BridgeReport: Codable, Hashable, Sendable {
  /// The state of a bridge.
  public enum State: String, Codable, Hashable, Sendable, CaseIterable {
    /// The other system is connected.
    case connected
    /// The other system cannot be used, and the bridge tries again.
    case waiting
  }

  /// The name of the bridge.
  public var name: String
  /// The state.
  public var state: State
  /// The other system's address if it is connected, otherwise the reason with the next step.
  public var detail: String
  /// The time since which the bridge reports this.
  public var since: Timestamp

  /// Creates a report.
  public init(name: String, state: State, detail: String, since: Timestamp) {
    self.name = name
    self.state = state
    self.detail = detail
    self.since = since
  }
}

extension BridgeReport.State: InterfaceValue {}

extension BridgeReport: InterfaceObject {
  package static let interface = Interface.report(
    "BridgeReport", "The state of a bridge, a program that connects the service to another system.",
    [
      field("name", \.name, "The name of the bridge.", .example("mqtt")),
      field("state", \.state, "Whether the other system is connected."),
      field(
        "detail", \.detail,
        "The other system's address if it is connected, otherwise the reason with the next step.",
        .example("mqtt://broker.example:1883")),
      field("since", \.since, "The time since which the bridge reports this."),
    ])
}

/// A bridge's report of its state.
public struct BridgeRequest: Codable, Hashable, Sendable {
  /// The maximum length of the detail, in bytes of UTF-8.
  package static let largestDetail = 500

  /// The state.
  public var state: BridgeReport.State
  /// The other system's address if it is connected, otherwise the reason with the next step.
  public var detail: String

  /// Creates a request.
  public init(state: BridgeReport.State, detail: String) {
    self.state = state
    self.detail = detail
  }
}

extension BridgeRequest: InterfaceObject {
  package static let interface = Interface.request(
    "BridgeRequest", noun: "The state of a bridge", "A bridge's report of its state.",
    [
      field("state", \.state, "Whether the other system is connected."),
      field(
        "detail", \.detail,
        "The other system's address if it is connected, otherwise the reason with the next step.", .notEmpty,
        .example("mqtt://broker.example:1883")),
    ])
}
