package import Displays
package import Geometry
package import Scenes
package import Schedules

/// The content of a configuration file, with default values for absent keys.
package struct Settings: Hashable, Sendable {
  /// The mode policy for monitors without a rule.
  package var policy: ModePolicy
  /// The default style of scenes.
  package var style: Style
  /// The initial message of displays without a configured scene; nil for none.
  package var message: String?
  /// The path of the control socket; nil for the default path.
  package var socket: String?
  /// The display backend.
  package var backend: Backend
  /// Whether atomic modesetting may be used if the driver supports it; false forces the legacy ioctls.
  package var isAtomicAllowed: Bool
  /// The rotation of displays without a rule.
  package var rotation: Rotation
  /// The limit of the glyph cache of one display, in bytes.
  package var glyphCache: Int
  /// The settings for all displays of a role.
  package var roles: [Role: DisplayRequests]
  /// Rules for single monitors, of which the first match applies.
  package var monitors: [MonitorRule]
  /// The log level.
  package var logLevel: LogLevel
  /// The storage of sessions, messages, and history.
  package var storage: Storage
  /// The number of days for which history is kept.
  package var historyDays: Int
  /// The size above which the oldest history is removed, in bytes; other state does not count.
  package var historyBytes: Int
  /// The maximum total size of uploaded images, in bytes.
  package var imagesBytes: Int
  /// The absolute paths of folders whose files scenes may show as images.
  package var folders: [String]
  /// The number of days after which an absent monitor is forgotten, along with its content.
  package var monitorDays: Int
  /// The folder with EDIDs of real monitors, which can be plugged in as virtual ones; nil for none.
  package var edids: String?
  /// Whether external displays sleep during host suspend or while the lid is closed.
  package var sleepsOnHostSuspend: Bool
  /// The hours in which displays without a rule are lit; nil for always.
  package var hours: DisplayHours?
  /// The distance from which people read displays without a rule, in millimeters; nil if it is unknown.
  package var distance: Int?
  /// The settings of TCP access.
  package var controller: ControllerSettings

  /// Creates settings with default values for omitted properties.
  package init(
    policy: ModePolicy = .legible, style: Style = Style(), message: String? = nil, socket: String? = nil,
    backend: Backend = .auto, isAtomicAllowed: Bool = true, rotation: Rotation = .none, glyphCache: Int = 32 << 20,
    roles: [Role: DisplayRequests] = [:], monitors: [MonitorRule] = [], logLevel: LogLevel = .info,
    storage: Storage = .usual, historyDays: Int = 90, historyBytes: Int = 64 << 20, monitorDays: Int = 90,
    edids: String? = nil, sleepsOnHostSuspend: Bool = false, controller: ControllerSettings = ControllerSettings(),
    imagesBytes: Int = 512 << 20, folders: [String] = [], hours: DisplayHours? = nil, distance: Int? = nil
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
    self.imagesBytes = imagesBytes
    self.folders = folders
    self.monitorDays = monitorDays
    self.edids = edids
    self.sleepsOnHostSuspend = sleepsOnHostSuspend
    self.controller = controller
    self.hours = hours
    self.distance = distance
  }

  /// The scenes of all roles and monitor rules.
  package var scenes: [Scene] {
    Role.allCases.compactMap { roles[$0]?.scene } + monitors.compactMap(\.wishes.scene)
  }
}

/// The displays that the daemon drives.
package enum Backend: String, Hashable, Sendable, CaseIterable {
  /// Real cards if there are any, otherwise one virtual monitor.
  case auto
  /// Real cards only, even if there are none.
  case kms
  /// Virtual monitors in memory.
  case virtual
}

/// The log level, with the names of swift-log.
package enum LogLevel: String, Hashable, Sendable, CaseIterable {
  /// Every step.
  case trace
  /// Details for debugging.
  case debug
  /// Normal events.
  case info
  /// Normal but significant events.
  case notice
  /// Possible problems.
  case warning
  /// Failures.
  case error
  /// Failures that end the daemon.
  case critical
}
