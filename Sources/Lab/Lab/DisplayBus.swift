import Glibc
import JSON
import Synchronization
import SystemCalls
import Systemd

/// A peer-to-peer D-Bus connection to QEMU's display over a socket pair (QEMU's docs/interop/dbus-display).
///
/// It connects and disconnects monitors.
final class DisplayBus: Sendable {
  private let bus: Mutex<Bus>
  private let limit: Duration

  /// Passes one end of a socket pair to QEMU, and authenticates on the other with the first call.
  ///
  /// - Parameters:
  ///   - qmp: The monitor of the QEMU process.
  ///   - limit: The longest time to wait for each reply of the display.
  /// - Throws: `LabError` if QEMU refuses the socket.
  init(qmp: QMPClient, within limit: Duration = .seconds(20)) throws(LabError) {
    let (ours, theirs) = try UnixSocket.pair()
    try qmp.execute("getfd", ["fdname": .string("display")], passing: theirs.number)
    try qmp.execute("add_client", ["protocol": .string("@dbus-display"), "fdname": .string("display")])
    do throws(BusError) {
      bus = Mutex(try Bus(peer: ours.number))
    } catch {
      throw LabError(.refused, "QEMU's display cannot be connected: \(error)")
    }
    self.limit = limit
  }

  /// Sets the monitor of a console.
  ///
  /// The size 0x0 disconnects it. The size in millimeters only affects QEMU's own EDID.
  func setMonitor(
    console: Int, width: Int, height: Int, widthMillimeters: Int, heightMillimeters: Int
  ) throws(LabError) {
    let call = BusMessage.call(
      "SetUIInfo", of: "org.qemu.Display1.Console", at: "/org/qemu/Display1/Console_\(console)",
      .uint16(UInt16(clamping: widthMillimeters)), .uint16(UInt16(clamping: heightMillimeters)), .int32(0), .int32(0),
      .uint32(UInt32(clamping: width)), .uint32(UInt32(clamping: height)))
    do throws(BusError) {
      try bus.withLock { (bus) throws(BusError) in try bus.call(call, within: limit) }
    } catch {
      switch error.number.code {
      case ETIMEDOUT: throw LabError(.timeout, "QEMU's display did not answer in \(limit)")
      case ECONNRESET, ENOTCONN, EPIPE: throw LabError(.ended, "QEMU closed the connection to its display")
      default:
        throw LabError(.refused, "QEMU's display refused monitor \(width)x\(height) on console \(console): \(error)")
      }
    }
  }
}
