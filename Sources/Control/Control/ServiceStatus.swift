/// The status of the whole daemon.
public struct ServiceStatus: Codable, Hashable, Sendable {
  /// The source of the displays.
  public enum Backend: String, Codable, Hashable, Sendable, CaseIterable {
    /// Real graphics cards.
    case kms
    /// Virtual displays.
    case virtual
  }

  /// The daemon's version, such as `0.1.0`.
  public var version: String
  /// The backend.
  public var backend: Backend
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
  /// The bridges to other systems, sorted by name; nil if there are none.
  public var bridges: [BridgeReport]?

  /// Creates a status.
  public init(
    version: String, backend: Backend, pid: Int32, lit: Int, connected: Int, problems: [String], storage: String? = nil,
    address: String? = nil, bridges: [BridgeReport]? = nil
  ) {
    self.version = version
    self.backend = backend
    self.pid = pid
    self.lit = lit
    self.connected = connected
    self.problems = problems
    self.storage = storage
    self.address = address
    self.bridges = bridges
  }
}

extension ServiceStatus.Backend: InterfaceValue {}

extension ServiceStatus: InterfaceObject {
  package static let interface = Interface.report(
    "ServiceStatus", "The status of the service.",
    [
      field("version", \.version, "The service's version.", .example("0.5.0")),
      field("backend", \.backend, "The backend: real graphics cards (kms) or virtual displays (virtual)."),
      field("pid", \.pid, "The service's process ID."),
      field("lit", \.lit, "The number of lit displays.", .count),
      field("connected", \.connected, "The number of connected monitors.", .count),
      field("problems", \.problems, "The problems, one sentence each."),
      field(
        "storage", \.storage,
        "The file that stores sessions, messages and the history, or why they are kept in memory only."),
      field(
        "address", \.address, "The URL of the web page; absent if the service listens on its Unix socket only.",
        .example("http://192.0.2.7:8080/")),
      field("bridges", \.bridges, "The bridges to other systems, such as an MQTT broker."),
    ])
}
