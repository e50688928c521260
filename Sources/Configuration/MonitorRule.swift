public import Displays
public import Geometry

/// What holds for a monitor, or a sort of monitors, instead of what holds for its role and for all.
public struct MonitorRule: Hashable, Sendable {
  /// Which monitors it is for.
  public var match: MonitorMatch
  /// What is wanted for them.
  public var wishes: DisplayWishes

  /// A rule for the monitors that match.
  public init(match: MonitorMatch, wishes: DisplayWishes) {
    self.match = match
    self.wishes = wishes
  }

  /// A rule about mode and turn alone.
  public init(match: MonitorMatch, policy: ModePolicy? = nil, rotation: Rotation? = nil) {
    self.init(match: match, wishes: DisplayWishes(policy: policy, rotation: rotation))
  }
}

extension Settings {
  /// How the mode of a monitor is chosen: see `presentation`.
  public func policy(for monitor: MonitorIdentity, role: Role = .external) -> ModePolicy {
    presentation(for: monitor, role: role).policy
  }

  /// How pictures are turned on a monitor: see `presentation`.
  public func rotation(for monitor: MonitorIdentity, role: Role = .external) -> Rotation {
    presentation(for: monitor, role: role).rotation
  }
}
