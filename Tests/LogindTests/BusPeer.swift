import CSystemd
import Glibc
import Testing

@testable import Systemd

/// One end of a D-Bus connection, controlled by the test.
///
/// Every call blocks until it is done, and fails after a minute.
@safe final class BusPeer {
  private let bus: OpaquePointer

  struct Failure: Error {
    var what: String
    /// Whether the other end closed the connection.
    var isHangUp = false
  }

  /// Serves one client on a connected socket, which it then owns.
  init(serving socket: Int32) throws {
    try #require(socket >= 0)
    unsafe bus = try Self.make { bus in
      var id = sd_id128_t()
      unsafe withUnsafeMutableBytes(of: &id) { unsafe $0.storeBytes(of: 0x1234, as: UInt64.self) }
      return unsafe min(sd.bus_set_fd(bus, socket, socket), sd.bus_set_server(bus, 1, id))
    }
  }

  /// Connects to a bus.
  init(address: String) throws {
    unsafe bus = try Self.make { unsafe min(sd.bus_set_address($0, address), sd.bus_set_bus_client($0, 1)) }
  }

  private static func make(_ configure: (OpaquePointer) -> Int32) throws -> OpaquePointer {
    var made: OpaquePointer?
    _ = unsafe sd.bus_new(&made)
    let bus = try unsafe #require(unsafe made)
    _ = unsafe sd.bus_negotiate_fds(bus, 1)
    let code = unsafe min(configure(bus), sd.bus_start(bus))
    guard code >= 0 else { throw Failure(what: "cannot start: \(code)") }
    return unsafe bus
  }

  deinit { _ = unsafe sd.bus_close_unref(bus) }

  /// Returns the next message, after `reply` has answered it if it is a call.
  @discardableResult
  func next(reply: (BusMessage) throws -> [BusValue]? = { _ in nil }) throws -> BusMessage {
    while true {
      if let message = try received(reply: reply) { return message }
      guard unsafe sd.bus_wait(bus, 60_000_000) > 0 else { throw Failure(what: "nothing came in a minute") }
    }
  }

  /// Returns the next message without waiting; nil if there is none yet.
  func received(reply: (BusMessage) throws -> [BusValue]? = { _ in nil }) throws -> BusMessage? {
    while true {
      var received: OpaquePointer?
      let code = unsafe sd.bus_process(bus, &received)
      guard code >= 0 else { throw Failure(what: "the other end hung up: \(code)", isHangUp: true) }
      if let message = unsafe received {
        defer { _ = unsafe sd.bus_message_unref(message) }
        let copy = try unsafe BusDecoder.message(message)
        if copy.kind == .call, let values = try reply(copy) { try unsafe answer(message, values) }
        return copy
      }
      if code == 0 { return nil }
    }
  }

  private func answer(_ call: OpaquePointer, _ values: [BusValue]) throws {
    var made: OpaquePointer?
    _ = unsafe sd.bus_message_new_method_return(call, &made)
    let reply = try unsafe #require(unsafe made)
    defer { _ = unsafe sd.bus_message_unref(reply) }
    if let sender { _ = unsafe sd.bus_message_set_sender(reply, sender) }
    for value in values { try unsafe BusEncoder.append(value, to: reply) }
    try unsafe #require(sd.bus_send(bus, reply, nil) >= 0)
    _ = unsafe sd.bus_flush(bus)
  }

  /// The name in which messages are sent; nil on a real bus, which sets it.
  var sender: String?

  /// Sends a signal or a call, and returns the cookie of a call.
  @discardableResult
  func send(_ message: BusMessage) throws -> UInt64 {
    let made = try unsafe BusEncoder.message(message, on: bus)
    defer { _ = unsafe sd.bus_message_unref(made) }
    if let sender { _ = unsafe sd.bus_message_set_sender(made, sender) }
    var cookie: UInt64 = 0
    let code = unsafe sd.bus_send(bus, made, &cookie)
    guard code >= 0 else { throw Failure(what: "send: \(code)") }
    _ = unsafe sd.bus_flush(bus)
    return cookie
  }

  /// Sends bytes that are not a message.
  func send(raw text: String) throws {
    _ = unsafe sd.bus_flush(bus)
    let sent = unsafe Glibc.send(sd.bus_get_fd(bus), text, text.utf8.count, Int32(MSG_NOSIGNAL))
    guard sent == text.utf8.count else { throw Failure(what: "send: \(errno)") }
  }

  /// Calls a method of the bus and waits for its reply.
  @discardableResult
  func call(_ member: String, _ body: BusValue...) throws -> BusMessage {
    var call = BusMessage.call(
      member, of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", on: "org.freedesktop.DBus")
    call.body = body
    let cookie = try send(call)
    while true {
      let reply = try next()
      guard reply.replyCookie == cookie else { continue }
      try #require(reply.kind == .reply, "\(member): \(reply.errorName ?? "")")
      return reply
    }
  }
}

extension BusMessage {
  /// Returns logind's signal before and after a suspend.
  static func prepareForSleep(_ isStart: Bool, from sender: String? = nil) -> BusMessage {
    signal("PrepareForSleep", of: "org.freedesktop.login1.Manager", from: sender, [.boolean(isStart)])
  }

  /// Returns logind's signal for a lid change.
  static func lidMoved(_ isClosed: Bool, from sender: String? = nil) -> BusMessage {
    let entry = BusValue.entry(.string("LidClosed"), .variant(.boolean(isClosed)))
    return signal(
      "PropertiesChanged", of: "org.freedesktop.DBus.Properties", from: sender,
      [.string("org.freedesktop.login1.Manager"), .array([entry], of: "{sv}"), .array([], of: "s")])
  }

  private static func signal(
    _ member: String, of interface: String, from sender: String?, _ body: [BusValue]
  ) -> BusMessage {
    var signal = BusMessage(.signal)
    (signal.path, signal.interface, signal.member) = ("/org/freedesktop/login1", interface, member)
    (signal.sender, signal.body) = (sender, body)
    return signal
  }
}
