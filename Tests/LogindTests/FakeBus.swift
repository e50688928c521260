import DBus
import Glibc
import Testing

/// A bus with a logind behind it: a Unix socket that performs the handshake and answers calls.
///
/// Every call blocks until it is done, and fails after a minute.
final class FakeBus {
  let address: DBusAddress
  private let path: String
  private let listener: Int32
  private var wire: Wire?

  init() throws {
    path = "/tmp/placard-bus-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    address = try #require(DBusAddress.list("unix:path=\(path)").first)
    listener = try unsafe Wire.socket(at: path) { unsafe bind($0, $1, $2) }
    try #require(listen(listener, 4) == 0)
  }

  deinit {
    close(listener)
    unsafe unlink(path)
  }

  /// Accepts a connection and answers until the lock and the lid state have been requested, when the session is ready.
  func serve(lidClosed: Bool = false) throws -> Lock {
    try #require(Lock.canRead(listener, within: 60_000), "no client connects")
    let wire = try Wire(accept(listener, nil, nil))
    self.wire = wire
    try #require(wire.line().hasPrefix("\0AUTH EXTERNAL "))
    try wire.send("OK 1234\r\n")
    try #require(wire.line() == "NEGOTIATE_UNIX_FD")
    try wire.send("AGREE_UNIX_FD\r\n")
    try #require(wire.line() == "BEGIN")
    return try answer(lidClosed: lidClosed)
  }

  /// Answers calls until the lid state has been requested, which is the last request.
  func answer(lidClosed: Bool = false) throws -> Lock {
    let wire = try #require(wire)
    var lock: Lock?
    while true {
      let call = try wire.message()
      var reply = DBusMessage(.reply)
      (reply.replySerial, reply.sender) = (call.serial, ":1.7")
      switch call.member {
      case "GetNameOwner": reply.body = [.string(":1.7")]
      case "Inhibit":
        lock = try Lock()
        reply.body = [.descriptor(0)]
      case "Get": reply.body = [.variant(.boolean(lidClosed))]
      default: break
      }
      try wire.send(reply, passing: call.member == "Inhibit" ? lock?.takeWriter() : nil)
      if call.member == "Get" { return try #require(lock, "the lid state was requested before the lock") }
    }
  }

  /// Closes the connection.
  func hangUp() { wire = nil }

  func send(_ text: String) throws { try wire?.send(text) }

  func prepareForSleep(_ isStart: Bool) throws { try wire?.send(.prepareForSleep(isStart, from: ":1.7")) }

  func moveLid(isClosed: Bool) throws { try wire?.send(.lidMoved(isClosed, from: ":1.7")) }
}

extension DBusMessage {
  /// Returns logind's signal before and after a suspend.
  static func prepareForSleep(_ isStart: Bool, from sender: String? = nil) -> DBusMessage {
    signal("PrepareForSleep", of: "org.freedesktop.login1.Manager", from: sender, [.boolean(isStart)])
  }

  /// Returns logind's signal for a lid change.
  static func lidMoved(_ isClosed: Bool, from sender: String? = nil) -> DBusMessage {
    let entry = DBusValue.entry(.string("LidClosed"), .variant(.boolean(isClosed)))
    return signal(
      "PropertiesChanged", of: "org.freedesktop.DBus.Properties", from: sender,
      [.string("org.freedesktop.login1.Manager"), .array([entry], of: "{sv}"), .array([], of: "s")])
  }

  private static func signal(
    _ member: String, of interface: String, from sender: String?, _ body: [DBusValue]
  ) -> DBusMessage {
    var signal = DBusMessage(.signal)
    (signal.path, signal.interface, signal.member) = ("/org/freedesktop/login1", interface, member)
    (signal.sender, signal.body) = (sender, body)
    return signal
  }
}
