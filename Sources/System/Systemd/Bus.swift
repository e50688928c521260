import CSystemd
import Glibc

/// A D-Bus connection to a bus or to a single peer (sd-bus(3)).
///
/// Its calls never start a service: a call of a name without an owner fails. It is not thread-safe.
@safe package struct Bus: ~Copyable {
  private let bus: OpaquePointer

  /// Connects to a bus, and authenticates while messages are received.
  ///
  /// - Parameter address: The addresses of the bus, separated by semicolons (D-Bus specification, "Server Addresses").
  ///   The first reachable one is used.
  /// - Throws: `BusError` if an address is invalid or no bus is reachable.
  package init(address: String) throws(BusError) {
    let bus = try unsafe Self.make()
    do throws(BusError) {
      try unsafe BusError.check(sd.bus_set_address(bus, address), "parse \(address)")
      try unsafe BusError.check(sd.bus_set_bus_client(bus, 1), "connect")
      try unsafe BusError.check(sd.bus_start(bus), "connect")
    } catch {
      _ = unsafe sd.bus_close_unref(bus)
      throw error
    }
    unsafe self.bus = unsafe bus
  }

  /// Connects to a peer that is not a bus, and authenticates while messages are received.
  ///
  /// - Parameter socket: A connected stream socket. The caller keeps its ownership, because the connection uses a
  ///   duplicate.
  /// - Throws: `BusError` if the socket cannot be used.
  package init(peer socket: Int32) throws(BusError) {
    let bus = try unsafe Self.make()
    let own = fcntl(socket, F_DUPFD_CLOEXEC, 0)
    let code = own < 0 ? -errno : unsafe sd.bus_set_fd(bus, own, own)
    do throws(BusError) {
      try BusError.check(code, "use the socket")
    } catch {
      if own >= 0 { close(own) }
      _ = unsafe sd.bus_close_unref(bus)
      throw error
    }
    do throws(BusError) {
      try unsafe BusError.check(sd.bus_start(bus), "connect")
    } catch {
      _ = unsafe sd.bus_close_unref(bus)
      throw error
    }
    unsafe self.bus = unsafe bus
  }

  /// Allocates a connection that accepts file descriptors.
  private static func make() throws(BusError) -> OpaquePointer {
    guard isLibraryLoaded else {
      let library = unsafe String(cString: placard_systemd_library)
      throw BusError(action: "load \(library)", code: ENOENT, reason: "it is not installed (package libsystemd0)")
    }
    var made: OpaquePointer?
    try unsafe BusError.check(sd.bus_new(&made), "allocate a connection")
    guard let bus = unsafe made else { throw BusError(action: "allocate a connection", code: ENOMEM) }
    _ = unsafe sd.bus_negotiate_fds(bus, 1)
    return unsafe bus
  }

  deinit { _ = unsafe sd.bus_close_unref(bus) }

  /// Returns a duplicate of the socket, to wait until it is readable. The caller owns it.
  ///
  /// - Throws: `BusError` if the connection has ended or no descriptor is left.
  /// - Returns: The descriptor.
  package func duplicateSocket() throws(BusError) -> Int32 {
    let own = fcntl(try unsafe BusError.check(sd.bus_get_fd(bus), "receive"), F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw BusError(action: "duplicate the socket", code: errno) }
    return own
  }

  /// Sends a message, or queues it until authentication ends.
  ///
  /// - Parameter message: A call or a signal.
  /// - Throws: `BusError` if the connection has ended or a name in the message is invalid.
  /// - Returns: The cookie of the message, which the reply has as its `replyCookie`.
  @discardableResult
  package func send(_ message: BusMessage) throws(BusError) -> UInt64 {
    let made = try unsafe BusEncoder.message(message, on: bus)
    defer { _ = unsafe sd.bus_message_unref(made) }
    var cookie: UInt64 = 0
    try unsafe BusError.check(sd.bus_send(bus, made, &cookie), "send \(message.member ?? "a message")")
    return cookie
  }

  /// Returns the next received message without waiting; nil if there is none yet.
  ///
  /// Call it until it returns nil, and then again when the socket is readable: it also authenticates and writes queued
  /// messages.
  ///
  /// - Throws: `BusError` if the connection has ended, or the peer violates the protocol or does not read.
  package func receive() throws(BusError) -> BusMessage? {
    while true {
      var received: OpaquePointer?
      let code = try unsafe BusError.check(sd.bus_process(bus, &received), "receive")
      if let message = unsafe received {
        defer { _ = unsafe sd.bus_message_unref(message) }
        return try unsafe BusDecoder.message(message)
      }
      if code == 0 { break }
    }
    // The peer's socket has room for far more than the few hundred bytes that are ever under way.
    let events = try unsafe BusError.check(sd.bus_get_events(bus), "receive")
    if events & POLLOUT != 0 { throw BusError(action: "send", code: EAGAIN) }
    return nil
  }

  /// Sends a call and waits for its reply.
  ///
  /// - Parameters:
  ///   - message: The call.
  ///   - limit: The longest time to wait for the reply. Authentication may take 90 s before that (sd-bus's limit).
  /// - Throws: `BusError` with the peer's reason, ETIMEDOUT after the limit, or the error that ended the connection.
  package func call(_ message: BusMessage, within limit: Duration) throws(BusError) {
    let made = try unsafe BusEncoder.message(message, on: bus)
    defer { _ = unsafe sd.bus_message_unref(made) }
    var refusal = unsafe sd_bus_error()
    defer { unsafe sd.bus_error_free(&refusal) }
    var reply: OpaquePointer?
    let microseconds = UInt64(max(1, limit / .microseconds(1)))
    let code = unsafe sd.bus_call(bus, made, microseconds, &refusal, &reply)
    _ = unsafe sd.bus_message_unref(reply)
    guard code < 0 else { return }
    let reason = unsafe refusal.message.map { unsafe String(cString: $0) }
    throw BusError(action: "call \(message.member ?? "")", code: -code, reason: reason)
  }
}
