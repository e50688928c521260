public import Control
public import SystemFiles

/// What was seen of a machine and of the service on it, as values: what is wrong follows from this alone.
public struct Examination: Hashable, Sendable {
  /// What came of asking the service.
  public var answer = ServiceAnswer.absent
  /// The version of this program.
  public var version = PlacardVersion.current
  /// The socket that was asked, and whose it is; nil where there is none.
  public var socket = SocketPath.system
  /// Whose the socket is; nil where there is none.
  public var socketFacts: FileFacts?
  /// What systemd says of the service's unit; nil where there is no systemd, or it does not answer.
  public var unit: ServiceUnit?
  /// The processes of placardd that can be seen.
  public var processes: [ServiceProcess] = []
  /// Why the configuration would be refused; nil where it would not.
  public var configurationError: String?
  /// As whom this program runs.
  public var caller: Account
  /// The users and groups of the machine.
  public var accounts: AccountBook
  /// DRM devices that have connectors.
  public var cards: [CardSight] = []
  /// Nodes of DRM devices that have none.
  public var renderNodes: [String] = []
  /// Display devices on the PCI bus.
  public var adapters: [Adapter] = []
  /// The kernel's framebuffers, as /proc/fb names them.
  public var framebuffers: [String] = []
  /// The terminal in front; nil where the kernel has no virtual terminals.
  public var terminal: TerminalSight?
  /// The kernel's command line.
  public var kernelArguments: [String] = []
  /// What fontconfig would take for letters.
  public var fonts = FontSight.unseen("it was not looked for")
  /// Where the service's state is kept; nil where that cannot be known.
  public var storage: StorageSight?
  /// Whether there are time zones.
  public var hasTimeZones = true

  /// An examination of which nothing is known yet but who made it.
  public init(caller: Account, accounts: AccountBook) {
    self.caller = caller
    self.accounts = accounts
  }
}

/// What came of asking the service.
public enum ServiceAnswer: Hashable, Sendable {
  /// It answered.
  case answers(ServiceView)
  /// It took the connection and said nothing for seconds.
  case silent
  /// Nobody listens there.
  case absent
  /// This user may not ask.
  case notPermitted
  /// What came was no answer; says what.
  case broken(String)
}

/// What the service says of itself.
public struct ServiceView: Hashable, Sendable {
  /// The service as a whole.
  public var status: ServiceStatus
  /// Its displays.
  public var displays: [DisplayReport]
  /// How the modes of the connected ones came about, by name.
  public var reasons: [String: WhyReport]

  /// A view from its parts.
  public init(status: ServiceStatus, displays: [DisplayReport] = [], reasons: [String: WhyReport] = [:]) {
    (self.status, self.displays, self.reasons) = (status, displays, reasons)
  }
}

/// What systemd says of placard.service.
public struct ServiceUnit: Hashable, Sendable {
  /// `active`, `inactive`, `failed`, `activating`.
  public var active: String
  /// Why it ended, `success`, `exit-code`.
  public var result: String
  /// How often it was started again by itself.
  public var restarts: Int
  /// As whom it runs, with the unit's own groups; nil where there is no such user.
  public var account: Account?
  /// The last line of its log; nil where this user may not read it.
  public var lastLine: String?

  /// A unit from its parts.
  public init(
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
public struct ServiceProcess: Hashable, Sendable {
  /// Its process id.
  public var pid: Int32
  /// As whom it runs.
  public var account: Account
  /// Its arguments, without its name.
  public var arguments: [String]

  /// A process from its parts.
  public init(pid: Int32, account: Account, arguments: [String] = []) {
    (self.pid, self.account, self.arguments) = (pid, account, arguments)
  }

  /// The value of an option, `--state PATH` or `--state=PATH`; of several the last, as the service takes it.
  public func option(_ name: String) -> String? {
    var value: String?
    for (place, argument) in arguments.enumerated() {
      if argument == name, place + 1 < arguments.count { value = arguments[place + 1] }
      if argument.hasPrefix(name + "=") { value = String(argument.dropFirst(name.count + 1)) }
    }
    return value
  }
}

/// A graphics card with connectors.
public struct CardSight: Hashable, Sendable {
  /// Its device node, `/dev/dri/card0`.
  public var node: String
  /// The kernel's driver, `i915`.
  public var driver: String
  /// Whose the node is; nil where there is no node.
  public var facts: FileFacts?
  /// Its connectors.
  public var connectors: [ConnectorSight]
  /// Who has it open, as far as this user may see.
  public var holders: [NodeHolder]
  /// Who is its DRM master; nil where nobody is, or this user may not see.
  public var master: NodeHolder?

  /// What sysfs calls it, `card0`.
  var name: String { node.split(separator: "/").last.map(String.init) ?? node }

  /// A card from its parts.
  public init(
    node: String, driver: String, facts: FileFacts?, connectors: [ConnectorSight], holders: [NodeHolder] = [],
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

/// A connector as sysfs shows it: what the last probe left there.
public struct ConnectorSight: Hashable, Sendable {
  /// Its name, `HDMI-A-1`.
  public var name: String
  /// Whether a monitor is plugged in.
  public var isConnected: Bool
  /// The EDID; empty where there is none.
  public var edid: [UInt8]
  /// Whether somebody gave it another EDID than the monitor's, by debugfs.
  public var isOverridden: Bool

  /// A connector from its parts.
  public init(name: String, isConnected: Bool, edid: [UInt8] = [], isOverridden: Bool = false) {
    self.name = name
    self.isConnected = isConnected
    self.edid = edid
    self.isOverridden = isOverridden
  }
}

/// A display device on the PCI bus.
public struct Adapter: Hashable, Sendable {
  /// Where it is, `0000:00:02.0`.
  public var address: String
  /// What it is, `8086:3e92`.
  public var identity: String
  /// The driver that has it; nil where none has.
  public var driver: String?

  /// A device from its parts.
  public init(address: String, identity: String, driver: String?) {
    (self.address, self.identity, self.driver) = (address, identity, driver)
  }
}

/// A virtual terminal.
public struct TerminalSight: Hashable, Sendable {
  /// What it is for.
  public enum Mode: Hashable, Sendable {
    /// The kernel's console writes letters.
    case text
    /// A program said that it draws itself.
    case graphics
    /// This user may not ask.
    case unseen
  }

  /// Its name, `tty1`.
  public var name: String
  /// What it is for.
  public var mode: Mode
  /// Who has it open, as far as this user may see.
  public var holders: [NodeHolder]

  /// A terminal from its parts.
  public init(name: String, mode: Mode, holders: [NodeHolder] = []) {
    (self.name, self.mode, self.holders) = (name, mode, holders)
  }
}

/// What the letters would be drawn with.
public enum FontSight: Hashable, Sendable {
  /// This font file.
  case found(String)
  /// There is no font.
  case none
  /// It could not be looked for; says why.
  case unseen(String)
}

/// The disk that the service's state is on.
public struct StorageSight: Hashable, Sendable {
  /// The file that it is kept in.
  public var path: String
  /// Whether its folder is there.
  public var hasFolder: Bool
  /// Bytes and files that the disk still has room for; nil where that is not told.
  public var freeBytes, freeFiles: UInt64?
  /// Whether the disk is mounted read-only.
  public var isReadOnly: Bool

  /// A disk from its parts.
  public init(
    path: String, hasFolder: Bool = true, freeBytes: UInt64? = nil, freeFiles: UInt64? = nil, isReadOnly: Bool = false
  ) {
    self.path = path
    self.hasFolder = hasFolder
    self.freeBytes = freeBytes
    self.freeFiles = freeFiles
    self.isReadOnly = isReadOnly
  }
}
