package import Control
package import SystemFiles

/// The observed state of a machine and of its service, as plain values.
///
/// All findings are derived from it.
package struct MachineReport: Hashable, Sendable {
  /// The result of querying the service.
  package var answer = ServiceAnswer.absent
  /// The version of this program.
  package var version = PlacardVersion.current
  /// The path of the service's socket.
  package var socket = SocketPath.system
  /// The owner and mode of the socket, or nil if it does not exist.
  package var socketFacts: FileFacts?
  /// The state of the service's unit, or nil if systemd is missing or does not answer.
  package var unit: ServiceUnit?
  /// The visible processes of placardd.
  package var processes: [ServiceProcess] = []
  /// The reason why the configuration is invalid, or nil if it is valid.
  package var configurationError: String?
  /// The account of this program.
  package var caller: Account
  /// The users and groups of the machine.
  package var accounts: AccountBook
  /// The DRM devices with connectors.
  package var cards: [CardState] = []
  /// The nodes of DRM devices without connectors.
  package var renderNodes: [String] = []
  /// The display devices on the PCI bus.
  package var adapters: [Adapter] = []
  /// The kernel's framebuffers, as named in /proc/fb.
  package var framebuffers: [String] = []
  /// The active virtual terminal, or nil if the kernel has none.
  package var terminal: TerminalState?
  /// The kernel's command line.
  package var kernelArguments: [String] = []
  /// The default font according to fontconfig, or any installed font if fontconfig does not answer.
  package var fonts = FontState.unseen("the search was not possible")
  /// The storage of the service's state, or nil if its path is unknown.
  package var storage: StorageState?
  /// Whether the time zone database exists.
  package var hasTimeZones = true

  /// Creates an report without observations.
  ///
  /// - Parameters:
  ///   - caller: The account of this program.
  ///   - accounts: The users and groups of the machine.
  package init(caller: Account, accounts: AccountBook) {
    self.caller = caller
    self.accounts = accounts
  }
}

/// The result of querying the service.
package enum ServiceAnswer: Hashable, Sendable {
  /// The service answered.
  case answers(ServiceView)
  /// The service accepted the connection but did not answer within seconds.
  case silent
  /// No process listens on the socket.
  case absent
  /// This user may not connect to the socket.
  case notPermitted
  /// The peer sent an invalid answer.
  ///
  /// The value describes it.
  case broken(String)
}

/// The service's reports about itself.
package struct ServiceView: Hashable, Sendable {
  /// The status of the service.
  package var status: ServiceStatus
  /// The reports of its displays.
  package var displays: [DisplayReport]
  /// The reasons for the modes of connected displays, by display name.
  package var reasons: [String: WhyReport]

  /// Creates a view from its parts.
  package init(status: ServiceStatus, displays: [DisplayReport] = [], reasons: [String: WhyReport] = [:]) {
    (self.status, self.displays, self.reasons) = (status, displays, reasons)
  }
}

/// The state of placard.service in systemd.
package struct ServiceUnit: Hashable, Sendable {
  /// The active state: `active`, `inactive`, `failed`, `activating`.
  package var active: String
  /// The result of the last run: `success`, `exit-code`.
  package var result: String
  /// The number of automatic restarts.
  package var restarts: Int
  /// The account that the unit runs as, with its supplementary groups, or nil if the user does not exist.
  package var account: Account?
  /// The last line of its log, or nil if the service answers or this user may not read the log.
  package var lastLine: String?

  /// Creates a unit from its parts.
  package init(
    active: String, result: String = "success", restarts: Int = 0, account: Account? = nil, lastLine: String? = nil
  ) {
    self.active = active
    self.result = result
    self.restarts = restarts
    self.account = account
    self.lastLine = lastLine
  }
}

/// A process of placardd.
package struct ServiceProcess: Hashable, Sendable {
  /// The process ID.
  package var pid: Int32
  /// The account that the process runs as.
  package var account: Account
  /// The arguments, without the program name.
  package var arguments: [String]

  /// Creates a process from its parts.
  package init(pid: Int32, account: Account, arguments: [String] = []) {
    (self.pid, self.account, self.arguments) = (pid, account, arguments)
  }

  /// Returns the value of an option, given as `--state PATH` or `--state=PATH`.
  ///
  /// - Parameter name: The option with its dashes.
  /// - Returns: The last value, as in the service's own parser, or nil if the option is absent.
  package func option(_ name: String) -> String? {
    var value: String?
    for (place, argument) in arguments.enumerated() {
      if argument == name, place + 1 < arguments.count { value = arguments[place + 1] }
      if argument.hasPrefix(name + "=") { value = String(argument.dropFirst(name.count + 1)) }
    }
    return value
  }
}

/// A graphics card with connectors.
package struct CardState: Hashable, Sendable {
  /// The device node, such as `/dev/dri/card0`.
  package var node: String
  /// The kernel driver, such as `i915`.
  package var driver: String
  /// The owner and mode of the node, or nil if it does not exist.
  package var facts: FileFacts?
  /// The connectors of the card.
  package var connectors: [ConnectorState]
  /// The processes that have the card open, as far as this user can see them.
  package var holders: [NodeHolder]
  /// The DRM master, or nil if there is none or this user cannot see it.
  package var master: NodeHolder?

  /// The name in sysfs, such as `card0`.
  var name: String { node.split(separator: "/").last.map(String.init) ?? node }

  /// Creates a card from its parts.
  package init(
    node: String, driver: String, facts: FileFacts?, connectors: [ConnectorState], holders: [NodeHolder] = [],
    master: NodeHolder? = nil
  ) {
    self.node = node
    self.driver = driver
    self.facts = facts
    self.connectors = connectors
    self.holders = holders
    self.master = master
  }
}

/// A connector in sysfs, in the state of its last probe.
package struct ConnectorState: Hashable, Sendable {
  /// The connector's name, such as `HDMI-A-1`.
  package var name: String
  /// Whether a monitor is connected.
  package var isConnected: Bool
  /// The EDID, empty if there is none.
  package var edid: [UInt8]
  /// Whether debugfs overrides the monitor's EDID.
  package var isOverridden: Bool

  /// Creates a connector from its parts.
  package init(name: String, isConnected: Bool, edid: [UInt8] = [], isOverridden: Bool = false) {
    self.name = name
    self.isConnected = isConnected
    self.edid = edid
    self.isOverridden = isOverridden
  }
}

/// A display device on the PCI bus.
package struct Adapter: Hashable, Sendable {
  /// The PCI address, such as `0000:00:02.0`.
  package var address: String
  /// The vendor and device ID, such as `8086:3e92`.
  package var identity: String
  /// The bound driver, or nil if there is none.
  package var driver: String?

  /// Creates a device from its parts.
  package init(address: String, identity: String, driver: String?) {
    (self.address, self.identity, self.driver) = (address, identity, driver)
  }
}

/// A virtual terminal.
package struct TerminalState: Hashable, Sendable {
  /// The terminal's mode.
  package enum Mode: Hashable, Sendable {
    /// The kernel's console draws text.
    case text
    /// A program draws on the display itself (KD_GRAPHICS).
    case graphics
    /// This user may not query the mode.
    case unseen
  }

  /// The terminal's name, such as `tty1`.
  package var name: String
  /// The terminal's mode.
  package var mode: Mode
  /// The processes that have the terminal open, as far as this user can see them.
  package var holders: [NodeHolder]

  /// Creates a terminal from its parts.
  package init(name: String, mode: Mode, holders: [NodeHolder] = []) {
    (self.name, self.mode, self.holders) = (name, mode, holders)
  }
}

/// The font for text.
package enum FontState: Hashable, Sendable {
  /// The path of the font file.
  case found(String)
  /// No font is installed.
  case none
  /// The search was not possible.
  ///
  /// The value is the reason.
  case unseen(String)
}

/// The file system of the service's state.
package struct StorageState: Hashable, Sendable {
  /// The path of the state file.
  package var path: String
  /// Whether the file's directory exists.
  package var hasFolder: Bool
  /// The free bytes and inodes, or nil if the file system does not report them.
  package var freeBytes, freeFiles: UInt64?
  /// Whether the file system is mounted read-only.
  package var isReadOnly: Bool

  /// Creates a storage from its parts.
  package init(
    path: String, hasFolder: Bool = true, freeBytes: UInt64? = nil, freeFiles: UInt64? = nil, isReadOnly: Bool = false
  ) {
    self.path = path
    self.hasFolder = hasFolder
    self.freeBytes = freeBytes
    self.freeFiles = freeFiles
    self.isReadOnly = isReadOnly
  }
}
