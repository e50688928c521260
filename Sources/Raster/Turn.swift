import Geometry

/// A block of a picture, and memory that a part of it comes to, turned.
@safe
struct Turn {
  /// The picture's rows, of `size`.
  let source: UnsafeMutableRawPointer
  let sourceStride: Int
  let size: Size
  /// Rows of the block after the turn.
  let target: UnsafeMutableRawPointer
  let targetStride: Int

  /// Writes rows of the turned block.
  func write(_ rows: Range<Int>, _ rotation: Rotation, _ format: PixelFormat) {
    switch format {
    case .xrgb8888: write(rows, rotation, UInt32.self)
    case .rgb565: write(rows, rotation, UInt16.self)
    }
  }

  @inline(__always)
  private func write<Pixel: FixedWidthInteger>(_ rows: Range<Int>, _ rotation: Rotation, _: Pixel.Type) {
    switch rotation {
    case .none, .half: reverse(rows, Pixel.self)
    case .quarter: transpose(rows, Pixel.self, first: { size.height &- 1 &- $0 }, column: rows.lowerBound, step: 1)
    case .threeQuarters:
      transpose(rows, Pixel.self, first: { $0 }, column: size.width &- 1 &- rows.lowerBound, step: -1)
    }
  }

  /// Each column of the turned rows is a piece of a row of the picture: it is read once, as a whole.
  @inline(__always)
  private func transpose<Pixel: FixedWidthInteger>(
    _ rows: Range<Int>, _: Pixel.Type, first row: (Int) -> Int, column: Int, step: Int
  ) {
    let pitch = targetStride / MemoryLayout<Pixel>.stride
    let out = unsafe target.assumingMemoryBound(to: Pixel.self)
    for x in 0..<size.height {
      let from = unsafe (source + row(x) &* sourceStride).assumingMemoryBound(to: Pixel.self) + column
      for index in 0..<rows.count { unsafe out[index &* pitch &+ x] = from[index &* step] }
    }
  }

  @inline(__always)
  private func reverse<Pixel: FixedWidthInteger>(_ rows: Range<Int>, _: Pixel.Type) {
    for row in rows {
      let from = unsafe (source + (size.height &- 1 &- row) &* sourceStride).assumingMemoryBound(to: Pixel.self)
      let out = unsafe (target + (row &- rows.lowerBound) &* targetStride).assumingMemoryBound(to: Pixel.self)
      let last = size.width &- 1
      for x in 0..<size.width { unsafe out[x] = from[last &- x] }
    }
  }
}
