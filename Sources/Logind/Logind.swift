public import DBus
import Glibc
public import Logging
public import NIOCore

/// Hears from logind when the machine is about to sleep and when its lid moves, and keeps it from sleeping before the
/// displays do: it holds a delay lock (org.freedesktop.login1(5), Inhibit) whenever the machine is awake.
///
/// Nothing is periodic: the bus is only listened to. Before systemd 256 logind does not tell when the lid moves; it is
/// looked at then only at the start and after a sleep.
public final class Logind: Sendable {
  /// What happens; one consumer. It ends with `close`, and at once where there is no system bus, after a line of the log.
  public let events: AsyncStream<PowerEvent>
  /// Whether logind is there, at the start and whenever that changes; one consumer, which may miss all but the newest.
  /// It ends with `events`.
  public let presence: AsyncStream<LogindPresence>

  private let loop: any EventLoop
  private let pump: NIOLoopBoundBox<LogindPump?>

  /// Connects to the first of the addresses that can be had, on the loop.
  public init(loop: any EventLoop, addresses: [DBusAddress] = Logind.systemBus(), logger: Logger) {
    self.loop = loop
    let (events, continuation) = AsyncStream.makeStream(of: PowerEvent.self)
    self.events = events
    let (presence, reporter) = AsyncStream.makeStream(of: LogindPresence.self, bufferingPolicy: .bufferingNewest(1))
    self.presence = presence
    let pump = NIOLoopBoundBox.makeEmptyBox(valueType: LogindPump.self, eventLoop: loop)
    self.pump = pump
    continuation.onTermination = { _ in loop.execute { pump.value?.stop() } }
    loop.submit {
      let own = LogindPump(
        loop: loop, logger: logger, addresses: addresses, continuation: continuation, reporter: reporter)
      pump.value = own
      own.start()
    }.whenFailure { _ in
      continuation.finish()
      reporter.finish()
    }
  }

  /// Lets the machine sleep, after `willSleep`: the displays are dark. The lock is taken again when it is awake. At any
  /// other time this does nothing.
  public func release() { loop.execute { [pump] in pump.value?.release() } }

  /// Lets go of the bus and of the lock, and ends the events.
  public func close() { loop.execute { [pump] in pump.value?.stop() } }

  /// Where the system bus listens: what DBUS_SYSTEM_BUS_ADDRESS says, or the usual place.
  public static func systemBus() -> [DBusAddress] {
    guard let text = unsafe getenv("DBUS_SYSTEM_BUS_ADDRESS") else { return [.system] }
    return unsafe DBusAddress.list(String(cString: text))
  }
}
