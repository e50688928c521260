/// The health of the daemon, for monitoring.
public struct HealthReport: Codable, Hashable, Sendable {
  /// The state of the daemon.
  public enum State: String, Codable, Hashable, Sendable, CaseIterable {
    /// The first displays are not enabled yet.
    case starting
    /// There is nothing to report.
    case ok
    /// The daemon serves requests, but has problems, which `reasons` lists.
    case degraded
  }

  /// The state of the daemon.
  public var state: State
  /// Whether the daemon answers; always true in an answer.
  public var live: Bool
  /// Whether the daemon has enabled all displays that it can, or reported why not.
  public var ready: Bool
  /// The problems, one sentence each with the next step.
  public var reasons: [String]
  /// The time since the start, in seconds.
  public var uptime: Int
  /// The number of rejections since the start by the limit's name: refused connections, slow readers that were dropped.
  public var rejections: [String: Int]
  /// The unacknowledged losses, oldest first. `reasons` contains the text of each.
  public var losses: [LossReport]

  /// Creates a report.
  public init(
    state: State, live: Bool = true, ready: Bool, reasons: [String], uptime: Int, rejections: [String: Int] = [:],
    losses: [LossReport] = []
  ) {
    self.state = state
    self.live = live
    self.ready = ready
    self.reasons = reasons
    self.uptime = uptime
    self.rejections = rejections
    self.losses = losses
  }
}

extension HealthReport.State: InterfaceValue {}

extension HealthReport: InterfaceObject {
  package static let interface = Interface.report(
    "HealthReport", "The health of the service, for monitoring.",
    [
      field("state", \.state, "The state of the service."),
      field("live", \.live, "Whether the service answers; always true."),
      field("ready", \.ready, "Whether the service has enabled all displays that it can, or reported why not."),
      field("reasons", \.reasons, "The problems, one sentence each with the next step."),
      field("uptime", \.uptime, "The time since the start, in seconds.", .count),
      field("rejections", \.rejections, "The number of rejections since the start, by the name of the limit."),
      field(
        "losses", \.losses, "The unacknowledged losses, oldest first. `reasons` contains the text of each."),
    ])
}

/// Something that was lost: a reason in the health until someone acknowledges it, or until it is repaired.
public struct LossReport: Codable, Hashable, Sendable {
  /// The loss's number.
  public var id: Int
  /// A sentence with what was lost, the reason and the next step.
  public var text: String
  /// When the service noticed it.
  public var since: Timestamp

  /// A report from its parts.
  public init(id: Int, text: String, since: Timestamp) {
    self.id = id
    self.text = text
    self.since = since
  }
}

extension LossReport: InterfaceObject {
  package static let interface = Interface.report(
    "LossReport", "A loss of data, which the health reports until the loss is repaired or acknowledged.",
    [
      field("id", \.id, "The ID of the loss.", .id),
      field("text", \.text, "A sentence that says what was lost and why, with the next step."),
      field("since", \.since, "The time at which the service noticed the loss."),
    ])
}

/// The answer of a running service.
public struct Liveness: Codable, Hashable, Sendable {
  /// Whether the service answers; always true.
  public var live: Bool

  /// Creates the answer.
  public init() { live = true }
}

extension Liveness: InterfaceObject {
  package static let interface = Interface.report(
    "Liveness", "The answer of a running service.", [field("live", \.live, "Always true.")])
}
