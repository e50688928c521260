package import Displays
package import Geometry

/// A rule that overrides the role and default settings for some monitors.
package struct MonitorRule: Hashable, Sendable {
  /// The criteria for the monitors.
  package var match: MonitorMatch
  /// The requested settings.
  package var wishes: DisplayRequests

  /// Creates a rule for the monitors that match.
  package init(match: MonitorMatch, wishes: DisplayRequests) {
    self.match = match
    self.wishes = wishes
  }

  /// Creates a rule for mode and rotation only.
  package init(match: MonitorMatch, policy: ModePolicy? = nil, rotation: Rotation? = nil) {
    self.init(match: match, wishes: DisplayRequests(policy: policy, rotation: rotation))
  }
}

extension Settings {
  /// Returns the mode policy of a monitor: see `presentation`.
  package func policy(for monitor: MonitorIdentity, role: Role = .external) -> ModePolicy {
    presentation(for: monitor, role: role).policy
  }

  /// Returns the rotation of a monitor: see `presentation`.
  package func rotation(for monitor: MonitorIdentity, role: Role = .external) -> Rotation {
    presentation(for: monitor, role: role).rotation
  }
}
