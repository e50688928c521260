import CPNG
import Geometry

/// A reader that reduces a large PNG file row by row, with memory for only a few rows.
///
/// Interlaced files are not supported, because their rows are stored in several passes.
@safe
struct PNGRows: ~Copyable {
  private let reader: UnsafeMutablePointer<placard_png_reader>
  private let size: Size

  /// Reads the header; the bytes are borrowed and must outlive the reader.
  init(lent bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) {
    var isRead: CInt = 0
    guard let reader = unsafe placard_png_open(bytes.baseAddress, bytes.count, &isRead) else {
      throw .png("not enough memory to read the file")
    }
    guard isRead != 0 else {
      let words = unsafe words(of: reader)
      unsafe placard_png_close(reader)
      throw .png(words)
    }
    unsafe self.reader = reader
    size = unsafe Size(
      Int(png_get_image_width(reader.pointee.png, reader.pointee.info)),
      Int(png_get_image_height(reader.pointee.png, reader.pointee.info)))
  }

  deinit { unsafe placard_png_close(reader) }

  /// Returns the size after reduction by a factor, rounded up.
  static func reduced(_ size: Size, by factor: Int) -> Size {
    Size((size.width + factor - 1) / factor, (size.height + factor - 1) / factor)
  }

  /// Decodes the image with blocks of `factor` × `factor` pixels (1...64) reduced to the mean of their light.
  consuming func decoded(by factor: Int, _ limit: TimeLimit) throws(ImageError) -> DecodedImage {
    let reduced = PNGRows.reduced(size, by: factor)
    var pixels: [UInt32] = []
    pixels.reserveCapacity(reduced.area)
    var row = [UInt32](repeating: 0, count: size.width)
    var sums = [SIMD4<UInt32>](repeating: .zero, count: reduced.width)
    for y in 0..<size.height {
      if y % 16 == 0, limit.hasPassed { throw limit.error }
      let isRead = unsafe row.withUnsafeMutableBytes { bytes in
        unsafe placard_png_read(reader, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
      }
      guard isRead != 0 else { throw .png(unsafe words(of: reader)) }
      if factor == 1 {
        for x in row.indices { pixels.append(Bitmap.pixel(straight: row[x].littleEndian)) }
        continue
      }
      add(row.span, by: factor, to: &sums)
      let rows = y % factor + 1
      guard rows == factor || y == size.height - 1 else { continue }
      for x in sums.indices {
        let columns = min(factor, size.width - x * factor)
        pixels.append(mean(sums[x], of: rows * columns))
        sums[x] = .zero
      }
    }
    let isOpaque = pixels.allSatisfy { $0 >= 0xFF00_0000 }
    return DecodedImage(
      bitmap: Bitmap(bounds: Rect(reduced), pixels: pixels, isOpaque: isOpaque), size: size, warning: nil)
  }

  private func add(_ row: Span<UInt32>, by factor: Int, to sums: inout [SIMD4<UInt32>]) {
    var sums = sums.mutableSpan
    for x in sums.indices {
      var sum = sums[x]
      for index in x &* factor..<min((x &+ 1) &* factor, row.count) {
        let pixel = Bitmap.pixel(straight: row[index].littleEndian)
        let values = SIMD4(pixel & 0xFF, pixel &>> 8 & 0xFF, pixel &>> 16 & 0xFF, 0)
        sum &+= values &* values
        sum.w &+= (pixel &>> 24) &* 255
      }
      sums[x] = sum
    }
  }
}

/// Returns the mean of `count` pixels, whose sums are of light and of opacity times 255.
@inline(__always)
private func mean(_ sum: SIMD4<UInt32>, of count: Int) -> UInt32 {
  let light = SIMD4<Float>(sum) / Float(count)
  var values = light.squareRoot()
  values.w = light.w / 255
  let bits = SIMD4<UInt32>(values.rounded(.toNearestOrAwayFromZero))
  return bits.w &<< 24 | bits.z &<< 16 | bits.y &<< 8 | bits.x
}

/// Returns libpng's error message.
private func words(of reader: UnsafeMutablePointer<placard_png_reader>) -> String {
  unsafe withUnsafeBytes(of: reader.pointee.words) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
