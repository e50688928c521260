import Testing

@testable import Lab

/// The checksum that vkms reports for a frame, computed from its pixels.
struct VKMSTests {
  @Test func `a frame's checksum covers its pixels in 16-bit channels with alpha`() {
    // The result of Python's zlib for FF FF 0B 0B 1F 1F 4B 4B, without the inversions of PNG.
    #expect(VKMSCard.checksum(ofPixels: [0x0B, 0x1F, 0x4B]) == 0x44E9_2056)
    #expect(VKMSCard.checksum(ofPixels: (0..<15000).map { UInt8($0 % 251) }) == 0x4CA9_D8D1)
    #expect(VKMSCard.checksum(ofPixels: []) == 0)
  }

  @Test func `an incomplete pixel is ignored`() {
    #expect(VKMSCard.checksum(ofPixels: [0x0B, 0x1F, 0x4B, 1, 2]) == 0x44E9_2056)
    #expect(VKMSCard.checksum(ofPixels: [1, 2]) == 0)
  }
}
