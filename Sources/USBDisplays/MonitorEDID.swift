/// Makes the EDID of a monitor that never was, for tests that need no real one (VESA E-EDID 1.4, CTA-861).
public enum MonitorEDID {
  /// An HDMI monitor of this size at 60 Hz: 256 bytes.
  ///
  /// - Parameters:
  ///   - width: pixels, 1 to 4095; so is `height`. Their pixel clock is at most 655 MHz.
  ///   - name: at most 13 letters of ASCII.
  ///   - serial: tells two of the same name apart.
  ///   - other: another size that it takes.
  public static func hdmi(
    width: Int, height: Int, name: String, serial: UInt32 = 1, also other: (width: Int, height: Int)? = nil
  ) -> [UInt8] {
    // Vendor LAB, three letters of 5 bits.
    var block: [UInt8] = [0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x30, 0x22, 0x01, 0x00]
    block.append(littleEndian: serial)
    // Week 1 of 2026, EDID 1.4, digital with 8 bits over HDMI, 96 pixels to the inch, the first timing is the native one.
    let (across, down) = (UInt8(clamping: width * 254 / 9600), UInt8(clamping: height * 254 / 9600))
    block += [1, 36, 1, 4, 0xA2, across, down, 120, 0x02]
    // sRGB's primaries; no established and no standard timings.
    block += [0xEE, 0x91, 0xA3, 0x54, 0x4C, 0x99, 0x26, 0x0F, 0x50, 0x54, 0, 0, 0] + [UInt8](repeating: 1, count: 16)
    block += timing(width, height) + nameDescriptor(name) + (other.map { timing($0.width, $0.height) } ?? unused)
    block += unused
    return summed(block + [1]) + summed(extensionBlock)
  }

  /// HDMI's vendor block at the physical address 1.0.0.0, and nothing else: no audio, no timings.
  private static var extensionBlock: [UInt8] {
    let blocks: [UInt8] = [0x65, 0x03, 0x0C, 0x00, 0x10, 0x00]
    let start: [UInt8] = [0x02, 0x03, UInt8(4 + blocks.count), 0x00] + blocks
    return start + [UInt8](repeating: 0, count: 127 - start.count)
  }

  /// All 128 bytes add up to nothing.
  private static func summed(_ block: [UInt8]) -> [UInt8] { block + [0 &- block.reduce(0, &+)] }

  private static let unused: [UInt8] = [0, 0, 0, 0x10] + [UInt8](repeating: 0, count: 14)

  private static func nameDescriptor(_ name: String) -> [UInt8] {
    let text = Array(name.utf8.prefix(13))
    let ended = text.count < 13 ? text + [0x0A] : text
    return [0, 0, 0, 0xFC, 0] + ended + [UInt8](repeating: 0x20, count: 13 - ended.count)
  }

  /// 60 Hz with the blanking of CVT's reduced form: 160 pixels, 30 lines.
  private static func timing(_ width: Int, _ height: Int) -> [UInt8] {
    let (blankWidth, blankHeight) = (160, 30)
    let clock = (width + blankWidth) * (height + blankHeight) * 60 / 10000
    precondition(width > 0 && height > 0 && width < 4096 && height < 4096 && clock <= 0xFFFF)
    func low(_ value: Int) -> UInt8 { UInt8(value & 0xFF) }
    func high(_ first: Int, _ second: Int) -> UInt8 { UInt8((first >> 8) << 4 | second >> 8) }
    // In millimetres, at 96 pixels to the inch.
    let (across, down) = (width * 254 / 960, height * 254 / 960)
    return [
      low(clock), UInt8(clock >> 8), low(width), low(blankWidth), high(width, blankWidth), low(height),
      low(blankHeight), high(height, blankHeight), 48, 32, 0x35, 0, low(across), low(down), high(across, down), 0, 0,
      0x1A,
    ]
  }
}
