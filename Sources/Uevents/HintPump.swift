import Logging
import NIOCore
import NIOPosix

/// Takes events from the socket (or sysfs), debounces them and fills the stream. Lives on one event loop.
final class HintPump {
  private let loop: any EventLoop
  private let logger: Logger
  private let sources: HotplugListener.Sources
  private let continuation: AsyncStream<HotplugHint>.Continuation
  private var debouncer: Debouncer
  private var timer: Scheduled<Void>?
  private var poller: Scheduled<Void>?
  private var channel: (any Channel)?
  private var opened = NIODeadline.uptimeNanoseconds(0)
  private var isStopped = false

  init(
    loop: any EventLoop, logger: Logger, sources: HotplugListener.Sources,
    continuation: AsyncStream<HotplugHint>.Continuation
  ) {
    self.loop = loop
    self.logger = logger
    self.sources = sources
    self.continuation = continuation
    debouncer = sources.debouncer
  }

  /// Takes the socket over (nil opens one), or begins to poll.
  func start(_ socket: Result<Int32, UeventSocketError>? = nil) {
    opened = .now()
    do throws(UeventSocketError) {
      if let socket { adopt(try socket.get()) } else { adopt(try sources.openSocket()) }
    } catch {
      logger.warning("\(error); polling \(sources.sysfs) every \(sources.period.nanoseconds / 1_000_000_000) s instead")
      poll(after: nil)
    }
  }

  /// Closes everything and ends the stream.
  func stop() {
    isStopped = true
    timer?.cancel()
    poller?.cancel()
    channel?.close(promise: nil)
    channel = nil
    continuation.onTermination = nil
    continuation.finish()
  }

  /// Makes the socket a channel. A pipe channel reads with read(2), which takes one datagram at a time as long as the
  /// buffer holds it; NIO's datagram channels do not know netlink's addresses.
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
        case .success(let channel): bound.value.adopted(channel)
        case .failure(let error): bound.value.refused(error)
        }
      }
  }

  private func adopted(_ channel: any Channel) {
    if isStopped { channel.close(promise: nil) } else { self.channel = channel }
  }

  /// The descriptor is not closed: NIO has done so where it failed after taking it, and does not tell when that was. A
  /// second close would hit whatever has the number by then; a loop that takes no channel is about to end anyway.
  private func refused(_ error: any Error) {
    logger.warning("no hotplug: the event loop did not take the uevent socket (\(error))")
    stop()
  }

  /// A message of the kernel.
  func take(_ bytes: ByteBufferView) {
    guard let event = Uevent(bytes), let hint = HotplugHint(event) else { return }
    take(hint)
  }

  func take(_ hint: HotplugHint) {
    deliver(debouncer.take(hint, at: now))
    arm()
  }

  /// NIO closes a channel whose read fails, and netlink's ENOBUFS is such a failure: events were lost, so the socket is
  /// opened anew, and then everything is looked at again.
  ///
  /// A channel that was closed without a reason met an end of file, or its loop is shutting down: then the loop does not
  /// carry out what is put off.
  func closed(_ reason: (any Error)?) {
    channel = nil
    guard !isStopped else { return }
    if let reason { logger.warning("uevents were lost (\(reason)): looking at everything again") }
    // At once the first time; a socket that fails again and again must not keep the loop busy.
    let earliest = opened + sources.pause
    if reason != nil, earliest <= .now() { return reopen() }
    poller = later(max(earliest, .now() + sources.pause), reopen)
    poller?.futureResult.assumeIsolated().whenFailure { error in
      if error as? EventLoopError == .shutdown { self.stop() }
    }
  }

  private func reopen() {
    start()
    take(.overflow)
  }

  private func later(_ time: NIODeadline, _ body: @escaping () -> Void) -> Scheduled<Void> {
    loop.assumeIsolated().scheduleTask(deadline: time) { body() }
  }

  private var now: UInt64 { NIODeadline.now().uptimeNanoseconds }

  private func deliver(_ hints: [HotplugHint]) {
    for hint in hints {
      if case .dropped = continuation.yield(hint) { continuation.yield(.overflow) }
    }
  }

  /// One timer, only while something is held.
  private func arm() {
    guard timer == nil, let deadline = debouncer.deadline else { return }
    timer = later(.uptimeNanoseconds(deadline)) {
      self.timer = nil
      self.deliver(self.debouncer.release(at: self.now))
      self.arm()
    }
  }
}

extension HintPump {
  /// Looks at sysfs, over and over. Reading an EDID there waits for a probe that is under way, so another thread does it.
  private func poll(after last: SysfsSnapshot?) {
    let bound = NIOLoopBound(self, eventLoop: loop)
    let folder = sources.sysfs
    let look: @Sendable () -> SysfsSnapshot = { SysfsSnapshot(of: folder) }
    NIOThreadPool.singleton.runIfActive(eventLoop: loop, look).assumeIsolated().whenComplete { result in
      bound.value.polled(try? result.get(), after: last)
    }
  }

  /// The first look only says what is there: the scan at start sees the same.
  private func polled(_ snapshot: SysfsSnapshot?, after last: SysfsSnapshot?) {
    guard !isStopped else { return }
    if let last, let snapshot { for hint in snapshot.hints(since: last) { take(hint) } }
    poller = later(.now() + sources.period) { self.poll(after: snapshot ?? last) }
  }
}

/// Hands what the socket brings to the pump.
private final class UeventHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let pump: HintPump
  private var reason: (any Error)?

  init(pump: HintPump) { self.pump = pump }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    pump.take(unwrapInboundIn(data).readableBytesView)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { reason = error }

  func channelInactive(context: ChannelHandlerContext) { pump.closed(reason) }
}
