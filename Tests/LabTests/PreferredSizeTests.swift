import Testing

@testable import Lab

struct PreferredSizeTests {
  /// Returns a base block with one detailed timing.
  private func base(_ width: Int, _ height: Int, interlaced: Bool = false) -> [UInt8] {
    var edid = [UInt8](repeating: 0, count: 128)
    edid[54] = 1
    edid[56] = UInt8(width & 0xff)
    edid[58] = UInt8(width >> 8) << 4
    edid[59] = UInt8(height & 0xff)
    edid[61] = UInt8(height >> 8) << 4
    edid[71] = interlaced ? 0x80 : 0
    return edid
  }

  @Test func `the first detailed timing is preferred`() throws {
    let size = try #require(preferredSize(ofEDID: base(3840, 2160)))
    #expect(size == (3840, 2160))
    #expect(try #require(preferredSize(ofEDID: base(1920, 540, interlaced: true))) == (1920, 1080))
  }

  @Test func `without a detailed timing, DisplayID's preferred timing is used`() throws {
    var block = [UInt8](repeating: 0, count: 128)
    block[0] = 0x70
    // A product block of one byte, then two timings of type I, of which the second is preferred.
    block.replaceSubrange(5..<9, with: [0x00, 0, 1, 0])
    block.replaceSubrange(9..<12, with: [0x03, 0, 40])
    block.replaceSubrange(16..<18, with: [0x7f, 0x07])
    block.replaceSubrange(24..<26, with: [0x37, 0x04])
    block[35] = 0x80
    block.replaceSubrange(36..<38, with: [0xff, 0x13])
    block.replaceSubrange(44..<46, with: [0x3f, 0x0b])
    let size = try #require(preferredSize(ofEDID: [UInt8](repeating: 0, count: 128) + block))
    #expect(size == (5120, 2880))
  }

  @Test func `bytes without a timing have no size`() {
    #expect(preferredSize(ofEDID: []) == nil)
    #expect(preferredSize(ofEDID: [UInt8](repeating: 0, count: 128)) == nil)
    #expect(
      preferredSize(ofEDID: [UInt8](repeating: 0, count: 128) + [0x70] + [UInt8](repeating: 0, count: 127)) == nil)
  }
}
