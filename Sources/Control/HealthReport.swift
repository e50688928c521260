/// How the service is, for whoever watches over it.
public struct HealthReport: Codable, Hashable, Sendable {
  /// How it is.
  public enum State: String, Codable, Hashable, Sendable {
    /// The first displays are not lit yet.
    case starting
    /// All is well.
    case ok
    /// It serves, and something is wrong: `reasons` says what.
    case degraded
  }

  /// How it is.
  public var state: State
  /// Whether it answers; always true where it does.
  public var live: Bool
  /// Whether it has lit what there is to light, or said why not.
  public var ready: Bool
  /// What is wrong, a sentence each with the next step.
  public var reasons: [String]
  /// For how many seconds the service has run.
  public var uptime: Int
  /// What limits have cut since the start, by the limit's name: refused connections, slow readers that were dropped.
  public var cut: [String: Int]
  /// What was lost and not acknowledged, oldest first. Each text is among the reasons.
  public var losses: [LossReport]

  /// A report from its parts.
  public init(
    state: State, live: Bool = true, ready: Bool, reasons: [String], uptime: Int, cut: [String: Int] = [:],
    losses: [LossReport] = []
  ) {
    self.state = state
    self.live = live
    self.ready = ready
    self.reasons = reasons
    self.uptime = uptime
    self.cut = cut
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
    cut = try fields.decode([String: Int].self, forKey: .cut)
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

/// The virtual monitors that are plugged in, and those that can be chosen from.
public struct VirtualReport: Codable, Hashable, Sendable {
  /// A monitor on the menu.
  public struct Choice: Codable, Hashable, Sendable {
    /// What people read, `4K, 3840x2160`.
    public var label: String
    /// What plugs it.
    public var request: PlugRequest

    /// A choice from its parts.
    public init(label: String, request: PlugRequest) {
      self.label = label
      self.request = request
    }
  }

  /// Whether this service has virtual monitors at all.
  public var available: Bool
  /// The names of the virtual displays that have a monitor.
  public var plugged: [String]
  /// The menu.
  public var choices: [Choice]

  /// A report from its parts.
  public init(available: Bool, plugged: [String] = [], choices: [Choice] = []) {
    self.available = available
    self.plugged = plugged
    self.choices = choices
  }
}
