import Displays
import Geometry
import SeededRandom
import Testing

@Suite struct EDIDTests {
  @Test func `the fields of a base block are parsed`() throws {
    let edid = try EDID(EDIDBuilder().bytes)
    #expect(edid.vendor == "DEL")
    #expect(edid.product == 0xa0c4)
    #expect(edid.serial == 0x1234)
    #expect(edid.name == "DELL U2720Q")
    #expect(edid.serialString == "ABC123")
    #expect(edid.version == "1.4")
    #expect(edid.made.week == 20)
    #expect(edid.made.year == 2021)
    #expect(edid.isDigital)
    #expect(edid.centimeters == Size(60, 34))
    #expect(edid.millimeters == Size(597, 336))
    #expect(edid.notes.isEmpty)
    #expect(edid.firstDetailed?.mode == modes("*3840x2160@60").first)
  }

  @Test func `each kind of bytes that are not an EDID is refused with its own reason`() {
    #expect(throws: EDIDError.empty) { try EDID([]) }
    #expect(throws: EDIDError.blank(0)) { try EDID([UInt8](repeating: 0, count: 128)) }
    #expect(throws: EDIDError.blank(255)) { try EDID([UInt8](repeating: 255, count: 256)) }
    #expect(throws: EDIDError.header) { try EDID([1] + EDIDBuilder().bytes.dropFirst()) }
    #expect(throws: EDIDError.header) { try EDID([0, 255]) }
    #expect(throws: EDIDError.truncated(bytes: 127)) { try EDID(EDIDBuilder().bytes.dropLast()) }
    #expect(throws: EDIDError.truncated(bytes: 8)) { try EDID(Array(EDIDBuilder().bytes.prefix(8))) }
  }

  @Test func `a base block with a wrong checksum is parsed and marked as degraded`() throws {
    var bytes = EDIDBuilder().bytes
    bytes[127] ^= 1
    let edid = try EDID(bytes)
    #expect(edid.isDegraded)
    #expect(edid.vendor == "DEL")
    #expect(edid.notes.count == 1)
  }

  @Test func `an extension with a wrong checksum is ignored and noted`() throws {
    var builder = EDIDBuilder()
    builder.extensions = [EDIDBuilder.cta([0x42, 16, 97])]
    #expect(try EDID(builder.bytes).timings.count { $0.source == .cta } == 2)
    var bytes = builder.bytes
    bytes[255] ^= 1
    let edid = try EDID(bytes)
    #expect(!edid.timings.contains { $0.source == .cta })
    #expect(!edid.isDegraded)
    #expect(edid.notes == ["extension block 1 has a wrong checksum and is ignored"])
  }

  @Test func `CTA-861 codes, native flags, HDMI 4K codes and 4-2-0 codes are listed`() throws {
    var builder = EDIDBuilder()
    builder.extensions = [
      EDIDBuilder.cta([
        0x43, 0x90, 97, 193,  // video: 16 with the native flag, 97, 193
        0x6c, 0x03, 0x0c, 0x00, 0, 0, 0, 0, 0x20, 0, 0x40, 1, 4,  // HDMI: codes 1 and 4
        0xe2, 14, 96,  // YCbCr 4:2:0 only: 96
      ])
    ]
    let edid = try EDID(builder.bytes)
    #expect(edid.isHDMI)
    let cta = edid.timings.filter { $0.source == .cta }
    #expect(cta.map { "\($0.mode)" } == ["1920x1080@60", "3840x2160@60", "5120x2160@120"])
    #expect(cta.map(\.isNative) == [true, false, false])
    #expect(edid.timings.filter { $0.source == .hdmi }.map { "\($0.mode)" } == ["3840x2160@30", "4096x2160@24"])
    #expect(edid.timings.filter { $0.source == .cta420 }.map { "\($0.mode)" } == ["3840x2160@50"])
  }

  @Test func `DisplayID timings of types I and VII are listed with their preferred flags`() throws {
    let rest: [UInt8] = [0x88, 0xff, 0x1d, 0x4f, 0, 7, 0, 7, 0, 0xff, 0x10, 0x3d, 0, 7, 0, 7, 0]
    let timing = { (clock: [UInt8]) in clock + rest }
    var builder = EDIDBuilder()
    builder.extensions = [
      EDIDBuilder.displayID(0x12, [0x03, 0, 20] + timing([0x2f, 0x15, 0x01])),
      EDIDBuilder.displayID(0x20, [0x22, 0, 20] + timing([0xbf, 0x8b, 0x0a])),
    ]
    let found = try EDID(builder.bytes).timings.filter { $0.source == .displayID }
    #expect(found.map(\.size) == [Size(7680, 4352), Size(7680, 4352)])
    #expect(found.map(\.isPreferred) == [true, true])
    // 70960 * 10 kHz and 691136 * 1 kHz over 7760 x 4414 points.
    #expect(found.map(\.refresh) == [20_717, 20_178])
  }

  @Test(arguments: [(160, 90), (16, 9), (16, 10), (160, 100)])
  func `an aspect ratio in place of a size is ignored`(_ size: (Int, Int)) throws {
    var builder = EDIDBuilder()
    builder.centimeters = (UInt8(size.0), UInt8(size.1))
    let edid = try EDID(builder.bytes)
    #expect(edid.centimeters == Size(size.0, size.1))
    #expect(edid.millimeters == Size(597, 336))
    #expect(edid.notes.count == 1)
  }

  @Test func `a mode from two blocks is listed once, and is preferred if one of them prefers it`() throws {
    var builder = EDIDBuilder()
    builder.extensions = [EDIDBuilder.cta([0x41, 97])]
    let edid = try EDID(builder.bytes)
    #expect(edid.timings.count { $0.size == Size(3840, 2160) } == 2)
    #expect(edid.modes.filter { $0.size == Size(3840, 2160) } == modes("*3840x2160@60"))
  }

  @Test(arguments: 0..<500)
  func `random bytes never trap`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var builder = EDIDBuilder()
    builder.extensions = [EDIDBuilder.cta([0x42, 16, 97]), EDIDBuilder.displayID(0x12, [0x03, 0, 20])]
    var bytes = builder.bytes
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      bytes[Int.random(in: 8..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    EDIDBuilder.fixChecksums(&bytes)
    let edid = try EDID(bytes)
    #expect(edid.timings.allSatisfy { $0.size.width > 0 && $0.size.height > 0 && $0.refresh >= 0 }, "seed \(seed)")
    #expect(!edid.isDegraded, "seed \(seed)")
  }
}

/// A builder of test EDIDs. The default is a 4K monitor.
struct EDIDBuilder {
  var centimeters: (UInt8, UInt8) = (60, 34)
  var descriptors: [(UInt8, String)] = [(0xfc, "DELL U2720Q\n "), (0xff, "ABC123\n      ")]
  /// A detailed timing: 594 MHz, 3840 + 560 by 2160 + 90, 60 Hz, 597 x 336 mm.
  var detailed: [UInt8] = [
    0x08, 0xe8, 0x00, 0x30, 0xf2, 0x70, 0x5a, 0x80, 0xb0, 0x58, 0x8a, 0x00, 0x55, 0x50, 0x21, 0, 0, 0x1e,
  ]
  var extensions: [[UInt8]] = []

  var bytes: [UInt8] {
    var base: [UInt8] = [0, 255, 255, 255, 255, 255, 255, 0]
    base += [0x10, 0xac, 0xc4, 0xa0, 0x34, 0x12, 0, 0, 20, 31, 1, 4]  // DEL, a0c4, serial, week, year, 1.4
    base += [0xb5, centimeters.0, centimeters.1, 120, 0x02]  // digital, size, gamma, preferred timing
    base += [UInt8](repeating: 0, count: 10) + [0, 0, 0]  // colors, no established timings
    base += [UInt8](repeating: 1, count: 16) + detailed
    for (tag, text) in descriptors { base += [0, 0, 0, tag, 0] + Self.padded(text) }
    base += [UInt8](repeating: 0, count: 126 - base.count) + [UInt8(extensions.count), 0]
    var all = base + extensions.flatMap { $0 }
    Self.fixChecksums(&all)
    return all
  }

  /// Returns a CTA-861 block with the data blocks.
  static func cta(_ blocks: [UInt8]) -> [UInt8] {
    [2, 3, UInt8(4 + blocks.count), 0] + blocks + [UInt8](repeating: 0, count: 124 - blocks.count)
  }

  /// Returns a DisplayID block of the version with the data blocks.
  static func displayID(_ version: UInt8, _ blocks: [UInt8]) -> [UInt8] {
    [0x70, version, UInt8(blocks.count), 3, 0] + blocks + [UInt8](repeating: 0, count: 123 - blocks.count)
  }

  static func fixChecksums(_ bytes: inout [UInt8]) {
    for end in stride(from: 127, to: bytes.count, by: 128) {
      bytes[end] = 0 &- bytes[(end - 127)..<end].reduce(0, &+)
    }
  }

  private static func padded(_ text: String) -> [UInt8] {
    Array((Array(text.utf8) + [UInt8](repeating: 0x20, count: 13)).prefix(13))
  }
}
