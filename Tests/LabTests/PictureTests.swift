import Testing

@testable import Lab

struct PictureTests {
  private let ppm = Array("P6\n2 2\n255\n".utf8) + [255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30]

  @Test func `a pixmap is read row by row`() throws {
    let picture = try #require(CapturedFrame(ppm: ppm))
    #expect(picture.width == 2 && picture.height == 2)
    #expect(picture.pixel(1, 0) == .init(red: 0, green: 255, blue: 0))
    #expect(picture.pixel(1, 1) == .init(red: 10, green: 20, blue: 30))
    #expect(picture.pixel(2, 0) == .init(red: 0, green: 0, blue: 0))
  }

  @Test func `pixels of another color are counted`() throws {
    let picture = try #require(CapturedFrame(ppm: ppm))
    #expect(picture.count(notEqualTo: .init(red: 10, green: 20, blue: 30)) == 3)
    #expect(picture.count(notEqualTo: .init(red: 250, green: 5, blue: 5), tolerance: 5) == 3)
    #expect(picture.count(notEqualTo: .init(red: 128, green: 128, blue: 128), tolerance: 128) == 0)
  }

  @Test func `an incomplete pixmap is rejected`() {
    #expect(CapturedFrame(ppm: []) == nil)
    #expect(CapturedFrame(ppm: Array(ppm.dropLast())) == nil)
    #expect(CapturedFrame(ppm: Array("P5\n2 2\n255\n0000".utf8)) == nil)
    #expect(CapturedFrame(ppm: Array("P6\n99999999999999999999 2\n255\n".utf8)) == nil)
    #expect(CapturedFrame(ppm: Array("P6\n2 2\n65535\n".utf8)) == nil)
  }

  @Test func `an image becomes a PNG with correct checksums`() throws {
    let png = try #require(CapturedFrame(ppm: ppm)).png
    // The output of Python's zlib for the same image.
    let expected: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0, 0xFD, 0xD4, 0x9A, 0x73]
    #expect(png.prefix(expected.count) == expected[...])
    #expect(png.dropLast(12).suffix(8) == [0x1A, 0x58, 0x03, 0x3A, 0xCD, 0x98, 0xDB, 0x4B])
    #expect(png.suffix(12) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  }
}
