public import Logging
public import NIOCore

/// Listens for what happens at the displays: the kernel's netlink group, or sysfs every two seconds where that cannot
/// be had (a container without it).
///
/// From its making on the kernel queues events: scan after it, take the hints whenever there is time, and nothing is
/// missed.
public struct HotplugListener: ~Copyable {
  private let logger: Logger
  private let sources: Sources
  private var socket: Result<Int32, UeventSocketError>?

  /// Opens the socket. Where that fails, `hints` says so and polls.
  public init(logger: Logger) { self.init(logger: logger, sources: Sources()) }

  init(logger: Logger, sources: Sources) {
    self.logger = logger
    self.sources = sources
    socket = Result { () throws(UeventSocketError) in try sources.openSocket() }
  }

  deinit { if case .success(let descriptor) = socket { UeventSocket.close(descriptor) } }

  /// Hints, read on this loop.
  ///
  /// The first hint of a burst comes at once, the rest merged (see `Debouncer`). The stream has one consumer and holds
  /// a few hints; where more were lost, `overflow` says so. It ends when the loop shuts down; letting go of it closes
  /// the listener.
  public consuming func hints(on loop: any EventLoop) -> AsyncStream<HotplugHint> {
    let (stream, continuation) = AsyncStream.makeStream(of: HotplugHint.self, bufferingPolicy: .bufferingNewest(16))
    let (logger, sources, socket) = (logger, sources, socket.take())
    let box = NIOLoopBoundBox.makeEmptyBox(valueType: HintPump.self, eventLoop: loop)
    continuation.onTermination = { _ in loop.execute { box.value?.stop() } }
    loop.submit {
      let pump = HintPump(loop: loop, logger: logger, sources: sources, continuation: continuation)
      box.value = pump
      pump.start(socket)
    }.whenFailure { error in
      logger.warning("no hotplug: the event loop is gone (\(error))")
      continuation.finish()
    }
    return stream
  }

  /// Where events come from; tests put their own in.
  struct Sources: Sendable {
    /// Opens the socket.
    var openSocket: @Sendable () throws(UeventSocketError) -> Int32 = { () throws(UeventSocketError) in
      try UeventSocket.open()
    }
    /// The folder that is polled in place of the socket.
    var sysfs = "/sys/class/drm"
    /// How often it is polled.
    var period: TimeAmount = .seconds(2)
    /// How bursts are merged.
    var debouncer = Debouncer()
    /// A socket that fails sooner than this is opened again only after it.
    var pause: TimeAmount = .seconds(1)
  }
}
