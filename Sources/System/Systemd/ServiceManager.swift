import Glibc
import SystemCalls

/// The service manager that started this process, if any: sd_notify(3) without libsystemd.
///
/// The value holds no open resources between notifications. Notifications never fail the service: without a listening
/// manager they have no effect.
package struct ServiceManager: Hashable, Sendable {
  /// The destination of notifications, or nil if the manager did not ask for them.
  let address: NotifyAddress?
  /// The interval at which to send `watchdog`: half the manager's timeout, or nil if the watchdog is disabled.
  package let watchdogInterval: Duration?

  /// Reads the service manager's address and watchdog timeout from an environment.
  ///
  /// - Parameters:
  ///   - environment: The environment variables. NOTIFY_SOCKET, WATCHDOG_PID and WATCHDOG_USEC are used.
  ///   - pid: The ID of this process, which is compared with WATCHDOG_PID.
  package init(environment: [String: String], pid: Int32) {
    address = environment["NOTIFY_SOCKET"].flatMap(NotifyAddress.init)
    // sd_watchdog_enabled(3): WATCHDOG_PID, if set, must match this process. It recommends half the timeout.
    let isMeant = environment["WATCHDOG_PID"].map { $0 == String(pid) } ?? true
    let limit = environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { $0 > 1 ? $0 : nil }
    watchdogInterval = isMeant && address != nil ? limit.map { .microseconds($0 / 2) } : nil
  }

  /// Returns the service manager that the environment of this process names.
  package static func current() -> ServiceManager {
    var environment: [String: String] = [:]
    for key in ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"] {
      if let value = unsafe getenv(key) { unsafe environment[key] = String(cString: value) }
    }
    return ServiceManager(environment: environment, pid: getpid())
  }

  /// Whether a manager asked for notifications.
  package var isListening: Bool { address != nil }

  /// Sends notifications to the manager as one datagram, waiting at most 0.1 s.
  ///
  /// - Parameter notices: The notifications to send.
  /// - Returns: Whether the manager's socket accepted the datagram.
  @discardableResult
  package func notify(_ notices: ServiceNotification...) -> Bool {
    guard let address else { return false }
    return address.send(Array(notices.map(\.text).joined(separator: "\n").utf8))
  }

  /// Notifies the manager that a reload has begun.
  ///
  /// Send `ready` when it has finished.
  ///
  /// - Returns: Whether the manager's socket accepted the datagram.
  @discardableResult
  package func notifyReloading() -> Bool {
    notify(.reloading(microseconds: SystemClock.monotonicNanoseconds() / 1000))
  }
}
