public import Displays

/// What holds for a monitor, or a sort of monitors, instead of the general policy.
public struct MonitorRule: Hashable, Sendable {
  /// Which monitors it is for.
  public var match: MonitorMatch
  /// How their mode is chosen.
  public var policy: ModePolicy

  /// A rule for the monitors that match.
  public init(match: MonitorMatch, policy: ModePolicy) {
    self.match = match
    self.policy = policy
  }
}

extension Settings {
  /// How the mode of a monitor is chosen: as the first rule that matches it says, else as for all.
  public func policy(for monitor: MonitorIdentity) -> ModePolicy {
    monitors.first { $0.match.matches(monitor) }?.policy ?? policy
  }
}
