/// Which display this is, for whoever stands before it.
public struct IdentityPanel: Hashable, Sendable {
  /// The connector's name, `HDMI-A-1`.
  public var name: String
  /// What the monitor calls itself; nil where it does not say.
  public var monitor: String?
  /// The mode, `1920x1080@60`, and how it is used: drawn at scale 2, turned; nil where it is not known.
  public var mode: String?
  /// `internal` or `external`; nil where it is not known.
  public var role: String?
  /// The web page's address; nil where there is none.
  public var address: String?

  /// A panel from its parts.
  public init(
    name: String = "", monitor: String? = nil, mode: String? = nil, role: String? = nil, address: String? = nil
  ) {
    self.name = name
    self.monitor = monitor
    self.mode = mode
    self.role = role
    self.address = address
  }
}
