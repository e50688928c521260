import CSystemd
import Glibc
import SystemCalls

/// The service manager that started this process, if any (sd_notify(3), sd_watchdog_enabled(3)).
///
/// Notifications never fail the service: without a listening manager they have no effect.
package struct ServiceManager: Hashable, Sendable {
  /// Whether a manager asked for notifications.
  package let isListening: Bool

  /// Reads NOTIFY_SOCKET from the environment of this process.
  package init() { isListening = unsafe getenv("NOTIFY_SOCKET") != nil }

  /// The interval at which to send `watchdog`: half of WATCHDOG_USEC, or nil if the watchdog is disabled.
  package var watchdogInterval: Duration? {
    guard isListening, isLibraryLoaded else { return nil }
    var microseconds: UInt64 = 0
    guard unsafe sd.watchdog_enabled(0, &microseconds) > 0 else { return nil }
    return .microseconds(Int64(clamping: microseconds / 2))
  }

  /// Sends notifications to the manager as one datagram.
  ///
  /// It waits until the manager's socket has room, without a limit.
  ///
  /// - Parameter notices: The notifications to send.
  /// - Returns: Whether the manager's socket accepted the datagram.
  @discardableResult
  package func notify(_ notices: [ServiceNotification]) -> Bool {
    guard isListening, isLibraryLoaded else { return false }
    return unsafe sd.notify(0, notices.map(\.text).joined(separator: "\n")) > 0
  }
}
