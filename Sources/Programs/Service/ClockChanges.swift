import CLinux
import Logging
import NIOCore
import NIOPosix
import SystemCalls

/// A reader of changes of the system time. The kernel reports them, so nothing wakes up without one.
final class ClockChanges: Sendable {
  private let loop: any EventLoop
  private let logger: Logger
  private let changed: @Sendable () -> Void

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - loop: The event loop that waits for changes.
  ///   - logger: The logger for the reason why changes are not reported.
  ///   - changed: The function to call after each change, on the loop.
  init(on loop: any EventLoop, logger: Logger, _ changed: @escaping @Sendable () -> Void) {
    self.loop = loop
    self.logger = logger
    self.changed = changed
  }

  /// Waits for the next change, and then for the one after it.
  func start() {
    let timer = placard_watch_clock()
    guard timer >= 0 else { return fail("\(ErrorNumber(placard_errno()))") }
    NIOPipeBootstrap(group: loop)
      .channelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ClockHandler { [self] in closed($0) })
        }
      }
      // If this fails, NIO does not report whether it closed the descriptor: a second close could hit a reused one.
      .takingOwnershipOfDescriptor(input: timer)
      .whenFailure { [self] in fail("\($0)") }
  }

  /// Handles the end of a timer: NIO closes a channel whose read fails.
  private func closed(_ error: (any Error)?) {
    guard let error else { return }
    guard (error as? IOError)?.errnoCode == ECANCELED else { return fail("\(error)") }
    // Wait for the next change first, so that none is lost.
    start()
    changed()
  }

  private func fail(_ reason: String) {
    logger.warning("the system time cannot be watched (\(reason)); a clock shows a new time at its next minute")
  }
}

/// A channel handler that reports why its channel was closed.
private final class ClockHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let closed: (_ error: (any Error)?) -> Void
  private var error: (any Error)?

  init(_ closed: @escaping (_ error: (any Error)?) -> Void) { self.closed = closed }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { self.error = error }

  func channelInactive(context: ChannelHandlerContext) { closed(error) }
}
