import Geometry
import Glibc
import Testing

@testable import Pictures

/// The limits of memory and time for an image, whatever its file claims.
struct LargePictureTests {
  @Test func `a PNG of 64 million pixels is decoded within the memory of the display that it is for`() async {
    await #expect(processExitsWith: .success) {
      let bytes = PNGFile(size: Size(8000, 8000), kind: .gray1).darkBytes()
      let before = try LargePictureTests.peak()
      let decoded = try DecodedImage.decode(bytes, fitting: Size(1080, 1080))
      let picture = decoded.bitmap.scaled(to: Size(1080, 1080), window: Rect(Size(1080, 1080)))
      let took = try LargePictureTests.peak() - before
      #expect(decoded.size == Size(8000, 8000) && picture.pixels[0] == 0xFF00_0000)
      #expect(took < 64 << 10, "\(took) KiB")
    }
  }

  /// Returns the peak resident memory of this process, in KiB.
  private static func peak() throws -> Int {
    var usage = rusage()
    #expect(unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0)
    return usage.ru_maxrss
  }

  @Test(arguments: PNGFile.Kind.allCases)
  func `a PNG decoded row by row is the same as one decoded at once`(kind: PNGFile.Kind) throws {
    let bytes = PNGFile(size: Size(23, 17), kind: kind).bytes()
    let rows = try unsafe bytes.withUnsafeBufferPointer { bytes in
      try unsafe PNGRows(lent: bytes).decoded(by: 1, TimeLimit(nil))
    }
    #expect(rows.bitmap.pixels == (try DecodedImage.decode(bytes).bitmap.pixels))
    #expect(rows.bitmap.isOpaque == !kind.hasAlpha)
  }

  @Test(arguments: [2, 3, 5])
  func `pixels that are merged into one have the mean of their light`(factor: Int) throws {
    let file = PNGFile(size: Size(23, 17), kind: .rgba)
    let bytes = file.bytes()
    let whole = try DecodedImage.decode(bytes).bitmap
    let reduced = try unsafe bytes.withUnsafeBufferPointer { bytes in
      try unsafe PNGRows(lent: bytes).decoded(by: factor, TimeLimit(nil)).bitmap
    }
    #expect(reduced.bounds.size == Size((23 + factor - 1) / factor, (17 + factor - 1) / factor))
    for (spot, pixel) in reduced.pixels.enumerated() {
      let (x, y) = (spot % reduced.bounds.width * factor, spot / reduced.bounds.width * factor)
      let part = (y..<min(y + factor, 17)).flatMap { row in
        (x..<min(x + factor, 23)).map { whole.pixels[row * 23 + $0] }
      }
      func mean(_ shift: UInt32, _ value: (Double) -> Double) -> Double {
        part.map { value(Double($0 >> shift & 0xFF)) }.reduce(0, +) / Double(part.count)
      }
      for shift in [UInt32(0), 8, 16] {
        #expect(abs(Double(pixel >> shift & 0xFF) - mean(shift) { $0 * $0 }.squareRoot()) <= 0.51)
      }
      #expect(abs(Double(pixel >> 24) - mean(24) { $0 }) <= 0.51)
    }
  }

  @Test func `a large image that cannot be read row by row is refused`() throws {
    var file = PNGFile(size: Size(8000, 8000), kind: .gray1)
    file.isInterlaced = true
    let bytes = file.darkBytes()
    let error = #expect(throws: ImageError.self) { try DecodedImage.decode(bytes, fitting: Size(10, 10)) }
    #expect(error?.description == "8000x8000, interlaced, is more than 24 million pixels; save it without interlacing")
    var jpeg = JPEGFile(size: Size(8, 8), isProgressive: true).bytes()
    let frame = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xFF, 0xC2]) })
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0x1F, 0x40, 0x1F, 0x40])
    let other = #expect(throws: ImageError.self) { try DecodedImage.decode(jpeg, fitting: Size(10, 10)) }
    #expect(other?.description.contains("in several scans") == true)
  }

  @Test func `decoding an image is canceled after its time limit`() {
    let bytes = PNGFile(size: Size(8000, 8000), kind: .gray1).darkBytes()
    #expect(throws: ImageError.slow(.zero)) { try DecodedImage.decode(bytes, fitting: Size(9, 9), within: .zero) }
    let jpeg = JPEGFile(size: Size(64, 64), isProgressive: true).bytes()
    #expect(throws: ImageError.slow(.zero)) { try DecodedImage.decode(jpeg, within: .zero) }
  }

  @Test func `a complete check finds damage that the header does not show`() throws {
    let png = PNGFile(size: Size(60, 40), kind: .rgb).bytes()
    let jpeg = JPEGFile(size: Size(64, 64)).bytes()
    #expect(try DecodedImage.check(png).size == Size(60, 40))
    #expect(try DecodedImage.check(jpeg).type == "image/jpeg")
    for bytes in [png, jpeg] {
      let cut = Array(bytes[..<(bytes.count * 3 / 4)])
      #expect(throws: Never.self) { try ImageHeader(cut) }
      #expect(throws: ImageError.self) { try DecodedImage.check(cut) }
    }
  }
}
