/// The service as a whole.
public struct ServiceStatus: Codable, Hashable, Sendable {
  /// The service's version, `0.1.0`.
  public var version: String
  /// `kms` or `virtual`.
  public var backend: String
  /// The service's process id.
  public var pid: Int32
  /// How many displays are lit.
  public var lit: Int
  /// How many monitors are connected.
  public var connected: Int
  /// What is wrong, a sentence each; empty when all is well.
  public var problems: [String]
  /// The file that sessions, messages and the history are kept in, or a sentence why they are in memory only; nil where
  /// the service does not tell.
  public var storage: String?
  /// Where the web page is, `http://127.0.0.1:8080/`; nil where the service is reached by its socket alone.
  public var address: String?

  /// A status from its parts.
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

/// One display.
public struct DisplayReport: Codable, Hashable, Sendable {
  /// The connector's name, `HDMI-A-1`.
  public var name: String
  /// `lit` (a flip of the mode that is set has come), `lighting`, `stalled` (flips come no more), `dark`, `asleep`,
  /// `disconnected`, or `lost` where its card is gone.
  public var state: String
  /// Why it is not lit, in a sentence; nil where it is.
  public var reason: String?
  /// Why it is dark, in a word: `noMonitor`, `leftAlone`, `noMode`, `noCRTC`, `refused`, `busy`, `noMaster`, `noCard`,
  /// `asleep` or `failed`; nil where it is not. `noMaster` and `noCard` stand also at `disconnected` connectors of a card
  /// that the service does not have: what is plugged in is what the kernel saw last.
  public var cause: String?
  /// Since when it is in this state; nil where nobody knows.
  public var since: Timestamp?
  /// `internal` or `external`.
  public var role: String
  /// The card's node, `/dev/dri/card0`, or `memory`.
  public var card: String
  /// The driver's name, `virtio_gpu`.
  public var driver: String
  /// What the monitor calls itself, `DEL U2720Q`; nil without a readable EDID.
  public var monitor: String?
  /// The stable identity that a configuration can name; nil while nothing is connected.
  public var identity: String?
  /// The mode that is set, `1920x1080@60`; nil where none is.
  public var mode: String?
  /// Pixels across; 0 where no mode is set.
  public var width: Int
  /// Pixels down; 0 where no mode is set.
  public var height: Int
  /// How many pixels a logical unit has, 1 or 2.
  public var scale: Int
  /// The text on the display now; nil where nothing is shown.
  public var message: String?
  /// What a person should know of how it is shown: text cut, letters that no font has, another font taken.
  public var warnings: [String]
  /// By how many degrees pictures are turned clockwise: 0, 90, 180 or 270.
  public var rotation: Int
  /// The modes that can be asked for, `1920x1080@60`, in the monitor's order, each once; empty while nothing is
  /// connected.
  public var modes: [String]
  /// The mode that is tried now, and taken back unless it is confirmed; nil as a rule.
  public var trial: ModeTrial?
  /// Whether the mode or turn was chosen for this monitor by remote control, and not by the configuration.
  public var isChosen: Bool
  /// The session that it has, seen or covered; nil for none.
  public var session: Int?
  /// How many pictures of what moves on it came too late, since it was plugged in; nil while nothing has moved.
  public var missedFrames: Int?
  /// By how many degrees clockwise pictures are turned beyond `rotation`, for a panel that is built in turned; nil for
  /// others.
  public var mounted: Int?
  /// The most of those that came too late one after the other: how long it stood still at worst, in pictures.
  public var missedInARow: Int?

  /// A report from its parts.
  public init(
    name: String, state: String, reason: String?, cause: String? = nil, since: Timestamp? = nil, role: String,
    card: String, driver: String, monitor: String?,
    identity: String?, mode: String?, width: Int, height: Int, scale: Int, message: String?,
    warnings: [String] = [], rotation: Int = 0, modes: [String] = [], trial: ModeTrial? = nil, isChosen: Bool = false,
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
    self.trial = trial
    self.isChosen = isChosen
    self.session = session
    self.missedFrames = missedFrames
    self.missedInARow = missedInARow
    self.mounted = mounted
  }
}

/// How the mode of a display was chosen.
public struct WhyReport: Codable, Hashable, Sendable {
  /// A mode that was looked at, and what spoke for or against it.
  public struct Verdict: Codable, Hashable, Sendable {
    /// `3840x2160@60`.
    public var mode: String
    /// Why it was taken or not, in a sentence.
    public var reason: String

    /// A verdict on a mode.
    public init(mode: String, reason: String) {
      self.mode = mode
      self.reason = reason
    }
  }

  /// The connector's name.
  public var display: String
  /// The policy that decided, `legible`.
  public var policy: String
  /// The mode that was chosen; nil where there is none to be had.
  public var mode: String?
  /// How many pixels a logical unit has.
  public var scale: Int
  /// The steps that led to the choice, a sentence each, in order.
  public var reasons: [String]
  /// Each other mode of the monitor with what spoke against it.
  public var rejected: [Verdict]
  /// What happened when it was tried on the hardware, in order; empty while nothing was.
  public var attempts: [String]

  /// A report from its parts.
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

/// A message and where it is shown.
public struct MessageReport: Codable, Hashable, Sendable {
  /// When a display showed it.
  public struct Showing: Codable, Hashable, Sendable {
    /// The connector's name.
    public var display: String
    /// The flip's time, nanoseconds of CLOCK_MONOTONIC.
    public var flipTime: UInt64
    /// From the request's arrival to the flip, in milliseconds.
    public var milliseconds: Double

    /// A showing on a display.
    public init(display: String, flipTime: UInt64, milliseconds: Double) {
      self.display = display
      self.flipTime = flipTime
      self.milliseconds = milliseconds
    }
  }

  /// The live message that it is; nil where there is none.
  public var id: Int?
  /// The display it is for; nil for all, or where it is for a role or a tag.
  public var display: String?
  /// The text; nil where there is none, or where it is a scene of another kind.
  public var text: String?
  /// Which displays have shown it by now; filled only when the request asked to wait.
  public var shown: [Showing]
  /// Displays that did not show it although the request waited, `name: why`.
  public var notShown: [String]
  /// What a person should know of how it is shown, `name: what`: text cut, letters that no font has and the Debian
  /// package with one that does, another font taken.
  public var warnings: [String]
  /// Why no display shows it, and none is about to; nil if one does.
  public var unseen: String?
  /// The messages that cover it, a display each; nil if there are none.
  public var covers: [Cover]?

  /// A report from its parts.
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
