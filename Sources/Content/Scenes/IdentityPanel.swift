/// The content of the identify screen, which is read by a person in front of the display.
package struct IdentityPanel: Hashable, Sendable {
  /// The connector's name, such as `HDMI-A-1`.
  package var name: String
  /// The monitor's name from its EDID; nil if it has none.
  package var monitor: String?
  /// The mode, such as `1920x1080@60`, with its scale and rotation; nil if it is unknown.
  package var mode: String?
  /// The role, `internal` or `external`; nil if it is unknown.
  package var role: String?
  /// The address of the web page for other machines; nil if they cannot reach it.
  package var address: String?

  /// Creates a panel from its parts.
  package init(
    name: String = "", monitor: String? = nil, mode: String? = nil, role: String? = nil, address: String? = nil
  ) {
    self.name = name
    self.monitor = monitor
    self.mode = mode
    self.role = role
    self.address = address
  }
}
