import Geometry
import Pictures
import SeededRandom
import Testing

struct FrameReductionTests {
  private func frame(_ size: Size, stride: Int, _ pixel: (Int, Int) -> UInt32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xAA, count: stride * size.height)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let value = pixel(x, y)
        for byte in 0..<4 { bytes[y * stride + x * 4 + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
      }
    }
    return bytes
  }

  private func reduced(
    _ size: Size, _ format: PixelFormat = .xrgb8888, stride: Int, _ bytes: [UInt8], turned: Rotation = .none, width: Int
  ) throws -> RGBImage {
    var reduction = FrameReduction(of: size, format, stride: stride, turned: turned, width: width)
    unsafe bytes.withUnsafeBytes { bytes in
      while !reduction.isWhole { unsafe reduction.readRow(of: bytes) }
    }
    return try reduction.picture()
  }

  @Test(arguments: Rotation.allCases)
  func `a frame no larger than the requested size is unchanged, and upright`(turned: Rotation) throws {
    let upright = Size(5, 3)
    let size = turned.turn(upright)
    let stride = size.width * 4 + 12
    var colors: [UInt32] = Array(repeating: 0, count: upright.area)
    for y in 0..<upright.height {
      for x in 0..<upright.width {
        let place = turned.turn(Rect(x: x, y: y, width: 1, height: 1), in: upright)
        colors[place.y * size.width + place.x] = UInt32(x * 40 << 16 | y * 70 << 8 | (x + y) * 11)
      }
    }
    let bytes = frame(size, stride: stride) { colors[$1 * size.width + $0] }
    let picture = try reduced(size, stride: stride, bytes, turned: turned, width: 480)
    #expect(picture.size == upright)
    for y in 0..<upright.height {
      for x in 0..<upright.width {
        #expect(picture[x, y] == Color(red: UInt8(x * 40), green: UInt8(y * 70), blue: UInt8((x + y) * 11)))
      }
    }
  }

  @Test func `sizes preserve their aspect ratio and are never larger than the frame`() {
    func size(_ frame: Size, _ width: Int, _ turned: Rotation = .none) -> Size {
      FrameReduction(of: frame, .xrgb8888, stride: frame.width * 4, turned: turned, width: width).size
    }
    #expect(size(Size(1920, 1080), 480) == Size(480, 270))
    #expect(size(Size(1920, 1080), 480, .quarter) == Size(480, 853))
    #expect(size(Size(1366, 768), 480) == Size(480, 270))
    #expect(size(Size(320, 240), 480) == Size(320, 240))
    #expect(size(Size(16384, 16), 16) == Size(16, 1))
  }

  @Test func `half black and half white is half the light, and no two-pixel line is lost`() throws {
    let size = Size(64, 64)
    let stripes = frame(size, stride: 256) { x, _ in x % 2 == 0 ? 0xFFFFFF : 0 }
    let picture = try reduced(size, stride: 256, stripes, width: 16)
    #expect(Set(picture.pixels) == [180], "half of white's light")
    for line in 0..<62 {
      let thin = frame(size, stride: 256) { _, y in y == line || y == line + 1 ? 0xFFFFFF : 0 }
      #expect(try reduced(size, stride: 256, thin, width: 16).pixels.contains { $0 >= 180 }, "at \(line)")
    }
  }

  @Test(arguments: (0..<10).map { _ in UInt64.random(in: 0...UInt64.max) })
  func `if the widths do not divide each other, each pixel is weighted by its share`(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    let (from, to) = (Int.random(in: 2...60, using: &chance), Int.random(in: 1...60, using: &chance))
    let values = (0..<from).map { _ in UInt32.random(in: 0...255, using: &chance) }
    let bytes = frame(Size(from, 1), stride: from * 4) { x, _ in values[x] << 8 }
    let picture = try reduced(Size(from, 1), stride: from * 4, bytes, width: to)
    for x in 0..<picture.size.width {
      var light = 0.0
      for (place, value) in values.enumerated() {
        let scale = Double(from) / Double(picture.size.width)
        let (start, end) = (Double(x) * scale, Double(x + 1) * scale)
        let share = min(Double(place) + 1, end) - max(Double(place), start)
        light += max(0, share) / scale * Double(value * value)
      }
      let error = abs(Double(picture[x, 0].green) - light.squareRoot())
      #expect(error < 0.51, "seed \(seed), pixel \(x)")
    }
  }

  @Test func `16-bit pixels are read, and missing rows are black`() throws {
    let bytes: [UInt8] = [0xFF, 0xFF, 0x00, 0xF8, 0xE0, 0x07, 0x1F, 0x00]
    let picture = try reduced(Size(2, 3), .rgb565, stride: 4, bytes, width: 16)
    #expect(picture.pixels == [255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0])
  }
}

struct JPEGWritingTests {
  @Test(arguments: [Size(1, 1), Size(17, 5), Size(480, 270)])
  func `a JPEG is decoded with approximately the same colors`(size: Size) throws {
    let pixels = (0..<size.area).flatMap { place -> [UInt8] in
      let (x, y) = (place % size.width, place / size.width)
      return [UInt8(x * 255 / size.width), UInt8(y * 255 / size.height), 80]
    }
    let bytes = try RGBImage(size: size, rgb: pixels).jpeg()
    let read = try DecodedImage.decode(bytes)
    #expect(read.size == size && read.warning == nil)
    for (place, pixel) in read.bitmap.pixels.enumerated() {
      for (channel, shift) in [UInt32(16), 8, 0].enumerated() {
        let error = abs(Int(pixel >> shift & 0xFF) - Int(pixels[place * 3 + channel]))
        #expect(error <= 24, "pixel \(place)")
      }
    }
  }

  @Test func `bytes that are not a JPEG are refused with a sentence`() throws {
    #expect(throws: ImageError.size("a JPEG of 0x0 cannot be written")) {
      try RGBImage(size: Size(0, 0), rgb: []).jpeg()
    }
    let long = try RGBImage(size: Size(65501, 1), rgb: [UInt8](repeating: 0, count: 65501 * 3))
    #expect(throws: ImageError.self) { try long.jpeg() }
  }
}
