/// A monitor profile: the stored state of a monitor that is or was plugged in.
///
/// The state is restored in the monitor's first frame when it returns, on any port.
package struct MonitorProfile: Hashable, Sendable, Identifiable {
  /// The profile's number, which increases across restarts.
  package let id: Int
  /// The monitor's identity; twins share the same one.
  package let monitor: String
  /// The monitor's readable name from when it was last plugged in; nil if no daemon recorded it.
  package internal(set) var label: String?
  /// The monitor's current or last port.
  package internal(set) var place: String
  /// The connector's name; nil while the monitor is unplugged.
  package internal(set) var display: String?
  /// The role `internal` or `external`, from when the monitor was last plugged in.
  package internal(set) var role = "external"
  /// The configured tags, which messages can target.
  package internal(set) var tags: [String] = []
  /// Whether the monitor was put to sleep; it stays dark until it is woken, even after being unplugged.
  package internal(set) var isAsleep = false
  /// The mode and rotation that were chosen for the monitor at run time.
  package internal(set) var choice = MonitorChoice()
  /// The open session; nil if the monitor shows its role's scene.
  package internal(set) var session: Session?
  /// The time when the monitor was last plugged in or unplugged, in milliseconds since 1970.
  package internal(set) var lastSeen: Int64

  /// Whether the profile differs from that of a new monitor; own messages are not considered.
  var hasStoredState: Bool { session != nil || isAsleep || !choice.isEmpty }
}

/// A monitor that was plugged in.
package struct Arrival: Hashable, Sendable {
  /// The connector's name.
  package var display: String
  /// The monitor's identity.
  package var monitor: String
  /// The monitor's readable name, such as `DEL U2720Q`; nil if it is unknown.
  package var label: String?
  /// The port, identified by its path if it has one.
  package var place: String
  /// The role, `internal` or `external`.
  package var role: String
  /// The configured tags of the monitor.
  package var tags: [String]

  /// Creates an arrival from its parts.
  package init(
    display: String, monitor: String, label: String? = nil, place: String, role: String = "external",
    tags: [String] = []
  ) {
    self.display = display
    self.monitor = monitor
    self.label = label
    self.place = place
    self.role = role
    self.tags = tags
  }
}
