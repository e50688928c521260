import Geometry
import Pictures
import Testing

struct PictureTests {
  private func noise(_ size: Size) -> [UInt8] {
    (0..<size.area * 3).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
  }

  @Test(arguments: [Size(1, 1), Size(3, 5), Size(640, 3), Size(257, 129)])
  func `an image is restored from its PNG pixel by pixel`(size: Size) throws {
    let picture = try RGBImage(size: size, rgb: noise(size))
    #expect(try RGBImage(pngBytes: picture.png()) == picture)
  }

  @Test func `XRGB8888 is read with its stride, and its unused byte is ignored`() throws {
    let bytes: [UInt8] = [3, 2, 1, 99, 6, 5, 4, 0, 77, 77, 9, 8, 7, 1, 12, 11, 10, 255]
    let picture = try RGBImage(size: Size(2, 2), format: .xrgb8888, stride: 10, bytes: bytes)
    #expect(picture.pixels == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    #expect(picture[1, 1] == Color(red: 10, green: 11, blue: 12))
    #expect(picture[2, 0] == .black)
  }

  @Test func `RGB565 is widened so that white is white and black is black`() throws {
    let bytes: [UInt8] = [0xFF, 0xFF, 0x00, 0x00, 0x00, 0xF8, 0xE0, 0x07]
    let picture = try RGBImage(size: Size(4, 1), format: .rgb565, stride: 8, bytes: bytes)
    #expect(picture.pixels == [255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0])
  }

  @Test(arguments: [Size(3, 2), Size(2, 3), Size(-1, 2), Size(2, -1), Size(1 << 40, 1), Size(1, Int.max)])
  func `too few bytes for a size are refused`(size: Size) {
    #expect(throws: ImageError.self) {
      try RGBImage(size: size, format: .xrgb8888, stride: 8, bytes: [UInt8](repeating: 0, count: 16))
    }
    #expect(throws: ImageError.self) { try RGBImage(size: size, rgb: [1, 2, 3]) }
  }

  @Test func `an image without pixels cannot be a PNG`() throws {
    let picture = try RGBImage(size: Size(0, 0), rgb: [])
    #expect(throws: ImageError.self) { try picture.png() }
  }

  @Test func `damaged PNG files are refused with libpng's message, whichever byte is wrong`() throws {
    let good = try RGBImage(size: Size(9, 9), rgb: noise(Size(9, 9))).png()
    #expect(throws: ImageError.self) { try RGBImage(pngBytes: []) }
    for length in 1..<good.count - 12 {
      #expect(throws: ImageError.self) { try RGBImage(pngBytes: Array(good[..<length])) }
    }
    for place in good.indices {
      var bad = good
      bad[place] ^= 0x55
      _ = try? RGBImage(pngBytes: bad)
    }
    var huge = good
    huge.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
    #expect(throws: ImageError.self) { try RGBImage(pngBytes: huge) }
  }
}
