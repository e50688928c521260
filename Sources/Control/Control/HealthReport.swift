/// The health of the daemon, for monitoring.
public struct HealthReport: Codable, Hashable, Sendable {
  /// The state of the daemon.
  public enum State: String, Codable, Hashable, Sendable {
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

  /// Reads a report, also that of an older service, which has no `losses`.
  ///
  /// - Parameter decoder: A decoder of JSON.
  /// - Throws: `DecodingError` if another field is missing or of another type.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    state = try fields.decode(State.self, forKey: .state)
    live = try fields.decode(Bool.self, forKey: .live)
    ready = try fields.decode(Bool.self, forKey: .ready)
    reasons = try fields.decode([String].self, forKey: .reasons)
    uptime = try fields.decode(Int.self, forKey: .uptime)
    rejections = try fields.decode([String: Int].self, forKey: .rejections)
    losses = try fields.decodeIfPresent([LossReport].self, forKey: .losses) ?? []
  }
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

/// The virtual monitors that are plugged in, and those that can be plugged in.
public struct VirtualReport: Codable, Hashable, Sendable {
  /// A monitor that can be plugged in.
  public struct Choice: Codable, Hashable, Sendable {
    /// The label for people, such as `4K, 3840x2160`.
    public var label: String
    /// The request that plugs the monitor in.
    public var request: PlugRequest

    /// Creates a choice.
    public init(label: String, request: PlugRequest) {
      self.label = label
      self.request = request
    }
  }

  /// Whether the daemon supports virtual monitors.
  public var available: Bool
  /// The names of the virtual displays that have a monitor.
  public var plugged: [String]
  /// The monitors that can be plugged in.
  public var choices: [Choice]

  /// Creates a report.
  public init(available: Bool, plugged: [String] = [], choices: [Choice] = []) {
    self.available = available
    self.plugged = plugged
    self.choices = choices
  }
}
