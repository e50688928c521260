/// Monitors of the virtio-gpu card. Output N, from 0 on, is the guest's connector Virtual-(N+1).
extension Lab {
  /// Plugs a monitor of this size, or changes the one that is there. QEMU makes an EDID for it, which is the same each
  /// time.
  public func plug(_ output: Int, width: Int, height: Int) throws(LabError) {
    guard (1...16384).contains(width), (1...16384).contains(height) else {
      throw LabError(.invalid, "a monitor of \(width)x\(height): sizes are 1 to 16384 pixels")
    }
    try setMonitor(output, width: width, height: height)
  }

  /// Plugs a monitor with this EDID; an EDID that was given to the output before is replaced.
  ///
  /// `size` is what the virtual cable can carry: the kernel's driver drops a preferred mode of another size. nil takes
  /// the EDID's preferred size, or 1024x768 when it has none. The kernel takes any bytes, also wrong ones, of 128 bytes
  /// and a multiple of it that agrees with byte 126; others are refused, and `.refused` says so.
  public func plug(_ output: Int, edid: [UInt8], size: (width: Int, height: Int)? = nil) throws(LabError) {
    guard !edid.isEmpty else { throw LabError(.refused, "the kernel refuses an EDID of 0 bytes for output \(output)") }
    let (width, height) = size ?? preferredSize(ofEDID: edid) ?? (1024, 768)
    do throws(LabError) {
      try put(edid, to: try overridePath(output))
    } catch {
      guard error.kind == .refused else { throw error }
      throw LabError(.refused, "the kernel refused an EDID of \(edid.count) bytes for output \(output): \(error)")
    }
    try setMonitor(output, width: width, height: height, isNudged: true)
  }

  /// Unplugs the monitor of an output; an EDID given to it stays for the next one.
  public func unplug(_ output: Int) throws(LabError) {
    try setMonitor(output, width: 0, height: 0, isNudged: true)
  }

  /// Forgets the EDID given to an output: from its next plug on it has QEMU's own again.
  public func resetEDID(_ output: Int) throws(LabError) {
    try put("reset".utf8, to: try overridePath(output))
  }

  /// QEMU drops a size that equals the last one it got, and with it the uevent. A nudge, some millimetres more, makes
  /// the call a new one; where the EDID that QEMU makes is seen, that would make another monitor of it, so that it is
  /// done there only for a size that is there already.
  func setMonitor(_ output: Int, width: Int, height: Int, isNudged: Bool = false) throws(LabError) {
    let (size, record) = ("\(width)x\(height)", "\(directory.path)/monitor-\(output)")
    let isRepeated = (try? Files.text(record)) == size
    let nudge = isNudged || isRepeated ? try directory.nextNumber(of: "nudges") % 7 + 1 : 0
    try Files.write(Array((nudge == 0 ? size : "").utf8), to: record)
    // 96 pixels to the inch.
    try displayBus().setMonitor(
      console: output, width: width, height: height, widthMillimetres: width * 254 / 960 + 1 + nudge,
      heightMillimetres: height * 254 / 960)
  }

  /// debugfs' edid_override of an output's connector, whatever number the card has.
  private func overridePath(_ output: Int) throws(LabError) -> String {
    let base = "/sys/kernel/debug/dri"
    let found = try shell("grep -ls '^virtio_gpu' \(base)/*/name || true")
    for line in found.split(separator: "\n").sorted(by: { $0.utf8.count < $1.utf8.count }) {
      return "\(Files.parentDirectory(String(line)))/Virtual-\(output + 1)/edid_override"
    }
    throw LabError(.refused, "the guest has no virtio-gpu card below \(base): EDIDs can be given to such a card only")
  }
}

/// The size of the mode that an EDID prefers: the first detailed timing, else the first preferred one of a DisplayID
/// block (VESA E-EDID 1.4 section 3.10, DisplayID 1.3 section 4.4). nil when there is none.
func preferredSize(ofEDID edid: [UInt8]) -> (width: Int, height: Int)? {
  if edid.count >= 128, edid[54] != 0 || edid[55] != 0 {
    let width = Int(edid[56]) | Int(edid[58] & 0xf0) << 4
    let height = Int(edid[59]) | Int(edid[61] & 0xf0) << 4
    if width > 0, height > 0 { return (width, height * (edid[71] & 0x80 != 0 ? 2 : 1)) }
  }
  for start in stride(from: 128, to: edid.count - 127, by: 128) where edid[start] == 0x70 {
    if let size = displayIDSize(Array(edid[start + 5..<start + 127])) { return size }
  }
  return nil
}

/// Looks through the data blocks of a DisplayID section for detailed timings (type I, 20 bytes each).
private func displayIDSize(_ blocks: [UInt8]) -> (width: Int, height: Int)? {
  var position = 0
  var first: (width: Int, height: Int)?
  while position + 3 <= blocks.count, blocks[position] != 0 || blocks[position + 2] != 0 {
    let end = min(position + 3 + Int(blocks[position + 2]), blocks.count)
    if blocks[position] == 0x03 {
      for timing in stride(from: position + 3, through: end - 20, by: 20) {
        let width = (Int(blocks[timing + 4]) | Int(blocks[timing + 5]) << 8) + 1
        let height = (Int(blocks[timing + 12]) | Int(blocks[timing + 13]) << 8) + 1
        if blocks[timing + 3] & 0x80 != 0 { return (width, height) }
        first = first ?? (width, height)
      }
    }
    position = end
  }
  return first
}
