/// The state of one display.
public struct DisplayReport: Codable, Hashable, Sendable {
  /// The state of a display.
  public enum State: String, Codable, Hashable, Sendable, CaseIterable {
    /// The current mode has had a flip.
    case lit
    /// A mode is being set, or has not had a flip.
    case lighting
    /// Flips have stopped.
    case stalled
    /// The display shows nothing; see the cause.
    case dark
    /// The display was put to sleep.
    case asleep
    /// No monitor is connected.
    case disconnected
    /// The card is gone.
    case lost
  }

  /// The reason code of a dark display.
  public enum Cause: String, Codable, Hashable, Sendable, CaseIterable {
    /// No monitor is connected.
    case noMonitor
    /// The connector does not show messages: a head-mounted display, or a secondary tile of a monitor.
    case leftAlone
    /// The monitor lists no usable mode.
    case noMode
    /// No CRTC of the card is free.
    case noCRTC
    /// The card rejected all modes.
    case refused
    /// The card is busy.
    case busy
    /// Another program is DRM master.
    case noMaster
    /// The card cannot be opened, or does not respond.
    case noCard
    /// The display was put to sleep.
    case asleep
    /// Any other failure; see the reason.
    case failed
  }

  /// The connector's name, such as `HDMI-A-1`.
  public var name: String
  /// The state of the display.
  public var state: State
  /// The reason why the display is not lit, in a sentence; nil if it is lit.
  public var reason: String?
  /// The reason code of a dark display; nil if the display is not dark.
  ///
  /// The codes `noMaster` and `noCard` also occur at `disconnected` connectors of a card that the daemon does not
  /// control. The report then shows what the kernel last detected.
  public var cause: Cause?
  /// The time since which the display is in this state; nil if it is unknown.
  public var since: Timestamp?
  /// The role.
  public var role: DisplayRole
  /// The path of the card's device node, such as `/dev/dri/card0`, or `memory`.
  public var card: String
  /// The driver's name, such as `virtio_gpu`.
  public var driver: String
  /// The monitor's name from its EDID, such as `DEL U2720Q`; nil without a readable EDID.
  ///
  /// If no monitor is connected, the name of the last one that was, or nil if it is unknown.
  public var monitor: String?
  /// The stable identity by which a configuration refers to the monitor; nil while nothing is connected.
  public var identity: String?
  /// The current mode, such as `1920x1080@60`; nil if none is set.
  public var mode: String?
  /// The width of the mode in pixels; 0 if none is set.
  public var width: Int
  /// The height of the mode in pixels; 0 if none is set.
  public var height: Int
  /// The number of pixels per logical unit, 1 or 2.
  public var scale: Int
  /// The text that the display shows now; nil if it shows nothing.
  public var message: String?
  /// Warnings for people about how the content is shown: truncated text, characters that no font has, a substituted
  /// font.
  public var warnings: [String]
  /// The rotation of frames in degrees clockwise: 0, 90, 180 or 270.
  public var rotation: Int
  /// The modes that can be requested, `1920x1080@60`, in the monitor's order, each once.
  ///
  /// The list is empty while nothing is connected.
  public var modes: [String]
  /// The pending mode change, which is reverted unless it is confirmed; nil if there is none.
  public var pending: PendingModeChange?
  /// Whether the mode or rotation was chosen for this monitor by remote control and not by the configuration.
  public var isChosen: Bool
  /// The ID of the display's session, visible or covered; nil if there is none.
  public var session: Int?
  /// The number of animation frames that missed their flip since the monitor was connected; nil before any animation.
  public var missedFrames: Int?
  /// The rotation of frames in degrees clockwise in addition to `rotation`, for a panel that is mounted rotated.
  ///
  /// It is nil for other panels.
  public var mounted: Int?
  /// The largest number of consecutive frames that missed their flip, which is the longest freeze in frames.
  public var missedInARow: Int?
  /// The distance from which the smallest text on screen is readable; nil if there is no text, or if the size of the
  /// image is unknown.
  public var legibility: LegibilityReport?

  /// Creates a report.
  public init(
    name: String, state: State, reason: String?, cause: Cause? = nil, since: Timestamp? = nil, role: DisplayRole,
    card: String, driver: String, monitor: String?,
    identity: String?, mode: String?, width: Int, height: Int, scale: Int, message: String?,
    warnings: [String] = [], rotation: Int = 0, modes: [String] = [], pending: PendingModeChange? = nil,
    isChosen: Bool = false,
    session: Int? = nil, missedFrames: Int? = nil, missedInARow: Int? = nil, mounted: Int? = nil,
    legibility: LegibilityReport? = nil
  ) {
    self.name = name
    self.state = state
    self.reason = reason
    self.cause = cause
    self.since = since
    self.role = role
    self.card = card
    self.driver = driver
    self.monitor = monitor
    self.identity = identity
    self.mode = mode
    self.width = width
    self.height = height
    self.scale = scale
    self.message = message
    self.warnings = warnings
    self.rotation = rotation
    self.modes = modes
    self.pending = pending
    self.isChosen = isChosen
    self.session = session
    self.missedFrames = missedFrames
    self.missedInARow = missedInARow
    self.mounted = mounted
    self.legibility = legibility
  }
}

/// The role of a display, by which scenes and messages are assigned.
public enum DisplayRole: String, Codable, Hashable, Sendable, CaseIterable {
  /// A panel that is built in.
  case `internal`
  /// A monitor that is plugged in.
  case external
}

extension DisplayRole: InterfaceValue {}
extension DisplayReport.State: InterfaceValue {}
extension DisplayReport.Cause: InterfaceValue {}

extension DisplayReport: InterfaceObject {
  package static let interface = Interface.report(
    "DisplayReport", "The state of one display.",
    [
      field("name", \.name, "The connector's name.", .example("HDMI-A-1")),
      field(
        "state", \.state,
        "The state: lit after a flip in the current mode, stalled if flips have stopped, lost if the card is gone."),
      field("reason", \.reason, "The reason why the display is not lit."),
      field("cause", \.cause, "The reason code of a dark display."),
      field("since", \.since, "The time since which the display is in this state."),
      field("role", \.role, "The role of the display."),
      field("card", \.card, "The path of the card's device node, or memory.", .example("/dev/dri/card0")),
      field("driver", \.driver, "The driver's name.", .example("virtio_gpu")),
      field(
        "monitor", \.monitor, "The monitor's name from its EDID. Without a monitor, the name of the last one.",
        .example("DEL U2720Q")),
      field("identity", \.identity, "The stable identity by which a configuration refers to the monitor."),
      field("mode", \.mode, "The current mode; absent if none is set.", .example("1920x1080@60")),
      field("width", \.width, "The width of the mode in pixels; 0 if none is set.", .count),
      field("height", \.height, "The height of the mode in pixels; 0 if none is set.", .count),
      field("scale", \.scale, "The number of pixels per logical unit."),
      field("message", \.message, "The text that the display shows now."),
      field("warnings", \.warnings, "Warnings for people about how the content is shown."),
      field(
        "rotation", \.rotation, "The rotation of frames in degrees clockwise.", .values([0, 90, 180, 270])),
      field(
        "modes", \.modes, "The modes that can be requested, in the monitor's order.", .example("1920x1080@60")),
      field("pending", \.pending, "The pending mode change."),
      field(
        "isChosen", \.isChosen,
        "Whether the mode or rotation was chosen by remote control and not by the configuration."),
      field("session", \.session, "The ID of the display's session, visible or covered.", .id),
      field(
        "missedFrames", \.missedFrames,
        "The number of animation frames that missed their flip since the monitor was connected.", .count),
      field(
        "missedInARow", \.missedInARow, "The largest number of consecutive frames that missed their flip.", .count),
      field(
        "mounted", \.mounted,
        "The rotation in degrees clockwise in addition to `rotation`, for a panel that is mounted rotated.",
        .values([90, 180, 270])),
      field(
        "legibility", \.legibility,
        "The distance from which the smallest text on screen is readable; absent if the size of the image is unknown."),
    ])
}
