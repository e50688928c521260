import Testing

@testable import Lab

/// What vkms tells of a frame, computed from its pixels.
struct VKMSTests {
  @Test func `A frame's checksum is that of its pixels with 16 bits and an alpha`() {
    // What Python's zlib makes of FF FF 0B 0B 1F 1F 4B 4B, without the inversions of PNG.
    #expect(VKMSCard.checksum(ofPixels: [0x0B, 0x1F, 0x4B]) == 0x44E9_2056)
    #expect(VKMSCard.checksum(ofPixels: (0..<15000).map { UInt8($0 % 251) }) == 0x4CA9_D8D1)
    #expect(VKMSCard.checksum(ofPixels: []) == 0)
  }

  @Test func `What is no whole pixel does not count`() {
    #expect(VKMSCard.checksum(ofPixels: [0x0B, 0x1F, 0x4B, 1, 2]) == 0x44E9_2056)
    #expect(VKMSCard.checksum(ofPixels: [1, 2]) == 0)
  }
}
