public import Logging
public import NIOCore

/// Listens for what happens at the displays: the kernel's netlink group, or sysfs every two seconds where that cannot
/// be had (a container without it).
public enum HotplugListener {
  /// Opens the listener on this loop. When this returns, the kernel queues events: scan after it, and nothing is missed.
  ///
  /// The first hint of a burst comes at once, the rest merged (see `Debouncer`). The stream has one consumer and holds
  /// a few hints; where more were lost, `overflow` says so. It ends when the loop shuts down; letting go of it closes
  /// the listener.
  public static func open(on loop: any EventLoop, logger: Logger) async -> AsyncStream<HotplugHint> {
    await open(on: loop, logger: logger, sources: Sources())
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

  static func open(on loop: any EventLoop, logger: Logger, sources: Sources) async -> AsyncStream<HotplugHint> {
    let (stream, continuation) = AsyncStream.makeStream(of: HotplugHint.self, bufferingPolicy: .bufferingNewest(16))
    let opened = loop.submit {
      let pump = HintPump(loop: loop, logger: logger, sources: sources, continuation: continuation)
      pump.start()
      let bound = NIOLoopBound(pump, eventLoop: loop)
      continuation.onTermination = { _ in loop.execute { bound.value.stop() } }
    }
    do {
      try await opened.get()
    } catch {
      logger.warning("no hotplug: the event loop is gone (\(error))")
      continuation.finish()
    }
    return stream
  }
}
