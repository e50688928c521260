package import Geometry

/// A reduction of a frame to a smaller upright image, row by row, so that the reader of the frame can pause.
///
/// An image row is the mean, in linear light, of two frame rows, at one and three quarters of the height that it
/// covers. Frame memory can be write-combined, where reads take a hundred times as long as all other work. Two rows are
/// the minimum that preserves thin lines and the edges of letters. Each is copied at once, in the largest pieces that
/// the machine can read.
package struct FrameReduction: Sendable {
  /// The size of the image, in pixels.
  package let size: Size
  /// The index of the next row before rotation.
  private var row = 0
  private let frame: Size
  private let format: PixelFormat
  private let stride: Int
  private let rotation: Rotation
  /// The size of the image before rotation.
  private let reduced: Size
  private let columns: [Column]
  /// The red, green, and blue components before rotation.
  private var pixels: [UInt8]
  /// One row of the frame.
  private var line: [UInt32]
  private var narrowLine: [UInt16]
  /// The sum of light for each pixel of a row.
  private var sums: [Light]

  /// The frame pixels that one image pixel covers: shares of the first and the last, and all of those between.
  ///
  /// A share is in units of which a whole frame pixel has as many as a row of the image has pixels.
  fileprivate struct Column: Sendable {
    var first: Int
    var firstShare: Int
    var last: Int
    var lastShare: Int
  }

  /// Starts an image that is at most `width` pixels wide and no larger than the frame.
  ///
  /// - Parameters:
  ///   - frame: The size of the frame, in pixels.
  ///   - format: The pixel format of the frame.
  ///   - stride: The number of bytes from one row of the frame to the next.
  ///   - rotation: The rotation from the upright image to the frame.
  ///   - width: The maximum width of the image, in pixels.
  package init(of frame: Size, _ format: PixelFormat, stride: Int, turned rotation: Rotation, width: Int) {
    let seen = rotation.inverse.turn(frame)
    let across = max(1, min(width, seen.width))
    size = Size(across, max(1, (seen.height * across + seen.width / 2) / max(1, seen.width)))
    (self.frame, self.format, self.stride, self.rotation) = (frame, format, stride, rotation)
    reduced = rotation.turn(size)
    columns = FrameReduction.columns(of: frame.width, in: reduced.width)
    pixels = [UInt8](repeating: 0, count: size.area * 3)
    line = [UInt32](repeating: 0, count: max(0, frame.width))
    narrowLine = format == .rgb565 ? [UInt16](repeating: 0, count: max(0, frame.width)) : []
    sums = Array(repeating: Light(), count: reduced.width)
  }

  /// Whether all the needed rows of the frame were read.
  package var isWhole: Bool { row >= reduced.height }

  /// Reads the frame rows for the next image row; rows beyond the end of the bytes are black.
  package mutating func readRow(of bytes: UnsafeRawBufferPointer) {
    guard !isWhole, frame.width > 0 else { return }
    let lines = [1, 3].map { (4 * row + $0) * frame.height / (4 * reduced.height) }
    unsafe copyLine(lines[0], of: bytes)
    sum(line, columns, isFirst: true, into: &sums)
    if lines[1] != lines[0] {
      unsafe copyLine(lines[1], of: bytes)
      sum(line, columns, isFirst: false, into: &sums)
    }
    // The sum of the shares over all covered pixels and lines.
    let whole = Float(lines[1] == lines[0] ? frame.width : 2 * frame.width)
    write(sums, share: 1 / whole, to: &pixels, at: row * columns.count * 3)
    row += 1
  }

  /// Returns the upright image, with rows not yet read in black.
  ///
  /// - Throws: `ImageError.size` if the size is out of range.
  /// - Returns: The image.
  package func picture() throws(ImageError) -> RGBImage {
    try RGBImage(size: reduced, rgb: pixels).turned(rotation.inverse)
  }

  private static func columns(of width: Int, in count: Int) -> [Column] {
    (0..<max(0, count)).map { x in
      let (start, end) = (x * width, (x + 1) * width)
      let (first, last) = (start / count, (end - 1) / count)
      guard first < last else { return Column(first: first, firstShare: width, last: last, lastShare: 0) }
      return Column(
        first: first, firstShare: (first + 1) * count - start, last: last, lastShare: end - last * count)
    }
  }

  /// Copies a row from slow memory, converted to XRGB8888.
  private mutating func copyLine(_ y: Int, of bytes: UnsafeRawBufferPointer) {
    let count = frame.width * format.bytesPerPixel
    let start = y * stride
    guard start >= 0, start + count <= bytes.count else {
      for x in line.indices { line[x] = 0 }
      return
    }
    let row = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
    switch format {
    case .xrgb8888:
      unsafe line.withUnsafeMutableBytes { unsafe $0.copyMemory(from: row) }
    case .rgb565:
      unsafe narrowLine.withUnsafeMutableBytes { unsafe $0.copyMemory(from: row) }
      for (x, pixel) in narrowLine.enumerated() { line[x] = widened(UInt32(UInt16(littleEndian: pixel))) }
    }
  }
}

/// Adds up the light of a row; the first of two rows overwrites the sums.
private func sum(
  _ row: [UInt32], _ columns: [FrameReduction.Column], isFirst: Bool, into sums: inout [Light]
) {
  let (row, columns, count) = (row.span, columns.span, columns.count)
  var sums = sums.mutableSpan
  for x in columns.indices {
    let column = columns[x]
    var inner = Light()
    var place = column.first &+ 1
    while place < column.last {
      inner.add(row[place], times: 1)
      place &+= 1
    }
    var sum = isFirst ? Light() : sums[x]
    sum.red &+= inner.red &* count
    sum.green &+= inner.green &* count
    sum.blue &+= inner.blue &* count
    sum.add(row[column.first], times: column.firstShare)
    sum.add(row[column.last], times: column.lastShare)
    sums[x] = sum
  }
}

/// Writes the square roots of the means, as bytes.
private func write(_ sums: [Light], share: Float, to pixels: inout [UInt8], at start: Int) {
  let sums = sums.span
  var pixels = pixels.mutableSpan
  for x in sums.indices {
    // Floats from 2^23 on have no fractional bits, so the low bits hold the rounded number.
    let light = SIMD4(Float(sums[x].red), Float(sums[x].green), Float(sums[x].blue), 0)
    let roots = unsafe unsafeBitCast((light * share).squareRoot() + 0x1p23, to: SIMD4<UInt32>.self)
    let place = start &+ x &* 3
    pixels[place] = UInt8(truncatingIfNeeded: roots.x)
    pixels[place &+ 1] = UInt8(truncatingIfNeeded: roots.y)
    pixels[place &+ 2] = UInt8(truncatingIfNeeded: roots.z)
  }
}

/// Expands 5 and 6 bits to 8 by repeating the upper ones, so that white stays white.
@inline(__always)
private func widened(_ pixel: UInt32) -> UInt32 {
  let (red, green, blue) = (pixel &>> 11, pixel &>> 5 & 0x3F, pixel & 0x1F)
  let wide = (red &<< 3 | red &>> 2, green &<< 2 | green &>> 4, blue &<< 3 | blue &>> 2)
  return (wide.0 &<< 16 | wide.1 &<< 8 | wide.2).littleEndian
}

/// Sums of linear light, whose square roots are the channel values.
private struct Light: Sendable {
  var red = 0
  var green = 0
  var blue = 0

  @inline(__always)
  mutating func add(_ pixel: UInt32, times share: Int) {
    let pixel = UInt32(littleEndian: pixel)
    let (red, green, blue) = (pixel &>> 16 & 0xFF, pixel &>> 8 & 0xFF, pixel & 0xFF)
    self.red &+= Int(red &* red) &* share
    self.green &+= Int(green &* green) &* share
    self.blue &+= Int(blue &* blue) &* share
  }
}
