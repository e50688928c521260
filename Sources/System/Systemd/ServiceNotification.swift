/// A notification to the service manager, as defined by sd_notify(3).
package enum ServiceNotification: Hashable, Sendable {
  /// The service has started or has finished a reload.
  case ready
  /// A status line for people, as printed by `systemctl status`.
  case status(String)
  /// A watchdog keep-alive.
  case watchdog
  /// The service has begun to shut down.
  case stopping
  /// The service has begun to reload its configuration.
  ///
  /// The value is the CLOCK_MONOTONIC time in microseconds. Send `ready` when the reload has finished.
  case reloading(microseconds: UInt64)

  /// The variable assignments of the datagram, one per line.
  package var text: String {
    switch self {
    case .ready: "READY=1"
    // A newline would start another assignment.
    case .status(let line): "STATUS=" + String(line.map { $0.isNewline ? " " : $0 })
    case .watchdog: "WATCHDOG=1"
    case .stopping: "STOPPING=1"
    case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
    }
  }
}
