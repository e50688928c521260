import CLinux
import Glibc

/// The guest's side of a virtio-serial port.
final class AgentPort {
  let descriptor: Descriptor
  /// Whether a host process is connected to the port.
  ///
  /// Without one, poll(2) would report POLLHUP continuously. The driver sends SIGIO on each change (kernel:
  /// drivers/char/virtio_console.c, send_sigio_to_port).
  private(set) var isConnected = false
  var wantsUevents = false
  private var decoder = FrameDecoder()
  private var outgoing: [UInt8] = []

  private static let base = "/sys/class/virtio-ports"

  /// The devices of the lab's ports whose names are already set.
  static var devices: [String] {
    Files.list(base).filter { device in
      let name = (try? Files.text("\(base)/\(device)/name")) ?? ""
      return name.hasPrefix(QEMUCommand.portPrefix)
    }
  }

  /// Opens all ports of the lab.
  ///
  /// A port's device appears before its name. The name arrives in a separate control message, which triggers a uevent
  /// (kernel: drivers/char/virtio_console.c, VIRTIO_CONSOLE_PORT_NAME).
  ///
  /// - Parameter wait: A function that waits for a uevent until a deadline and returns whether one arrived.
  /// - Throws: `LabError` if a port is missing after 30 s or cannot be opened.
  /// - Returns: The ports.
  static func openAll(_ wait: (Deadline) -> Bool) throws(LabError) -> [AgentPort] {
    let deadline = Deadline(in: .seconds(30))
    var devices = Self.devices
    while devices.count < QEMUCommand.portCount, !Files.list(base).isEmpty, wait(deadline) { devices = Self.devices }
    guard !devices.isEmpty else {
      throw LabError(.missing, "no port of a lab below \(base): the agent runs only in the guest of a lab")
    }
    guard devices.count >= QEMUCommand.portCount else {
      throw LabError(
        .missing, "only \(devices.count) of the lab's \(QEMUCommand.portCount) ports are below \(base); boot it again")
    }
    return try devices.map { (device) throws(LabError) in try AgentPort(device: device) }
  }

  private init(device: String) throws(LabError) {
    descriptor = try Descriptor.open("/dev/\(device)", O_RDWR | O_NONBLOCK)
    _ = fcntl(descriptor.number, F_SETOWN, getpid())
    _ = fcntl(descriptor.number, F_SETFL, fcntl(descriptor.number, F_GETFL) | O_ASYNC)
    checkConnection()
  }

  /// Updates `isConnected`.
  func checkConnection() {
    var entry = pollfd(fd: descriptor.number, events: 0, revents: 0)
    unsafe poll(&entry, 1, 0)
    isConnected = Int32(entry.revents) & POLLHUP == 0
  }

  /// Discards all state of the disconnected host process.
  func disconnect() {
    isConnected = false
    wantsUevents = false
    decoder = FrameDecoder()
    outgoing = []
  }

  /// The poll(2) events to wait for.
  var pollEvents: Int32 { outgoing.isEmpty ? POLLIN : POLLIN | POLLOUT }

  /// Whether the send queue exceeds 256 KiB, so that reading the output of programs must pause.
  var isFull: Bool { outgoing.count > 1 << 18 }

  func send(_ frame: Frame) {
    guard isConnected else { return }
    outgoing += frame.encoded
    flush()
  }

  /// Sends as many queued bytes as the port accepts without blocking.
  func flush() {
    while !outgoing.isEmpty {
      guard let taken = descriptor.write(outgoing.prefix(65536)[...]), taken > 0 else { return }
      outgoing.removeFirst(taken)
    }
  }

  /// Reads available bytes and returns the complete requests.
  func receive() throws(LabError) -> [Frame] {
    if case .bytes(let bytes) = descriptor.read() { decoder.append(bytes) }
    var frames: [Frame] = []
    while let frame = try decoder.next() { frames.append(frame) }
    return frames
  }
}
