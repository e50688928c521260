/// A monitor that is or was plugged in, and what is remembered of it: that is there again in its first frame, on whatever
/// port the monitor returns.
public struct Seat: Hashable, Sendable, Identifiable {
  /// Counts up, also over restarts.
  public let id: Int
  /// The monitor's identity; twins have the same.
  public let monitor: String
  /// What people call the monitor, as it was when the monitor was last plugged in; nil where no service recorded it.
  public internal(set) var label: String?
  /// The port where the monitor is, or was last.
  public internal(set) var place: String
  /// The connector's name; nil while the monitor is unplugged.
  public internal(set) var display: String?
  /// `internal` or `external`, as it was when the monitor was last plugged in.
  public internal(set) var role = "external"
  /// What the settings call it beside its names, so that messages reach it.
  public internal(set) var tags: [String] = []
  /// Whether the monitor was sent to sleep: it stays dark, also after it was unplugged, until it is woken.
  public internal(set) var isAsleep = false
  /// What was chosen for the monitor by remote control.
  public internal(set) var choice = MonitorChoice()
  /// What was opened on it; nil where it shows its role's scene.
  public internal(set) var session: Session?
  /// When it was last plugged in or unplugged, in milliseconds since 1970.
  public internal(set) var lastSeen: Int64

  /// Whether it differs from the seat of a monitor that was never seen, apart from a message of its own.
  var isWorthKeeping: Bool { session != nil || isAsleep || !choice.isEmpty }
}

/// A monitor that was plugged in.
public struct Arrival: Hashable, Sendable {
  /// The connector's name.
  public var display: String
  /// The monitor's identity.
  public var monitor: String
  /// What people call the monitor, `DEL U2720Q`; nil where it is not known.
  public var label: String?
  /// The port, by its path where there is one.
  public var place: String
  /// `internal` or `external`.
  public var role: String
  /// What the settings call the monitor beside its names.
  public var tags: [String]

  /// An arrival from its parts.
  public init(
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
