package import Displays
package import Geometry

/// A simulated monitor: the EDID and the modes that a probe returns.
package struct VirtualMonitor: Hashable, Sendable {
  /// The EDID, which can be any bytes.
  package var edid: [UInt8]
  /// The modes that a probe returns.
  package var modes: [Mode]

  /// Creates a monitor with an EDID and independent modes.
  package init(edid: [UInt8], modes: [Mode]) {
    self.edid = edid
    self.modes = modes
  }

  private static let commonSizes = [
    Size(3840, 2160), Size(2560, 1440), Size(1920, 1080), Size(1600, 900), Size(1280, 720), Size(1024, 768),
    Size(800, 600), Size(640, 480),
  ]

  /// Creates a generic monitor with a synthetic EDID.
  ///
  /// - Parameters:
  ///   - size: The size of the preferred mode in pixels, at 60 Hz. Common smaller sizes at 60 Hz are added.
  ///   - name: The monitor's name, cut to 13 bytes in the EDID.
  package init(size: Size, name: String) {
    let smaller = Self.commonSizes.filter { $0 != size && $0.width <= size.width && $0.height <= size.height }
    modes = [Mode(size: size, refresh: 60000, isPreferred: true)] + smaller.map { Mode(size: $0, refresh: 60000) }
    edid = SyntheticEDID.bytes(size: size, name: name)
  }

  /// Creates a monitor with the EDID of a real one.
  ///
  /// - Parameter bytes: The EDID.
  /// - Throws: `EDIDError` if the bytes cannot be parsed.
  package init(edid bytes: [UInt8]) throws(EDIDError) {
    let edid = try EDID(bytes)
    self.init(edid: bytes, modes: edid.modes)
  }
}

/// A generator of EDIDs for virtual monitors (EDID 1.4: a base block with a detailed timing and a name).
enum SyntheticEDID {
  static func bytes(size: Size, name: String) -> [UInt8] {
    var block: [UInt8] = [0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00]
    block += vendor("PLC") + [0x01, 0x00] + serial(name) + [1, 36, 1, 4]
    block += [0xA5, 0, 0, 120, 0x02] + [UInt8](repeating: 0, count: 10)  // digital; no size, no chromaticity
    block += [0, 0, 0] + [UInt8](repeating: 1, count: 16)  // no established or standard timings
    block += detailedTiming(size) + nameDescriptor(name) + unused + unused
    block.append(0)
    block.append(0 &- block.reduce(0, &+))
    return block
  }

  private static func vendor(_ letters: String) -> [UInt8] {
    let packed = letters.utf8.reduce(UInt16(0)) { $0 << 5 | UInt16($1 & 0x1F) }
    return [UInt8(packed >> 8), UInt8(packed & 0xFF)]
  }

  /// Returns the FNV-1a hash (32 bits) of the name, which distinguishes virtual monitors.
  private static func serial(_ name: String) -> [UInt8] {
    let folded = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return (0..<4).map { UInt8(folded >> (8 * $0) & 0xFF) }
  }

  private static let unused: [UInt8] = [0, 0, 0, 0x10] + [UInt8](repeating: 0, count: 14)

  private static func nameDescriptor(_ name: String) -> [UInt8] {
    let text = Array(name.utf8.prefix(13))
    let ended = text.count < 13 ? text + [0x0A] : text
    return [0, 0, 0, 0xFC, 0] + ended + [UInt8](repeating: 0x20, count: 13 - ended.count)
  }

  /// Returns a timing at 60 Hz with a blanking of 160 pixels and 30 lines, or an unused descriptor if the fields are
  /// too small.
  private static func detailedTiming(_ size: Size) -> [UInt8] {
    let blank = Size(160, 30)
    let clock = (size.width + blank.width) * (size.height + blank.height) * 60 / 10000
    guard size.longSide < 4096, clock <= 0xFFFF else { return unused }
    func low(_ value: Int) -> UInt8 { UInt8(value & 0xFF) }
    func high(_ first: Int, _ second: Int) -> UInt8 { UInt8((first >> 8) << 4 | second >> 8) }
    return [
      low(clock), UInt8(clock >> 8), low(size.width), low(blank.width), high(size.width, blank.width),
      low(size.height), low(blank.height), high(size.height, blank.height), 48, 32, 0x35, 0, 0, 0, 0, 0, 0, 0x1A,
    ]
  }
}
