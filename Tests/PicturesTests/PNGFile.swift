import Geometry

/// A writer of uncompressed PNG files of all kinds, based only on the specification (ISO/IEC 15948).
struct PNGFile {
  enum Kind: CaseIterable {
    case gray, gray1, gray16, grayAlpha, rgb, rgb16, palette, paletteAlpha, rgba, rgba16

    var colorType: UInt8 {
      switch self {
      case .gray, .gray1, .gray16: 0
      case .rgb, .rgb16: 2
      case .palette, .paletteAlpha: 3
      case .grayAlpha: 4
      case .rgba, .rgba16: 6
      }
    }

    var depth: UInt8 {
      switch self {
      case .gray1: 1
      case .gray16, .rgb16, .rgba16: 16
      default: 8
      }
    }

    var hasAlpha: Bool { [.grayAlpha, .paletteAlpha, .rgba, .rgba16].contains(self) }
    var isGrey: Bool { [.gray, .gray1, .gray16, .grayAlpha].contains(self) }
  }

  var size: Size
  var kind: Kind
  var isInterlaced = false

  /// Returns red, green, blue and opacity of a pixel, as far as the kind can store it.
  func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    if kind == .gray1 { return [UInt8](repeating: (x + y) % 3 == 0 ? 255 : 0, count: 3) + [255] }
    let index = kind.colorType == 3 ? (x + y * 3) % 7 * 31 : x * 11 + y * 37
    let values = [index, index * 3, 255 - index].map { UInt8(truncatingIfNeeded: $0) }
    let alpha = kind.hasAlpha ? UInt8(truncatingIfNeeded: index * 5) : 255
    return (kind.isGrey ? [values[0], values[0], values[0]] : values) + [alpha]
  }

  /// Returns the bytes of the file.
  func bytes() -> [UInt8] {
    var header = big(size.width) + big(size.height)
    header += [kind.depth, kind.colorType, 0, 0, isInterlaced ? 1 : 0]
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header)
    if kind.colorType == 3 {
      let colors = (0..<7).map { pixel($0, 0) }
      bytes += chunk("PLTE", colors.flatMap { $0[..<3] })
      if kind.hasAlpha { bytes += chunk("tRNS", colors.map { $0[3] }) }
    }
    return bytes + chunk("IDAT", stored(rows())) + chunk("IEND", [])
  }

  /// Returns a file of this kind with only zero samples, of any size.
  func darkBytes() -> [UInt8] {
    let row = 1 + (size.width * (kind == .gray1 ? 1 : Int(kind.depth) * (kind.isGrey ? 1 : 4)) + 7) / 8
    var file = self
    file.size = Size(1, 1)
    let small = file.bytes()
    let header = chunk("IHDR", big(size.width) + big(size.height) + Array(small[24..<29]))
    let rows = [UInt8](repeating: 0, count: row * size.height)
    return Array(small[..<8]) + header + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  /// The passes of Adam7: the origin of each, and the distance between its pixels.
  private static let adam7 = [
    (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
  ]

  private func rows() -> [UInt8] {
    let passes = isInterlaced ? PNGFile.adam7 : [(0, 0, 1, 1)]
    return passes.flatMap { left, top, right, down -> [UInt8] in
      guard left < size.width else { return [] }
      return stride(from: top, to: size.height, by: down).flatMap { y in
        [0] + packed(stride(from: left, to: size.width, by: right).map { sample($0, y) })
      }
    }
  }

  private func sample(_ x: Int, _ y: Int) -> [UInt8] {
    let pixel = pixel(x, y)
    switch kind {
    case .gray, .gray1: return [pixel[0]]
    case .gray16: return [pixel[0], pixel[0]]
    case .grayAlpha: return [pixel[0], pixel[3]]
    case .rgb: return Array(pixel[..<3])
    case .rgb16: return pixel[..<3].flatMap { [$0, $0] }
    case .palette, .paletteAlpha: return [UInt8((x + y * 3) % 7)]
    case .rgba: return pixel
    case .rgba16: return pixel.flatMap { [$0, $0] }
    }
  }

  private func packed(_ samples: [[UInt8]]) -> [UInt8] {
    guard kind == .gray1 else { return samples.flatMap { $0 } }
    var bytes = [UInt8](repeating: 0, count: (samples.count + 7) / 8)
    for (index, sample) in samples.enumerated() where sample[0] > 0 { bytes[index / 8] |= 0x80 >> UInt8(index % 8) }
    return bytes
  }

  private func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

  private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return big(content.count) + body + big(Int(crc(body)))
  }

  /// Returns zlib's format with stored deflate blocks.
  private func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: bytes.count, by: 65535) {
      let part = bytes[start..<min(start + 65535, bytes.count)]
      let (low, high) = (UInt8(part.count & 0xFF), UInt8(part.count >> 8))
      result += [part.endIndex == bytes.count ? 1 : 0, low, high, ~low, ~high] + part
    }
    var (first, second) = (1, 0)
    for byte in bytes {
      first = (first + Int(byte)) % 65521
      second = (second + first) % 65521
    }
    return result + big(second << 16 | first)
  }

  private static let crcs: [UInt32] = (0..<256).map { (number: UInt32) -> UInt32 in
    (0..<8).reduce(number) { (crc: UInt32, _: Int) -> UInt32 in crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
  }

  private func crc(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      let place = Int(UInt8(truncatingIfNeeded: crc) ^ byte)
      crc = PNGFile.crcs[place] ^ (crc >> 8)
    }
    return ~crc
  }
}
