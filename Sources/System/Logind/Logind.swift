import Glibc
package import Logging
package import NIOCore

/// A logind client that reports suspend, resume and lid events, and delays suspend until the displays are off.
///
/// It holds a delay inhibitor lock (org.freedesktop.login1(5), Inhibit) while the machine is awake. It never polls: it
/// only listens to the bus. Before systemd 256, logind does not announce lid changes. The lid state is then read only
/// at the start and after each resume.
package final class Logind: Sendable {
  /// The power events, for one consumer.
  ///
  /// The stream finishes after `close()`. Without a system bus it finishes at once, after a log message.
  package let events: AsyncStream<PowerEvent>
  /// Whether logind is there, at the start and whenever that changes; one consumer, which may miss all but the newest.
  /// It ends with `events`.
  package let presence: AsyncStream<LogindPresence>

  private let loop: any EventLoop
  private let pump: NIOLoopBoundBox<LogindConnection?>

  /// Connects to a bus.
  ///
  /// - Parameters:
  ///   - loop: The event loop that runs all I/O of the client.
  ///   - address: The addresses to try in order, separated by semicolons.
  ///   - logger: The log for connection failures.
  package init(loop: any EventLoop, address: String = Logind.systemBus(), logger: Logger) {
    self.loop = loop
    let (events, continuation) = AsyncStream.makeStream(of: PowerEvent.self)
    self.events = events
    let (presence, reporter) = AsyncStream.makeStream(of: LogindPresence.self, bufferingPolicy: .bufferingNewest(1))
    self.presence = presence
    let pump = NIOLoopBoundBox.makeEmptyBox(valueType: LogindConnection.self, eventLoop: loop)
    self.pump = pump
    continuation.onTermination = { _ in loop.execute { pump.value?.stop() } }
    loop.submit {
      let own = LogindConnection(
        loop: loop, logger: logger, address: address, continuation: continuation, reporter: reporter)
      pump.value = own
      own.start()
    }.whenFailure { _ in
      continuation.finish()
      reporter.finish()
    }
  }

  /// Releases the inhibitor lock after `willSleep`, when the displays are off, so that the machine can suspend.
  ///
  /// The client acquires the lock again after the resume. At any other time this has no effect.
  package func release() { loop.execute { [pump] in pump.value?.release() } }

  /// Closes the bus connection, releases the lock, and finishes the event stream.
  package func close() { loop.execute { [pump] in pump.value?.stop() } }

  /// Returns the addresses in DBUS_SYSTEM_BUS_ADDRESS, or the default address of the system bus.
  package static func systemBus() -> String {
    unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS").map { unsafe String(cString: $0) }
      ?? "unix:path=/run/dbus/system_bus_socket"
  }
}
