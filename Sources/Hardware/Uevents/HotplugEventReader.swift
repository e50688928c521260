import Logging
import NIOCore
import NIOPosix

/// The event reader: it reads uevents from the socket or polls sysfs, debounces them and fills the stream.
///
/// It lives on one event loop.
final class HotplugEventReader {
  private let loop: any EventLoop
  private let pollLoop: any EventLoop
  private let logger: Logger
  private let sources: HotplugListener.Sources
  private let continuation: AsyncStream<HotplugEvent>.Continuation
  private var debouncer: Debouncer
  private var timer: Scheduled<Void>?
  private var poller: Scheduled<Void>?
  private var channel: (any Channel)?
  private var opened = NIODeadline.uptimeNanoseconds(0)
  private var isStopped = false

  init(
    loop: any EventLoop, pollLoop: any EventLoop, logger: Logger, sources: HotplugListener.Sources,
    continuation: AsyncStream<HotplugEvent>.Continuation
  ) {
    self.loop = loop
    self.pollLoop = pollLoop
    self.logger = logger
    self.sources = sources
    self.continuation = continuation
    debouncer = sources.debouncer
  }

  /// Takes ownership of the socket (nil opens one), or starts to poll if the socket failed.
  func start(_ socket: Result<Int32, UeventSocketError>? = nil) {
    opened = .now()
    do throws(UeventSocketError) {
      if let socket { adopt(try socket.get()) } else { adopt(try sources.openSocket()) }
    } catch {
      logger.warning("\(error); polling \(sources.sysfs) every \(sources.period.nanoseconds / 1_000_000_000) s instead")
      poll(after: nil)
    }
  }

  /// Closes the channel, cancels the timers and ends the stream.
  func stop() {
    isStopped = true
    timer?.cancel()
    poller?.cancel()
    channel?.close(promise: nil)
    channel = nil
    continuation.onTermination = nil
    continuation.finish()
  }

  /// Opens a channel on the socket.
  ///
  /// A pipe channel reads with read(2), which returns one datagram at a time if the buffer is large enough. NIO's
  /// datagram channels do not support netlink addresses.
  private func adopt(_ descriptor: Int32) {
    let bound = NIOLoopBound(self, eventLoop: loop)
    NIOPipeBootstrap(group: loop)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 * 1024))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(UeventHandler(pump: bound.value))
        }
      }
      .takingOwnershipOfDescriptor(input: descriptor)
      .assumeIsolated()
      .whenComplete { result in
        switch result {
        case .success(let channel): bound.value.channelOpened(channel)
        case .failure(let error): bound.value.refused(error)
        }
      }
  }

  private func channelOpened(_ channel: any Channel) {
    if isStopped { channel.close(promise: nil) } else { self.channel = channel }
  }

  /// Ends the stream after NIO rejected the descriptor, which is not closed here.
  ///
  /// NIO closes it if it fails after taking ownership, and does not report whether it did. A second close could hit a
  /// reused descriptor. A loop that accepts no channel is about to shut down anyway.
  private func refused(_ error: any Error) {
    logger.warning("hotplug is not detected: the event loop rejected the uevent socket (\(error))")
    stop()
  }

  /// Handles a kernel message.
  func receive(_ bytes: ByteBufferView) {
    guard let event = Uevent(bytes), let hint = HotplugEvent(event) else { return }
    receive(hint)
  }

  func receive(_ hint: HotplugEvent) {
    deliver(debouncer.receive(hint, at: now))
    arm()
  }

  /// Opens the socket again after its channel was closed, and reports `overflow`.
  ///
  /// NIO closes a channel whose read fails. Netlink's ENOBUFS is such a failure, and it means that events were lost.
  /// Without an error, the channel reached an end of file, or its loop is shutting down and does not run scheduled
  /// tasks.
  func closed(_ reason: (any Error)?) {
    channel = nil
    guard !isStopped else { return }
    if let reason { logger.warning("uevents were lost (\(reason)): probing all cards again") }
    // Reopen at once if the socket was open for longer than the pause. A socket that fails repeatedly must not keep the
    // loop busy.
    let earliest = opened + sources.pause
    if reason != nil, earliest <= .now() { return reopen() }
    poller = later(max(earliest, .now() + sources.pause), reopen)
    poller?.futureResult.assumeIsolated().whenFailure { error in
      if error as? EventLoopError == .shutdown { self.stop() }
    }
  }

  private func reopen() {
    start()
    receive(.overflow)
  }

  private func later(_ time: NIODeadline, _ body: @escaping () -> Void) -> Scheduled<Void> {
    loop.assumeIsolated().scheduleTask(deadline: time) { body() }
  }

  private var now: UInt64 { NIODeadline.now().uptimeNanoseconds }

  private func deliver(_ hints: [HotplugEvent]) {
    for hint in hints {
      if case .dropped = continuation.yield(hint) { continuation.yield(.overflow) }
    }
  }

  /// Starts the timer, which runs only while events are held.
  private func arm() {
    guard timer == nil, let deadline = debouncer.deadline else { return }
    timer = later(.uptimeNanoseconds(deadline)) {
      self.timer = nil
      self.deliver(self.debouncer.release(at: self.now))
      self.arm()
    }
  }
}

extension HotplugEventReader {
  /// Polls sysfs on another loop, because reading an EDID there waits for a probe in progress.
  private func poll(after last: SysfsSnapshot?) {
    let bound = NIOLoopBound(self, eventLoop: loop)
    let folder = sources.sysfs
    let look: @Sendable () -> SysfsSnapshot = { SysfsSnapshot(of: folder) }
    pollLoop.submit(look).hop(to: loop).assumeIsolated().whenComplete { result in
      bound.value.polled(try? result.get(), after: last)
    }
  }

  /// Reports the differences since the last poll.
  ///
  /// The first poll is only a baseline: the scan at start sees the same state.
  private func polled(_ snapshot: SysfsSnapshot?, after last: SysfsSnapshot?) {
    guard !isStopped else { return }
    if let last, let snapshot { for hint in snapshot.hints(since: last) { receive(hint) } }
    poller = later(.now() + sources.period) { self.poll(after: snapshot ?? last) }
  }
}

/// A channel handler that passes the socket's messages to the event reader.
private final class UeventHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let pump: HotplugEventReader
  private var reason: (any Error)?

  init(pump: HotplugEventReader) { self.pump = pump }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    pump.receive(unwrapInboundIn(data).readableBytesView)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { reason = error }

  func channelInactive(context: ChannelHandlerContext) { pump.closed(reason) }
}
