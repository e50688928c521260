/// Monitors of the virtio-gpu card.
///
/// Output N, counted from 0, is the guest's connector Virtual-(N+1).
extension Lab {
  /// Connects a monitor of a given size, or changes the connected one.
  ///
  /// QEMU generates the same EDID each time.
  ///
  /// - Parameters:
  ///   - output: The index of the output.
  ///   - width: The width in pixels, 1 to 16384.
  ///   - height: The height in pixels, 1 to 16384.
  /// - Throws: `LabError` if the size is out of range or QEMU refuses it.
  public func plug(_ output: Int, width: Int, height: Int) throws(LabError) {
    guard (1...16384).contains(width), (1...16384).contains(height) else {
      throw LabError(.invalid, "a monitor of \(width)x\(height) is invalid: sizes are 1 to 16384 pixels")
    }
    try setMonitor(output, width: width, height: height)
  }

  /// Connects a monitor with a given EDID, which replaces an earlier one of the output.
  ///
  /// - Parameters:
  ///   - output: The index of the output.
  ///   - edid: The EDID. The kernel accepts arbitrary content, including invalid EDIDs, if the length is a multiple of
  ///     128 bytes that agrees with byte 126.
  ///   - size: The maximum size of the virtual cable in pixels: the kernel's driver drops a preferred mode of another
  ///     size. Nil uses the EDID's preferred size, or 1024x768 if it has none.
  /// - Throws: `LabError` of kind `.refused` if the kernel refuses the EDID.
  public func plug(_ output: Int, edid: [UInt8], size: (width: Int, height: Int)? = nil) throws(LabError) {
    guard !edid.isEmpty else { throw LabError(.refused, "the kernel refused an EDID of 0 bytes for output \(output)") }
    let (width, height) = size ?? preferredSize(ofEDID: edid) ?? (1024, 768)
    do throws(LabError) {
      try put(edid, to: try overridePath(output))
    } catch {
      guard error.kind == .refused else { throw error }
      throw LabError(.refused, "the kernel refused an EDID of \(edid.count) bytes for output \(output): \(error)")
    }
    try setMonitor(output, width: width, height: height, isNudged: true)
  }

  /// Disconnects the monitor of an output.
  ///
  /// Its EDID override stays for the next monitor.
  ///
  /// - Parameter output: The index of the output.
  /// - Throws: `LabError` if QEMU refuses the request.
  public func unplug(_ output: Int) throws(LabError) {
    try setMonitor(output, width: 0, height: 0, isNudged: true)
  }

  /// Removes the EDID override of an output.
  ///
  /// From the next plug on, it has QEMU's own EDID.
  ///
  /// - Parameter output: The index of the output.
  /// - Throws: `LabError` if the guest has no virtio-gpu card.
  public func resetEDID(_ output: Int) throws(LabError) {
    try put("reset".utf8, to: try overridePath(output))
  }

  /// Sets the size of an output's monitor.
  ///
  /// QEMU ignores a size that equals the previous one, and sends no uevent. A nudge of a few millimeters makes the call
  /// differ. Where QEMU's own EDID is visible, a nudge would look like another monitor, so it is only applied to a size
  /// that is already set.
  ///
  /// - Parameters:
  ///   - output: The index of the output.
  ///   - width: The width in pixels; 0 for no monitor.
  ///   - height: The height in pixels; 0 for no monitor.
  ///   - isNudged: Whether to change the call in any case.
  ///   - isRunning: Whether the guest runs, so that its driver handles the change.
  /// - Throws: `LabError` if QEMU refuses the size.
  func setMonitor(
    _ output: Int, width: Int, height: Int, isNudged: Bool = false, isRunning: Bool = true
  ) throws(LabError) {
    let (size, record) = ("\(width)x\(height)", "\(directory.path)/monitor-\(output)")
    let isRepeated = (try? Files.text(record)) == size
    let nudge = isNudged || isRepeated ? try directory.nextNumber(of: "nudges") % 7 + 1 : 0
    try Files.write(Array((nudge == 0 ? size : "").utf8), to: record)
    let bus = try displayBus()
    let set: () throws(LabError) -> Void = { () throws(LabError) in
      // 96 dpi.
      try bus.setMonitor(
        console: output, width: width, height: height, widthMillimeters: width * 254 / 960 + 1 + nudge,
        heightMillimeters: height * 254 / 960)
    }
    if isRunning { try handled(set) } else { try set() }
  }

  /// Returns the debugfs path of a connector's edid_override, for any card number.
  private func overridePath(_ output: Int) throws(LabError) -> String {
    let base = "/sys/kernel/debug/dri"
    let found = try shell("grep -ls '^virtio_gpu' \(base)/*/name || true")
    for line in found.split(separator: "\n").sorted(by: { $0.utf8.count < $1.utf8.count }) {
      return "\(Files.parentDirectory(String(line)))/Virtual-\(output + 1)/edid_override"
    }
    throw LabError(.refused, "the guest has no virtio-gpu card below \(base): EDIDs can be set only on such a card")
  }
}

/// Returns the size of the mode that an EDID prefers.
///
/// This is the first detailed timing. If it is missing, it is the first preferred timing of a DisplayID block, or its
/// first timing (VESA E-EDID 1.4 section 3.10, DisplayID 1.3 section 4.4).
///
/// - Parameter edid: The EDID with all its blocks.
/// - Returns: The size in pixels, or nil if the EDID contains no timing.
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

/// Returns the size of the first preferred, or else the first, type I timing (20 bytes each) of a DisplayID section.
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
