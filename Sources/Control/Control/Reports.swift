/// The status of the whole daemon.
public struct ServiceStatus: Codable, Hashable, Sendable {
  /// The daemon's version, such as `0.1.0`.
  public var version: String
  /// The backend, `kms` or `virtual`.
  public var backend: String
  /// The daemon's process ID.
  public var pid: Int32
  /// The number of lit displays.
  public var lit: Int
  /// The number of connected monitors.
  public var connected: Int
  /// The problems, one sentence each; empty if there are none.
  public var problems: [String]
  /// The file that stores sessions, messages and the history, or a sentence why they are kept in memory only.
  ///
  /// It is nil if the daemon does not report it.
  public var storage: String?
  /// The URL of the web page, such as `http://127.0.0.1:8080/`; nil if the daemon listens on its Unix socket only.
  public var address: String?

  /// Creates a status.
  public init(
    version: String, backend: String, pid: Int32, lit: Int, connected: Int, problems: [String], storage: String? = nil,
    address: String? = nil
  ) {
    self.version = version
    self.backend = backend
    self.pid = pid
    self.lit = lit
    self.connected = connected
    self.problems = problems
    self.storage = storage
    self.address = address
  }
}

/// The state of one display.
public struct DisplayReport: Codable, Hashable, Sendable {
  /// The connector's name, such as `HDMI-A-1`.
  public var name: String
  /// The state of the display.
  ///
  /// It is `lit` (the current mode has had a flip), `lighting`, `stalled` (flips have stopped), `dark`, `asleep`,
  /// `disconnected`, or `lost` (the card is gone).
  public var state: String
  /// The reason why the display is not lit, in a sentence; nil if it is lit.
  public var reason: String?
  /// The reason code of a dark display; nil if the display is not dark.
  ///
  /// It is `noMonitor`, `leftAlone`, `noMode`, `noCRTC`, `refused`, `busy`, `noMaster`, `noCard`, `asleep` or `failed`.
  /// The codes `noMaster` and `noCard` also occur at `disconnected` connectors of a card that the daemon does not
  /// control. The report then shows what the kernel last detected.
  public var cause: String?
  /// The time since which the display is in this state; nil if it is unknown.
  public var since: Timestamp?
  /// The role, `internal` or `external`.
  public var role: String
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

  /// Creates a report.
  public init(
    name: String, state: String, reason: String?, cause: String? = nil, since: Timestamp? = nil, role: String,
    card: String, driver: String, monitor: String?,
    identity: String?, mode: String?, width: Int, height: Int, scale: Int, message: String?,
    warnings: [String] = [], rotation: Int = 0, modes: [String] = [], pending: PendingModeChange? = nil,
    isChosen: Bool = false,
    session: Int? = nil, missedFrames: Int? = nil, missedInARow: Int? = nil, mounted: Int? = nil
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
  }
}

/// The way in which a display's mode was chosen.
public struct WhyReport: Codable, Hashable, Sendable {
  /// A mode that was considered, with the reason for or against it.
  public struct Verdict: Codable, Hashable, Sendable {
    /// The mode, such as `3840x2160@60`.
    public var mode: String
    /// The reason why the mode was chosen or rejected, in a sentence.
    public var reason: String

    /// Creates a verdict.
    public init(mode: String, reason: String) {
      self.mode = mode
      self.reason = reason
    }
  }

  /// The connector's name.
  public var display: String
  /// The policy that chose the mode, such as `legible`.
  public var policy: String
  /// The chosen mode; nil if no mode can be used.
  public var mode: String?
  /// The number of pixels per logical unit.
  public var scale: Int
  /// The steps that led to the choice, one sentence each, in order.
  public var reasons: [String]
  /// The monitor's other modes, each with the reason against it.
  public var rejected: [Verdict]
  /// The results of the attempts on the hardware, in order; empty before the first one.
  public var attempts: [String]

  /// Creates a report.
  public init(
    display: String, policy: String, mode: String?, scale: Int, reasons: [String], rejected: [Verdict],
    attempts: [String]
  ) {
    self.display = display
    self.policy = policy
    self.mode = mode
    self.scale = scale
    self.reasons = reasons
    self.rejected = rejected
    self.attempts = attempts
  }
}

/// A message, and where it is shown.
public struct MessageReport: Codable, Hashable, Sendable {
  /// The presentation of a message on one display.
  public struct Showing: Codable, Hashable, Sendable {
    /// The connector's name.
    public var display: String
    /// The time of the flip, in nanoseconds of CLOCK_MONOTONIC. If the display showed the same picture before, it is
    /// the time of that flip.
    public var flipTime: UInt64
    /// The time from the arrival of the request to the flip, in milliseconds.
    public var milliseconds: Double

    /// Creates a showing.
    public init(display: String, flipTime: UInt64, milliseconds: Double) {
      self.display = display
      self.flipTime = flipTime
      self.milliseconds = milliseconds
    }
  }

  /// The ID of the live message; nil if there is none.
  public var id: Int?
  /// The target display; nil if the target is all displays, a role or a tag.
  public var display: String?
  /// The text; nil if there is none, or if the message is a scene of another kind.
  public var text: String?
  /// The displays that have shown the message; filled in only if the request asked to wait.
  public var shown: [Showing]
  /// The displays that did not show the message, as `name: reason`.
  public var notShown: [String]
  /// Warnings for people about how the message is shown, as `name: warning`.
  ///
  /// Examples are truncated text, characters that no font has (with the Debian package of a font that has them), and a
  /// substituted font.
  public var warnings: [String]
  /// The reason why no display shows the message or is about to; nil if one does.
  public var unseen: String?
  /// The messages that cover this one, one per display; nil if there are none.
  public var covers: [Cover]?

  /// Creates a report.
  public init(
    id: Int? = nil, display: String?, text: String?, shown: [Showing] = [], notShown: [String] = [],
    warnings: [String] = [], unseen: String? = nil, covers: [Cover]? = nil
  ) {
    self.id = id
    self.warnings = warnings
    self.unseen = unseen
    self.covers = covers
    self.display = display
    self.text = text
    self.shown = shown
    self.notShown = notShown
  }
}
