import CLinux
import Glibc
import SystemCalls

/// A connection to a broker, with its times. It is confined to the thread of `MQTTThread`.
final class MQTTSession {
  private let handle: MosquittoHandle
  private let handler: MQTTThread.Handler
  private let keepalive: UInt64
  private let address: String
  /// When the first message must have arrived; nil after it.
  private var answerDue: UInt64?
  /// When the library last read and wrote, and when it last checked the keepalive time.
  private var lastRead: UInt64
  private var lastWrite: UInt64
  private var lastCheck: UInt64

  /// The longest time from connecting to the broker's answer, in nanoseconds.
  private static let answerLimit: UInt64 = 20_000_000_000

  init(_ options: MQTTOptions, _ handler: @escaping MQTTThread.Handler) throws(MQTTFault) {
    handle = try MosquittoHandle(options)
    self.handler = handler
    address = options.address
    keepalive = UInt64(options.keepalive) * 1_000_000_000
    try handle.connect()
    // The lookup of the name may have taken its time.
    let now = SystemClock.monotonicNanoseconds()
    answerDue = now + Self.answerLimit
    lastRead = now
    lastWrite = now
    lastCheck = now
  }

  var descriptor: Int32 { handle.descriptor ?? -1 }

  /// The events to wait for in poll(2).
  var interest: Int16 { Int16(handle.wantsWrite || answerDue != nil && !hasWritten ? POLLIN | POLLOUT : POLLIN) }

  /// Whether the socket has been writable, which it is not before it is connected.
  private var hasWritten = false

  /// When `serve` must be called, even without an event: a nanosecond of CLOCK_MONOTONIC.
  ///
  /// The library counts in whole seconds, so that a keepalive time may end a second later.
  var due: UInt64 { answerDue ?? max(min(lastRead, lastWrite), lastCheck) + keepalive + 1_000_000_000 }

  /// Reads, writes and sends a ping as necessary.
  ///
  /// - Parameters:
  ///   - events: The events of poll(2).
  ///   - now: The time of CLOCK_MONOTONIC, in nanoseconds.
  /// - Returns: Whether the connection still exists.
  func serve(_ events: Int16, at now: UInt64) -> Bool {
    attempt { () throws(MQTTFault) in
      if events & Int16(POLLOUT) != 0 || handle.wantsWrite {
        hasWritten = hasWritten || events & Int16(POLLOUT) != 0
        lastWrite = now
        try handle.write()
      }
      if events & Int16(POLLIN | POLLERR | POLLHUP) != 0 {
        lastRead = now
        try handle.read()
      }
      if let answerDue, now >= answerDue { throw MQTTFault(.unreachable, "\(address) did not answer within 20 s") }
      if now >= due {
        lastCheck = now
        try handle.keepAlive()
      }
      try handle.checkSocket()
    }
  }

  /// Publishes a message; returns whether the connection still exists.
  func publish(_ message: MQTTMessage, number: Int) -> Bool {
    lastWrite = SystemClock.monotonicNanoseconds()
    return attempt { () throws(MQTTFault) in try handle.publish(message, number: number) }
  }

  /// Subscribes to topics; returns whether the connection still exists.
  func subscribe(_ topics: [String]) -> Bool {
    attempt { () throws(MQTTFault) in try handle.subscribe(topics) }
  }

  /// Takes leave of the broker.
  func end() { handle.disconnect() }

  /// Runs an operation and passes on what it caused; returns whether the connection still exists.
  private func attempt(_ operation: () throws(MQTTFault) -> Void) -> Bool {
    var fault: MQTTFault?
    do throws(MQTTFault) { try operation() } catch { fault = error }
    for event in handle.takeEvents() {
      if case .connected = event { answerDue = nil }
      handler(event)
    }
    if let fault { handler(.ended(fault)) }
    return fault == nil
  }
}
