package import Logging
package import NIOCore

/// A listener for hotplug events on the kernel's netlink group.
///
/// If netlink is not available, as in some containers, it polls sysfs every two seconds. The kernel queues events from
/// the creation of the listener. If cards are scanned after that, no event is missed.
package struct HotplugListener: ~Copyable {
  private let logger: Logger
  private let sources: Sources
  private var socket: Result<Int32, UeventSocketError>?

  /// Opens the socket; if that fails, `hints` logs the error and polls.
  package init(logger: Logger) { self.init(logger: logger, sources: Sources()) }

  init(logger: Logger, sources: Sources) {
    self.logger = logger
    self.sources = sources
    socket = Result { () throws(UeventSocketError) in try sources.openSocket() }
  }

  deinit { if case .success(let descriptor) = socket { UeventSocket.close(descriptor) } }

  /// Returns the hotplug events, read on an event loop.
  ///
  /// The first event of a burst is delivered at once, the rest merged (see `Debouncer`). The stream has a single
  /// consumer and buffers 16 events; if it drops some, `overflow` follows. It ends when the loop shuts down. Canceling
  /// or releasing the stream closes the listener.
  ///
  /// - Parameters:
  ///   - loop: The event loop.
  ///   - pollLoop: The loop that reads sysfs if there is no socket, which waits for a probe in progress.
  /// - Returns: The stream of events.
  package consuming func hints(on loop: any EventLoop, pollingOn pollLoop: any EventLoop) -> AsyncStream<HotplugEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: HotplugEvent.self, bufferingPolicy: .bufferingNewest(16))
    let (logger, sources, socket) = (logger, sources, socket.take())
    let box = NIOLoopBoundBox.makeEmptyBox(valueType: HotplugEventReader.self, eventLoop: loop)
    continuation.onTermination = { _ in loop.execute { box.value?.stop() } }
    loop.submit {
      let pump = HotplugEventReader(
        loop: loop, pollLoop: pollLoop, logger: logger, sources: sources, continuation: continuation)
      box.value = pump
      pump.start(socket)
    }.whenFailure { error in
      logger.warning("hotplug is not detected: the event loop has shut down (\(error))")
      continuation.finish()
    }
    return stream
  }

  /// The sources of events, which tests replace.
  struct Sources: Sendable {
    /// The function that opens the socket.
    var openSocket: @Sendable () throws(UeventSocketError) -> Int32 = { () throws(UeventSocketError) in
      try UeventSocket.open()
    }
    /// The directory to poll if there is no socket.
    var sysfs = "/sys/class/drm"
    /// The polling interval.
    var period: TimeAmount = .seconds(2)
    /// The filter that merges bursts.
    var debouncer = Debouncer()
    /// The delay before a socket that failed within this time is opened again.
    var pause: TimeAmount = .seconds(1)
  }
}
