import Geometry
import SeededRandom
import Testing

@testable import Pictures

struct DecodingTests {
  @Test(arguments: PNGFile.Kind.allCases, [false, true])
  func `a PNG of any kind is read pixel by pixel`(kind: PNGFile.Kind, isInterlaced: Bool) throws {
    let size = Size(23, 17)
    let file = PNGFile(size: size, kind: kind, isInterlaced: isInterlaced)
    let bytes = file.bytes()
    #expect(try DecodedImage.size(of: bytes) == size)
    let decoded = try DecodedImage.decode(bytes)
    #expect(decoded.size == size && decoded.bitmap.bounds == Rect(size) && decoded.warning == nil)
    #expect(decoded.bitmap.isOpaque == !kind.hasAlpha)
    // These kinds are converted through linear light, which has little precision in dark pixels.
    let tolerance = kind.depth == 16 && isInterlaced ? 1 : 0.5001
    for spot in 0..<size.area {
      let wanted = file.pixel(spot % size.width, spot / size.width)
      let got = decoded.bitmap.pixels[spot]
      #expect(got >> 24 == UInt32(wanted[3]))
      for (channel, shift) in [UInt32(16), 8, 0].enumerated() {
        let root = Double(wanted[channel]) * (Double(wanted[3]) / 255).squareRoot()
        #expect(abs(Double(got >> shift & 0xFF) - root) <= tolerance, "\(kind) at \(spot)")
      }
    }
  }

  @Test(arguments: [false, true], ["color", "gray", "CMYK"])
  func `a JPEG is read as it was written, within the precision of JPEG`(isProgressive: Bool, kind: String) throws {
    let file = JPEGFile(
      size: Size(61, 35), isProgressive: isProgressive, isGrey: kind == "gray", isCMYK: kind == "CMYK")
    let decoded = try DecodedImage.decode(file.bytes())
    #expect(decoded.bitmap.isOpaque && decoded.warning == nil && decoded.size == file.size)
    #expect(difference(decoded.bitmap, file.size) { file.pixel($0, $1) } <= 4)
  }

  /// The position of a stored pixel for each EXIF orientation, in the specification's terms: row 0 and column 0.
  private static let seen: [(number: UInt8, place: @Sendable (Int, Int, Size) -> (Int, Int))] = [
    (1, { x, y, _ in (x, y) }), (2, { x, y, size in (size.width - 1 - x, y) }),
    (3, { x, y, size in (size.width - 1 - x, size.height - 1 - y) }), (4, { x, y, size in (x, size.height - 1 - y) }),
    (5, { x, y, _ in (y, x) }), (6, { x, y, size in (size.height - 1 - y, x) }),
    (7, { x, y, size in (size.height - 1 - y, size.width - 1 - x) }), (8, { x, y, size in (y, size.width - 1 - x) }),
  ]

  @Test(arguments: 0..<8, [false, true])
  func `a JPEG is oriented as its camera was held`(index: Int, isLittleEndian: Bool) throws {
    let (number, place) = Self.seen[index]
    let file = JPEGFile(size: Size(40, 24), isLittleEndian: isLittleEndian, orientation: number)
    let decoded = try DecodedImage.decode(file.bytes())
    let seen = number >= 5 ? file.size.turned : file.size
    #expect(decoded.size == seen)
    #expect(try DecodedImage.size(of: file.bytes()) == seen)
    var wanted: [[UInt8]] = Array(repeating: [], count: seen.area)
    for y in 0..<file.size.height {
      for x in 0..<file.size.width {
        let (column, row) = place(x, y, file.size)
        wanted[row * seen.width + column] = file.pixel(x, y)
      }
    }
    #expect(difference(decoded.bitmap, seen) { wanted[$1 * seen.width + $0] } <= 4)
  }

  @Test func `a JPEG is decoded at the smallest size that is sufficient for its use`() throws {
    let file = JPEGFile(size: Size(403, 299), orientation: 6)
    let bytes = file.bytes()
    func size(_ width: Int, _ height: Int) throws -> Size {
      try DecodedImage.decode(bytes, fitting: Size(width, height)).bitmap.bounds.size
    }
    #expect(try size(299, 403) == Size(299, 403))
    #expect(try size(151, 10) == Size(299, 403))
    #expect(try size(150, 202) == Size(150, 202))
    #expect(try size(75, 101) == Size(75, 101))
    #expect(try size(1, 1) == Size(38, 51))
    #expect(try DecodedImage.decode(bytes, fitting: Size(1, 1)).size == Size(299, 403))
  }

  @Test(arguments: [false, true])
  func `a truncated JPEG is shown in part, with a warning`(isProgressive: Bool) throws {
    let file = JPEGFile(size: Size(160, 120), isProgressive: isProgressive)
    let bytes = file.bytes()
    let decoded = try DecodedImage.decode(Array(bytes[..<(bytes.count * 3 / 4)]))
    #expect(decoded.warning != nil)
    let top = Bitmap(bounds: Rect(Size(160, 40)), pixels: Array(decoded.bitmap.pixels[..<(160 * 40)]), isOpaque: true)
    #expect(difference(top, Size(160, 40)) { file.pixel($0, $1) } <= (isProgressive ? 80 : 4))
  }

  @Test(
    arguments: [
      ([], "an empty file"), (Array("GIF89a".utf8), "a GIF"), (Array("RIFF1234WEBPVP8 ".utf8), "a WebP image"),
      (Array("<?xml version=\"1.0\"?><svg/>".utf8), "an SVG drawing"), (Array("hello".utf8), "a text file"),
      ([0, 0, 0, 24] + Array("ftypheic".utf8), "a HEIF image"), ([0, 0, 0], "nothing but zeros"),
      ([1, 2, 3], "an unknown format"),
    ] as [([UInt8], String)])
  func `unsupported bytes are refused with a description of what they look like`(bytes: [UInt8], looks: String) {
    #expect(throws: ImageError.kind(looks)) { try DecodedImage.decode(bytes) }
    #expect(throws: ImageError.kind(looks)) { try DecodedImage.size(of: bytes) }
  }

  @Test(arguments: [Size(16385, 1), Size(1, 16385), Size(8001, 8000)])
  func `an image that is too large is refused because of its header`(size: Size) throws {
    var bytes = PNGFile(size: Size(4, 4), kind: .gray).bytes()
    let header = [size.width, size.height].flatMap { value in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    bytes.replaceSubrange(16..<24, with: header)
    let body = bytes[12..<29]
    let crc = ~body.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    bytes.replaceSubrange(29..<33, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) })
    let words = "\(size) is more than 16384 pixels in one direction or 64 million in total; save it smaller"
    #expect(throws: ImageError.size(words)) { try DecodedImage.size(of: bytes) }
    #expect(throws: ImageError.size(words)) { try DecodedImage.decode(bytes) }
    var jpeg = JPEGFile(size: Size(8, 8)).bytes()
    let frame = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xFF, 0xC0]) })
    let extents = [size.height, size.width].flatMap { value in
      [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: extents)
    #expect(throws: ImageError.size(words)) { try DecodedImage.decode(jpeg) }
  }

  @Test func `a JPEG with an excessive number of scans is refused`() throws {
    let bytes = JPEGFile(size: Size(16, 16), isProgressive: true).bytes()
    let scans = bytes.indices.filter { bytes[$0...].starts(with: [0xFF, 0xDA]) }
    let last = try #require(scans.last)
    let repeated = Array(repeating: bytes[last..<bytes.count - 2], count: 200).flatMap { $0 }
    #expect(throws: ImageError.jpeg("more than 100 scans")) {
      try DecodedImage.decode(Array(bytes[..<last]) + repeated + [0xFF, 0xD9])
    }
  }

  @Test(arguments: UInt64(1)...8)
  func `damaged bytes are refused or read, and nothing traps`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let files = [
      PNGFile(size: Size(19, 11), kind: .rgba).bytes(),
      PNGFile(size: Size(19, 11), kind: .paletteAlpha, isInterlaced: true).bytes(),
      JPEGFile(size: Size(33, 21), orientation: 7).bytes(),
      JPEGFile(size: Size(33, 21), isProgressive: true).bytes(), JPEGFile(size: Size(9, 40), isCMYK: true).bytes(),
    ]
    for _ in 0..<200 {
      var bytes = files.randomElement(using: &generator) ?? []
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
      // A damaged header can claim any size. The largest allowed sizes take seconds and test nothing else.
      guard let size = try? DecodedImage.size(of: bytes), size.area < 1 << 20 else { continue }
      if let decoded = try? DecodedImage.decode(bytes, fitting: Size(10, 10)) {
        #expect(decoded.size == size && !decoded.bitmap.pixels.isEmpty, "seed \(seed)")
      }
    }
  }

  private func difference(_ bitmap: Bitmap, _ size: Size, _ wanted: (Int, Int) -> [UInt8]) -> Int {
    guard bitmap.bounds == Rect(size) else { return .max }
    return (0..<size.area).map { spot in
      let (pixel, wanted) = (bitmap.pixels[spot], wanted(spot % size.width, spot / size.width))
      return [UInt32(16), 8, 0].enumerated().map { abs(Int(pixel >> $1 & 0xFF) - Int(wanted[$0])) }.max() ?? 0
    }.max() ?? 0
  }
}
