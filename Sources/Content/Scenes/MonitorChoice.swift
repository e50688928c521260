package import Geometry

/// The mode and rotation chosen for a monitor at run time, which override the configuration.
package struct MonitorChoice: Hashable, Sendable {
  /// The mode in the configuration's syntax, a policy's name or a mode such as `1920x1080@60`; nil for the configured
  /// one.
  package var mode: String?
  /// The rotation of frames on the monitor; nil for the configured one.
  package var rotation: Rotation?

  /// Creates a choice; a part that is nil is left to the configuration.
  package init(mode: String? = nil, rotation: Rotation? = nil) {
    self.mode = mode
    self.rotation = rotation
  }

  /// Whether nothing was chosen.
  package var isEmpty: Bool { mode == nil && rotation == nil }
}
