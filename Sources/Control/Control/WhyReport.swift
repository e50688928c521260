/// The way in which a display's mode was chosen.
public struct WhyReport: Codable, Hashable, Sendable {
  /// A mode that was considered, with the reason for or against it.
  public struct Verdict: Codable, Hashable, Sendable {
    /// The mode, such as `3840x2160@60`.
    public var mode: String
    /// The reason why the mode was chosen or rejected, in a sentence.
    public var reason: String

    /// Creates a verdict.
    public init(mode: String, reason: String) {
      self.mode = mode
      self.reason = reason
    }
  }

  /// The connector's name.
  public var display: String
  /// The policy that chose the mode, such as `legible`.
  public var policy: String
  /// The chosen mode; nil if no mode can be used.
  public var mode: String?
  /// The number of pixels per logical unit.
  public var scale: Int
  /// The steps that led to the choice, one sentence each, in order.
  public var reasons: [String]
  /// The monitor's other modes, each with the reason against it.
  public var rejected: [Verdict]
  /// The results of the attempts on the hardware, in order; empty before the first one.
  public var attempts: [String]

  /// Creates a report.
  public init(
    display: String, policy: String, mode: String?, scale: Int, reasons: [String], rejected: [Verdict],
    attempts: [String]
  ) {
    self.display = display
    self.policy = policy
    self.mode = mode
    self.scale = scale
    self.reasons = reasons
    self.rejected = rejected
    self.attempts = attempts
  }
}

extension WhyReport: InterfaceObject {
  package static let interface = Interface.report(
    "WhyReport", "The way in which a display's mode was chosen.",
    [
      field("display", \.display, "The connector's name.", .example("HDMI-A-1")),
      field("policy", \.policy, "The policy that chose the mode.", .example("legible")),
      field("mode", \.mode, "The chosen mode; absent if no mode can be used.", .example("1920x1080@60")),
      field("scale", \.scale, "The number of pixels per logical unit."),
      field("reasons", \.reasons, "The steps that led to the choice, one sentence each, in order."),
      field("rejected", \.rejected, "The monitor's other modes, each with the reason against it."),
      field("attempts", \.attempts, "The results of the attempts on the hardware, in order."),
    ])
}

extension WhyReport.Verdict: InterfaceObject {
  package static let interface = Interface.part(
    "A rejected mode.",
    [
      field("mode", \.mode, "The mode.", .example("3840x2160@60")),
      field("reason", \.reason, "The reason against the mode."),
    ])
}
