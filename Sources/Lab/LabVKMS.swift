/// The kernel's card without hardware, vkms: its one monitor is always there, and its frames last as long as a real
/// monitor's. Nobody sees it; the driver tells a checksum of each frame instead.
public struct VKMSCard: Sendable, Equatable {
  /// What the guest calls it: "card1".
  public let node: String
  /// What the guest calls its connector: "Virtual-5".
  public let connectorName: String

  /// Where debugfs has what the driver tells of its frames.
  var checksums: String { "/sys/kernel/debug/dri/\(node.drop { !$0.isNumber })/crtc-0/crc" }

  /// What the driver tells of a frame with just these pixels: red, green and blue of each, row by row.
  ///
  /// It widens each to 16 bits, with all of them set for an alpha before, and sums up what is in memory then (kernel:
  /// drivers/gpu/drm/vkms, `struct pixel_argb_u16` and `blend()`, in 6.1 and 6.12; a byte times 257 is that byte twice).
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
  /// Why vkms cannot be had on this host, as one sentence; nil where it can. The first time, it makes the driver.
  public static var vkmsObstacle: String? { obstacle(to: .vkms) }

  /// Loads vkms, waits until the guest's kernel has its card, and returns it. A guest has one at most, for good: the
  /// driver cannot be removed while a program has the card open, and has nothing that could be unplugged.
  public func addVKMS(within: Duration = .seconds(30)) throws(LabError) -> VKMSCard {
    try load(.vkms)
    let event = try waitForUevent(from: 0, within: within) { $0.isCard("add") && $0.path.contains("/vkms/") }
    let node = event.path.split(separator: "/").last.map(String.init) ?? ""
    let entries = try shell("ls /sys/class/drm").split(whereSeparator: \.isWhitespace)
    guard let entry = entries.first(where: { $0.hasPrefix(node + "-Virtual-") }) else {
      throw LabError(.refused, "the guest's \(node) of vkms has no connector (see /sys/class/drm)")
    }
    return VKMSCard(node: node, connectorName: String(entry.dropFirst(node.utf8.count + 1)))
  }

  /// The checksums of frames that a card of vkms has shown, from now on until the process is killed: lines of the
  /// frame's number and its sum, in hexadecimal. Its monitor must be lit, and one program only may ask
  /// (kernel: drivers/gpu/drm/drm_debugfs_crc.c).
  public func watchFrames(of card: VKMSCard) throws(LabError) -> GuestProcess {
    try put("auto".utf8, to: card.checksums + "/control")
    return try start(["cat", card.checksums + "/data"])
  }

  /// Waits until a card of vkms shows a frame with this checksum (`VKMSCard.checksum`).
  public func witness(_ checksum: UInt32, on card: VKMSCard, within: Duration) throws(LabError) {
    let digits = String(checksum, radix: 16)
    let frames = try watchFrames(of: card)
    // The file is the next one's only when this one has let go of it.
    defer {
      try? frames.kill(9)
      _ = try? frames.wait(within: .seconds(10))
    }
    try frames.waitForLine(
      containing: " 0x" + String(repeating: "0", count: 8 - digits.utf8.count) + digits, within: within)
  }
}
