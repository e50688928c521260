import Glibc

/// The service manager that started this process, if one did: sd_notify(3) without libsystemd.
///
/// A plain value: nothing is held open between two notices. Nothing here can fail the service; where there is no
/// manager, or it does not listen, a notice goes nowhere.
public struct ServiceManager: Hashable, Sendable {
  /// Where notices go; nil where no manager asked for them.
  let address: NotifyAddress?
  /// How often `watchdog` should be sent: half of what the manager waits; nil where it does not wait for it.
  public let watchdogInterval: Duration?

  /// The manager that this environment names. `pid` is the process that the watchdog is meant for.
  public init(environment: [String: String], pid: Int32) {
    address = environment["NOTIFY_SOCKET"].flatMap(NotifyAddress.init)
    // sd_watchdog_enabled(3): WATCHDOG_PID, where set, must be the process itself; half the time is the advice there.
    let isMeant = environment["WATCHDOG_PID"].map { $0 == String(pid) } ?? true
    let limit = environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { $0 > 1 ? $0 : nil }
    watchdogInterval = isMeant && address != nil ? limit.map { .microseconds($0 / 2) } : nil
  }

  /// The manager that this process was started by.
  public static func current() -> ServiceManager {
    var environment: [String: String] = [:]
    for key in ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"] {
      if let value = unsafe getenv(key) { unsafe environment[key] = String(cString: value) }
    }
    return ServiceManager(environment: environment, pid: getpid())
  }

  /// Whether a manager asked for notices.
  public var isListening: Bool { address != nil }

  /// Sends the notices as one message; true when the manager's socket took it. Waits 0.1 s at most.
  @discardableResult
  public func notify(_ notices: Notice...) -> Bool {
    guard let address else { return false }
    return address.send(Array(notices.map(\.text).joined(separator: "\n").utf8))
  }

  /// Tells that the configuration is being reread now; send `ready` when that is done.
  @discardableResult
  public func notifyReloading() -> Bool {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return notify(.reloading(microseconds: UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000))
  }
}
