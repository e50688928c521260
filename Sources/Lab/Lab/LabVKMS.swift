import Primitives

/// The card of the kernel's virtual driver vkms.
///
/// It has one permanently connected monitor, with the frame timing of a real one. Its frames are not visible, but the
/// driver reports a checksum of each.
public struct VKMSCard: Sendable, Equatable {
  /// The guest's name of the card, such as "card1".
  public let node: String
  /// The guest's name of the connector, such as "Virtual-5".
  public let connectorName: String

  /// The debugfs directory with the driver's frame checksums.
  var checksums: String { "/sys/kernel/debug/dri/\(node.drop { !$0.isNumber })/crtc-0/crc" }

  /// Returns the checksum that the driver reports for a frame.
  ///
  /// The driver widens each component to 16 bits, inserts an opaque alpha before red, and computes the checksum of this
  /// in-memory format (kernel: drivers/gpu/drm/vkms, `struct pixel_argb_u16` and `blend()`, in 6.1 and 6.12). A byte
  /// times 257 is that byte repeated.
  ///
  /// - Parameter rgb: The red, green and blue bytes of all pixels, row by row.
  /// - Returns: The CRC-32.
  public static func checksum(ofPixels rgb: [UInt8]) -> UInt32 {
    var row: [UInt8] = []
    var sum: UInt32 = 0
    let pixels = 4096
    for start in stride(from: 0, to: rgb.count, by: 3 * pixels) {
      row.removeAll(keepingCapacity: true)
      for pixel in stride(from: start, to: min(start + 3 * pixels, rgb.count - 2), by: 3) {
        row += [0xFF, 0xFF, rgb[pixel], rgb[pixel], rgb[pixel + 1], rgb[pixel + 1], rgb[pixel + 2], rgb[pixel + 2]]
      }
      sum = CRC32.sum(row, from: sum)
    }
    return sum
  }
}

extension Lab {
  /// The reason why vkms is unavailable on this host, or nil if it is available.
  ///
  /// The first access builds the driver.
  public static var vkmsUnavailableReason: String? { unavailableReason(to: .vkms) }

  /// Loads vkms and waits until the guest's kernel has its card.
  ///
  /// A guest has at most one such card, and it is permanent: the driver cannot be unloaded while a program has the card
  /// open, and it has no device that could be unplugged.
  ///
  /// - Parameter within: The time limit for the detection.
  /// - Throws: `LabError` if the driver is unavailable or the guest does not detect the card.
  /// - Returns: The card.
  public func addVKMS(within: Duration = .generous) throws(LabError) -> VKMSCard {
    try load(.vkms)
    let event = try waitForUevent(from: 0, within: within) { $0.isCard("add") && $0.path.contains("/vkms/") }
    let node = event.path.split(separator: "/").last.map(String.init) ?? ""
    let entries = try shell("ls /sys/class/drm").split(whereSeparator: \.isWhitespace)
    guard let entry = entries.first(where: { $0.hasPrefix(node + "-Virtual-") }) else {
      throw LabError(.refused, "the guest's \(node) of vkms has no connector (see /sys/class/drm)")
    }
    return VKMSCard(node: node, connectorName: String(entry.dropFirst(node.utf8.count + 1)))
  }

  /// Starts a process that prints the checksums of presented frames until it is killed.
  ///
  /// Each line contains the frame number and the checksum, in hexadecimal. The monitor must be enabled, and only one
  /// process at a time can read the checksums (kernel: drivers/gpu/drm/drm_debugfs_crc.c).
  ///
  /// - Parameter card: The card.
  /// - Throws: `LabError` if the guest refuses the request.
  /// - Returns: The process.
  public func watchFrames(of card: VKMSCard) throws(LabError) -> LabProcess {
    try put("auto".utf8, to: card.checksums + "/control")
    return try start(["cat", card.checksums + "/data"])
  }

  /// Waits until a vkms card presents a frame with a given checksum (see `VKMSCard.checksum`).
  public func waitForFrame(_ checksum: UInt32, on card: VKMSCard, within: Duration) throws(LabError) {
    let frames = try watchFrames(of: card)
    // Wait for the exit: only one process at a time can open the file.
    defer {
      try? frames.kill(9)
      _ = try? frames.wait(within: .seconds(10))
    }
    try frames.waitForLine(containing: " 0x" + Hex.digits(UInt64(checksum), 8), within: within)
  }
}
