/// A generator of EDIDs for emulated monitors (VESA E-EDID 1.4, CTA-861).
public enum MonitorEDID {
  /// Returns the EDID of an HDMI monitor with a refresh rate of 60 Hz.
  ///
  /// - Parameters:
  ///   - width: The width of the native mode in pixels, 1 to 4095.
  ///   - height: The height of the native mode in pixels, 1 to 4095. The resulting pixel clock must not exceed 655.35
  ///     MHz.
  ///   - name: The monitor name, at most 13 ASCII characters. The rest is dropped.
  ///   - serial: The serial number, to distinguish monitors of the same name.
  ///   - other: The size of a second mode in pixels, or nil for none.
  /// - Returns: 256 bytes: the base block and a CTA extension block.
  public static func hdmi(
    width: Int, height: Int, name: String, serial: UInt32 = 1, also other: (width: Int, height: Int)? = nil
  ) -> [UInt8] {
    // The vendor ID is LAB: three letters of 5 bits each.
    var block: [UInt8] = [0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x30, 0x22, 0x01, 0x00]
    block.append(littleEndian: serial)
    // Week 1 of 2026, EDID 1.4, digital, 8 bits per color, HDMI, 96 dpi, and the first timing is the native one.
    let (across, down) = (UInt8(clamping: width * 254 / 9600), UInt8(clamping: height * 254 / 9600))
    block += [1, 36, 1, 4, 0xA2, across, down, 120, 0x02]
    // The primaries of sRGB. No established and no standard timings.
    block += [0xEE, 0x91, 0xA3, 0x54, 0x4C, 0x99, 0x26, 0x0F, 0x50, 0x54, 0, 0, 0] + [UInt8](repeating: 1, count: 16)
    block += timing(width, height) + nameDescriptor(name) + (other.map { timing($0.width, $0.height) } ?? unused)
    block += unused
    return summed(block + [1]) + summed(extensionBlock)
  }

  /// The CTA extension block.
  ///
  /// It only contains the HDMI vendor block (physical address 1.0.0.0): no audio, no timings.
  private static var extensionBlock: [UInt8] {
    let blocks: [UInt8] = [0x65, 0x03, 0x0C, 0x00, 0x10, 0x00]
    let start: [UInt8] = [0x02, 0x03, UInt8(4 + blocks.count), 0x00] + blocks
    return start + [UInt8](repeating: 0, count: 127 - start.count)
  }

  /// Appends the checksum, so that the sum of all 128 bytes is 0 modulo 256.
  private static func summed(_ block: [UInt8]) -> [UInt8] { block + [0 &- block.reduce(0, &+)] }

  private static let unused: [UInt8] = [0, 0, 0, 0x10] + [UInt8](repeating: 0, count: 14)

  private static func nameDescriptor(_ name: String) -> [UInt8] {
    let text = Array(name.utf8.prefix(13))
    let ended = text.count < 13 ? text + [0x0A] : text
    return [0, 0, 0, 0xFC, 0] + ended + [UInt8](repeating: 0x20, count: 13 - ended.count)
  }

  /// Returns a detailed timing at 60 Hz with a fixed blanking similar to CVT reduced blanking: 160 pixels, 30 lines.
  private static func timing(_ width: Int, _ height: Int) -> [UInt8] {
    let (blankWidth, blankHeight) = (160, 30)
    let clock = (width + blankWidth) * (height + blankHeight) * 60 / 10000
    precondition(width > 0 && height > 0 && width < 4096 && height < 4096 && clock <= 0xFFFF)
    func low(_ value: Int) -> UInt8 { UInt8(value & 0xFF) }
    func high(_ first: Int, _ second: Int) -> UInt8 { UInt8((first >> 8) << 4 | second >> 8) }
    // In millimeters, at 96 dpi.
    let (across, down) = (width * 254 / 960, height * 254 / 960)
    return [
      low(clock), UInt8(clock >> 8), low(width), low(blankWidth), high(width, blankWidth), low(height),
      low(blankHeight), high(height, blankHeight), 48, 32, 0x35, 0, low(across), low(down), high(across, down), 0, 0,
      0x1A,
    ]
  }
}
