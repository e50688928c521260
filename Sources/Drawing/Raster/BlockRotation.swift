import CPixels
import Geometry

/// A block of the layout, with memory for a part of it after rotation.
@safe
struct BlockRotation {
  /// The rows of the block, which has the dimensions `size`.
  let source: UnsafeMutableRawPointer
  let sourceStride: Int
  let size: Size
  /// The memory for rows of the rotated block.
  let target: UnsafeMutableRawPointer
  let targetStride: Int

  /// Writes these rows of the rotated block to the target memory, the first one at its start.
  func write(_ rows: Range<Int>, _ rotation: Rotation, _ format: PixelFormat) {
    let bytesPerPixel = format.bytesPerPixel
    switch rotation {
    case .none, .half: for row in rows { reverse(row, to: row &- rows.lowerBound, format) }
    case .quarter:
      // The last row of the block becomes the first column.
      unsafe transpose(
        source + (size.height &- 1) &* sourceStride + rows.lowerBound &* bytesPerPixel, step: -sourceStride, to: target,
        pitch: targetStride, count: rows.count, format)
    case .threeQuarters:
      // The last column of the block becomes the first row.
      unsafe transpose(
        source + (size.width &- rows.upperBound) &* bytesPerPixel, step: sourceStride,
        to: target + (rows.count &- 1) &* targetStride, pitch: -targetStride, count: rows.count, format)
    }
  }

  private func transpose(
    _ source: UnsafeMutableRawPointer, step: Int, to target: UnsafeMutableRawPointer, pitch: Int, count: Int,
    _ format: PixelFormat
  ) {
    switch format {
    case .xrgb8888: unsafe placard_transpose_32(target, pitch, source, step, size.height, count)
    case .rgb565: unsafe placard_transpose_16(target, pitch, source, step, size.height, count)
    }
  }

  private func reverse(_ row: Int, to targetRow: Int, _ format: PixelFormat) {
    let from = unsafe source + (size.height &- 1 &- row) &* sourceStride
    let out = unsafe target + targetRow &* targetStride
    switch format {
    case .xrgb8888: unsafe placard_reverse_32(out, from, size.width)
    case .rgb565: unsafe placard_reverse_16(out, from, size.width)
    }
  }
}
