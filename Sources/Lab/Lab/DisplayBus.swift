import DBus
import JSON
import Glibc
import Synchronization

/// A peer-to-peer D-Bus connection to QEMU's display over a socket pair (QEMU's docs/interop/dbus-display).
///
/// It connects and disconnects monitors.
final class DisplayBus: Sendable {
  private let socket: Descriptor
  private let state = Mutex((serial: UInt32(0), stream: DBusStream()))

  /// Passes one end of a socket pair to QEMU and authenticates on the other.
  init(qmp: QMPClient, within: Duration = .seconds(20)) throws(LabError) {
    let (ours, theirs) = try UnixSocket.pair()
    socket = ours
    socket.setNonBlocking()
    try qmp.execute("getfd", ["fdname": .string("display")], passing: theirs.number)
    try qmp.execute("add_client", ["protocol": .string("@dbus-display"), "fdname": .string("display")])
    let deadline = Deadline(in: within)
    try socket.writeAll(DBusStream.opening(user: getuid()), until: deadline, to: "QEMU's display")
    try state.withLock { (state) throws(LabError) in
      guard case .begin(let bytes) = try next(&state.stream, until: deadline) else {
        throw LabError(.refused, "QEMU's display requested a handshake that the lab does not support")
      }
      try socket.writeAll(bytes, until: deadline, to: "QEMU's display")
    }
  }

  /// Sets the monitor of a console.
  ///
  /// The size 0x0 disconnects it. The size in millimeters only affects QEMU's own EDID.
  func setMonitor(
    console: Int, width: Int, height: Int, widthMillimeters: Int, heightMillimeters: Int
  ) throws(LabError) {
    try call(
      .call(
        "SetUIInfo", of: "org.qemu.Display1.Console", at: "/org/qemu/Display1/Console_\(console)",
        .uint16(UInt16(clamping: widthMillimeters)), .uint16(UInt16(clamping: heightMillimeters)), .int32(0), .int32(0),
        .uint32(UInt32(clamping: width)), .uint32(UInt32(clamping: height))))
  }

  private func call(_ call: DBusMessage) throws(LabError) {
    let deadline = Deadline(in: .seconds(20))
    try state.withLock { (state) throws(LabError) in
      state.serial += 1
      var call = call
      call.serial = state.serial
      try socket.writeAll(call.bytes, until: deadline, to: "QEMU's display")
      while true {
        guard case .message(let reply) = try next(&state.stream, until: deadline), reply.replySerial == call.serial
        else { continue }
        guard reply.kind == .reply else {
          let (member, path) = (call.member ?? "", call.path ?? "")
          throw LabError(.refused, "QEMU refused \(member) on \(path): \(reply.errorName ?? "no reason given")")
        }
        return
      }
    }
  }

  private func next(_ stream: inout DBusStream, until deadline: Deadline) throws(LabError) -> DBusStream.Step {
    while true {
      do throws(DBusError) {
        if let step = try stream.next() { return step }
      } catch {
        throw LabError(.refused, "QEMU's display violated the D-Bus protocol: \(error)")
      }
      stream.receive(try read(until: deadline))
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
