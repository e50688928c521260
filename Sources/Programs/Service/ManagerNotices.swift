import NIOCore
import Synchronization
import Systemd

/// Notifications to the service manager, sent in order from a loop that may block.
///
/// A manager that does not read blocks sd_notify(3) without a limit, so it never runs on the control loop.
final class ManagerNotices: Sendable {
  private let manager: ServiceManager
  private let loop: any EventLoop
  private let waiting = Atomic<Int>(0)

  /// The number of waiting notifications at which those that a later one replaces are dropped.
  private static let limit = 16

  /// Creates the notifications of a manager.
  ///
  /// - Parameters:
  ///   - manager: The recipient.
  ///   - loop: The loop that sends.
  init(_ manager: ServiceManager, on loop: any EventLoop) {
    self.manager = manager
    self.loop = loop
  }

  /// Sends notifications as one datagram.
  func send(_ notices: ServiceNotification...) {
    guard manager.isListening else { return }
    let isReplaceable = notices.allSatisfy(\.isReplaceable)
    if isReplaceable, waiting.load(ordering: .relaxed) >= Self.limit { return }
    waiting.add(1, ordering: .relaxed)
    loop.execute { [self] in
      manager.notify(notices)
      waiting.subtract(1, ordering: .relaxed)
    }
  }
}

extension ServiceNotification {
  /// Whether a later notification of the same kind says all that this one does.
  fileprivate var isReplaceable: Bool {
    switch self {
    case .status, .watchdog: true
    case .ready, .stopping, .reloading: false
    }
  }
}
