public import Displays
public import Geometry
public import Scenes

/// What a configuration file says, or its defaults where it says nothing.
public struct Settings: Hashable, Sendable {
  /// How a mode is chosen for monitors without a rule of their own.
  public var policy: ModePolicy
  /// How a banner looks.
  public var style: Style
  /// What displays without a scene of their own show at the start; nil for none.
  public var message: String?
  /// The path of the control socket; nil for the usual place.
  public var socket: String?
  /// Which displays to drive.
  public var backend: Backend
  /// Whether atomic modesetting may be used where the driver has it; false forces the legacy calls.
  public var isAtomicAllowed: Bool
  /// How pictures are turned on panels without a rule of their own.
  public var rotation: Rotation
  /// How many bytes the drawn glyphs of one display may take.
  public var glyphCache: Int
  /// What holds for all displays of a role.
  public var roles: [Role: DisplayWishes]
  /// Rules for single monitors; the first that matches decides.
  public var monitors: [MonitorRule]
  /// How much is logged.
  public var logLevel: LogLevel
  /// Where sessions, messages and history are kept.
  public var storage: Storage
  /// For how many days history is kept.
  public var historyDays: Int
  /// How many bytes the file of the state may have before the oldest history is removed.
  public var historyBytes: Int
  /// How many bytes uploaded pictures may have in all.
  public var picturesBytes: Int
  /// Folders, by their absolute paths, whose files scenes may show as pictures.
  public var folders: [String]
  /// After how many days without it a monitor is forgotten, with what it showed.
  public var monitorDays: Int
  /// The folder with EDIDs of real monitors, to be plugged as virtual ones; nil for none.
  public var edids: String?
  /// Whether external displays sleep while the machine sleeps or its lid is closed.
  public var sleepsWithController: Bool
  /// How the service is reached over TCP.
  public var controller: ControllerSettings

  /// Settings from their parts; what is left out has its default.
  public init(
    policy: ModePolicy = .legible, style: Style = Style(), message: String? = nil, socket: String? = nil,
    backend: Backend = .auto, isAtomicAllowed: Bool = true, rotation: Rotation = .none, glyphCache: Int = 32 << 20,
    roles: [Role: DisplayWishes] = [:], monitors: [MonitorRule] = [], logLevel: LogLevel = .info,
    storage: Storage = .usual, historyDays: Int = 90, historyBytes: Int = 64 << 20, monitorDays: Int = 90,
    edids: String? = nil, sleepsWithController: Bool = false, controller: ControllerSettings = ControllerSettings(),
    picturesBytes: Int = 512 << 20, folders: [String] = []
  ) {
    self.policy = policy
    self.style = style
    self.message = message
    self.socket = socket
    self.backend = backend
    self.isAtomicAllowed = isAtomicAllowed
    self.rotation = rotation
    self.glyphCache = glyphCache
    self.roles = roles
    self.monitors = monitors
    self.logLevel = logLevel
    self.storage = storage
    self.historyDays = historyDays
    self.historyBytes = historyBytes
    self.picturesBytes = picturesBytes
    self.folders = folders
    self.monitorDays = monitorDays
    self.edids = edids
    self.sleepsWithController = sleepsWithController
    self.controller = controller
  }

  /// The scenes that roles and monitors show.
  public var scenes: [Scene] {
    Role.allCases.compactMap { roles[$0]?.scene } + monitors.compactMap(\.wishes.scene)
  }
}

/// Which displays the service drives.
public enum Backend: String, Hashable, Sendable, CaseIterable {
  /// Real cards if there are any, else one virtual monitor.
  case auto
  /// Real cards, and none is a normal state.
  case kms
  /// Monitors in memory.
  case virtual
}

/// How much is logged, by the names of swift-log.
public enum LogLevel: String, Hashable, Sendable, CaseIterable {
  /// Every step.
  case trace
  /// What helps to find a fault.
  case debug
  /// What happened.
  case info
  /// What is worth a look.
  case notice
  /// What may go wrong.
  case warning
  /// What went wrong.
  case error
  /// What ends the service.
  case critical
}
