public import Displays
public import Geometry

/// What holds for a monitor, or a sort of monitors, instead of the general policy.
public struct MonitorRule: Hashable, Sendable {
  /// Which monitors it is for.
  public var match: MonitorMatch
  /// How their mode is chosen; nil for how it is for all.
  public var policy: ModePolicy?
  /// How pictures are turned on them; nil for how it is for all.
  public var rotation: Rotation?

  /// A rule for the monitors that match.
  public init(match: MonitorMatch, policy: ModePolicy? = nil, rotation: Rotation? = nil) {
    self.match = match
    self.policy = policy
    self.rotation = rotation
  }
}

extension Settings {
  /// How the mode of a monitor is chosen: as the first rule that matches it says, else as for all.
  public func policy(for monitor: MonitorIdentity) -> ModePolicy {
    rule(for: monitor)?.policy ?? policy
  }

  /// How pictures are turned on a monitor: as the first rule that matches it says, else as for all.
  public func rotation(for monitor: MonitorIdentity) -> Rotation {
    rule(for: monitor)?.rotation ?? rotation
  }

  private func rule(for monitor: MonitorIdentity) -> MonitorRule? {
    monitors.first { $0.match.matches(monitor) }
  }
}
