extension CapturedFrame {
  /// The picture as an uncompressed PNG file (PNG specification, RFC 1950 and RFC 1951).
  public var png: [UInt8] {
    var header: [UInt8] = []
    for number in [width, height] { header += Self.bigEndian(UInt32(number)) }
    // 8 bits each of red, green and blue. No palette, no interlacing.
    header += [8, 2, 0, 0, 0]
    var rows: [UInt8] = []
    rows.reserveCapacity(bytes.count + height)
    for row in 0..<height {
      rows.append(0)
      rows += bytes[3 * width * row..<3 * width * (row + 1)]
    }
    let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    return start + Self.chunk("IHDR", header) + Self.chunk("IDAT", Self.stored(rows)) + Self.chunk("IEND", [])
  }

  /// Returns a zlib stream of uncompressed blocks of at most 65535 bytes.
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    stream.reserveCapacity(data.count + data.count / 8192 + 16)
    var start = 0
    repeat {
      let count = min(65535, data.count - start)
      stream.append(start + count == data.count ? 1 : 0)
      for number in [UInt16(count), ~UInt16(count)] { stream += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      stream += data[start..<start + count]
      start += count
    } while start < data.count
    return stream + bigEndian(adler(data))
  }

  private static func adler(_ data: [UInt8]) -> UInt32 {
    var (low, high) = (UInt32(1), UInt32(0))
    for byte in data {
      low = (low &+ UInt32(byte)) % 65521
      high = (high &+ low) % 65521
    }
    return high << 16 | low
  }

  private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    let content = Array(kind.utf8) + data
    return bigEndian(UInt32(data.count)) + content + bigEndian(~CRC32.sum(content, from: ~0))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) }
  }
}
