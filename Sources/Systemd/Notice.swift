/// What a service can tell the service manager, in the words of sd_notify(3).
public enum Notice: Hashable, Sendable {
  /// The service is up, or its reload is done.
  case ready
  /// A line for people, as `systemctl status` prints it.
  case status(String)
  /// A sign of life.
  case watchdog
  /// The service begins to end.
  case stopping
  /// The service begins to reread its configuration, at this time of CLOCK_MONOTONIC in microseconds; `ready` ends it.
  case reloading(microseconds: UInt64)

  /// The assignments that go over the socket, each on a line of its own.
  public var text: String {
    switch self {
    case .ready: "READY=1"
    // A line break would begin another assignment.
    case .status(let line): "STATUS=" + String(line.map { $0.isNewline ? " " : $0 })
    case .watchdog: "WATCHDOG=1"
    case .stopping: "STOPPING=1"
    case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
    }
  }
}
