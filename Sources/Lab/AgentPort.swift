import CLinux
import Glibc

/// The guest's side of one virtio-serial port.
final class AgentPort {
  let descriptor: Descriptor
  /// Whether a host is at the other end. While none is, poll(2) would report POLLHUP for ever; the driver sends SIGIO
  /// when that changes (kernel: drivers/char/virtio_console.c, send_sigio_to_port).
  private(set) var isConnected = false
  var wantsUevents = false
  private var decoder = FrameDecoder()
  private var outgoing: [UInt8] = []

  private static let base = "/sys/class/virtio-ports"

  /// The devices of the lab's ports that have a name by now.
  static var devices: [String] {
    Files.list(base).filter { device in
      let name = (try? Files.text("\(base)/\(device)/name")) ?? ""
      return name.hasPrefix(QEMUCommand.portPrefix)
    }
  }

  /// Opens every port of the lab. `wait` waits for a uevent until a deadline, and says whether one came: a port is
  /// there before its name is, which a message of its own brings and a uevent tells
  /// (kernel: drivers/char/virtio_console.c, VIRTIO_CONSOLE_PORT_NAME).
  static func openAll(_ wait: (Deadline) -> Bool) throws(LabError) -> [AgentPort] {
    let deadline = Deadline(in: .seconds(30))
    var devices = Self.devices
    while devices.count < QEMUCommand.portCount, !Files.list(base).isEmpty, wait(deadline) { devices = Self.devices }
    guard !devices.isEmpty else {
      throw LabError(.missing, "no port of a lab below \(base): the agent runs in the guest of a lab only")
    }
    guard devices.count >= QEMUCommand.portCount else {
      throw LabError(
        .missing, "\(devices.count) ports of the lab's \(QEMUCommand.portCount) are below \(base); boot it again")
    }
    return try devices.map { (device) throws(LabError) in try AgentPort(device: device) }
  }

  private init(device: String) throws(LabError) {
    descriptor = try Descriptor.open("/dev/\(device)", O_RDWR | O_NONBLOCK)
    _ = fcntl(descriptor.number, F_SETOWN, getpid())
    _ = fcntl(descriptor.number, F_SETFL, fcntl(descriptor.number, F_GETFL) | O_ASYNC)
    checkConnection()
  }

  /// Looks whether a host has come.
  func checkConnection() {
    var entry = pollfd(fd: descriptor.number, events: 0, revents: 0)
    unsafe poll(&entry, 1, 0)
    isConnected = Int32(entry.revents) & POLLHUP == 0
  }

  /// The host has gone: nothing of its is kept.
  func disconnect() {
    isConnected = false
    wantsUevents = false
    decoder = FrameDecoder()
    outgoing = []
  }

  /// What poll(2) is to wait for.
  var pollEvents: Int32 { outgoing.isEmpty ? POLLIN : POLLIN | POLLOUT }

  /// Whether so much waits to be sent that programs' output should wait, too.
  var isFull: Bool { outgoing.count > 1 << 18 }

  func send(_ frame: Frame) {
    guard isConnected else { return }
    outgoing += frame.encoded
    flush()
  }

  /// Sends as much as the port takes now.
  func flush() {
    while !outgoing.isEmpty {
      guard let taken = descriptor.write(outgoing.prefix(65536)[...]), taken > 0 else { return }
      outgoing.removeFirst(taken)
    }
  }

  /// The requests that have come.
  func receive() throws(LabError) -> [Frame] {
    if case .bytes(let bytes) = descriptor.read() { decoder.append(bytes) }
    var frames: [Frame] = []
    while let frame = try decoder.next() { frames.append(frame) }
    return frames
  }
}
