import JSON
import Glibc
import Synchronization

/// The connection to QEMU's D-Bus display, peer to peer over a socket pair, by which monitors are plugged
/// (QEMU's docs/interop/dbus-display).
final class DisplayBus: Sendable {
  private let socket: Descriptor
  private let state = Mutex((serial: UInt32(0), bytes: [UInt8]()))

  /// Hands QEMU one end and authenticates on the other.
  init(qmp: QMPClient, within: Duration = .seconds(20)) throws(LabError) {
    let (ours, theirs) = try UnixSocket.pair()
    socket = ours
    socket.setNonBlocking()
    try qmp.execute("getfd", ["fdname": .string("display")], passing: theirs.number)
    try qmp.execute("add_client", ["protocol": .string("@dbus-display"), "fdname": .string("display")])
    let deadline = Deadline(in: within)
    // SASL EXTERNAL: a zero byte, then the user's number in decimal, its digits in hex.
    let user = "\(getuid())".utf8.map { String($0, radix: 16) }.joined()
    try socket.writeAll([0] + Array("AUTH EXTERNAL \(user)\r\n".utf8), until: deadline, to: "QEMU's display")
    try expectOK(until: deadline)
    try socket.writeAll(Array("BEGIN\r\n".utf8), until: deadline, to: "QEMU's display")
  }

  /// Tells console `console` what monitor it has: 0x0 is none. Millimetres only reach the EDID that QEMU makes.
  func setMonitor(
    console: Int, width: Int, height: Int, widthMillimetres: Int, heightMillimetres: Int
  ) throws(LabError) {
    try call(
      path: "/org/qemu/Display1/Console_\(console)", interface: "org.qemu.Display1.Console", member: "SetUIInfo",
      body: [
        .uint16(UInt16(clamping: widthMillimetres)), .uint16(UInt16(clamping: heightMillimetres)), .int32(0), .int32(0),
        .uint32(UInt32(clamping: width)), .uint32(UInt32(clamping: height)),
      ])
  }

  private func call(
    path: String, interface: String, member: String, body: [DBusMessage.Value]
  ) throws(LabError) {
    let deadline = Deadline(in: .seconds(20))
    try state.withLock { (state) throws(LabError) in
      state.serial += 1
      let serial = state.serial
      let message = DBusMessage.methodCall(
        serial: serial, path: path, interface: interface, member: member, body: body)
      try socket.writeAll(message, until: deadline, to: "QEMU's display")
      while true {
        let reply = try next(&state.bytes, until: deadline)
        guard reply.replySerial == serial else { continue }
        guard reply.type == 2 else {
          throw LabError(.refused, "QEMU refused \(member) on \(path): \(reply.errorName ?? "no reason given")")
        }
        return
      }
    }
  }

  private func next(_ bytes: inout [UInt8], until deadline: Deadline) throws(LabError) -> DBusMessage {
    while true {
      if let message = try DBusMessage(parsing: bytes) {
        bytes.removeFirst(message.length)
        return message
      }
      bytes += try read(until: deadline)
    }
  }

  private func expectOK(until deadline: Deadline) throws(LabError) {
    var lines = LineBuffer()
    while true {
      if let line = lines.next() {
        let text = String(decoding: line, as: UTF8.self)
        guard text.hasPrefix("OK") else { throw LabError(.refused, "QEMU's display refused this user: \(text)") }
        return
      }
      lines.append(try read(until: deadline))
    }
  }

  private func read(until deadline: Deadline) throws(LabError) -> [UInt8] {
    while socket.waitReady(Int32(POLLIN), until: deadline) {
      switch socket.read() {
      case .bytes(let bytes): return bytes
      case .wouldBlock: continue
      case .end: throw LabError(.ended, "QEMU closed the connection to its display")
      case .failed(let code): throw LabError.system("read from QEMU's display", code: code)
      }
    }
    throw LabError(.timeout, "QEMU's display did not answer in time")
  }
}
