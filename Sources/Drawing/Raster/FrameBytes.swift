import CPixels
import Glibc
import Geometry

/// The memory of a frame, typically a mapped framebuffer.
///
/// The memory is mainly written. Only `holds` reads it, which can be slow.
@safe
package struct FrameBytes {
  private let bytes: UnsafeMutableRawBufferPointer
  private let stride: Int

  /// Wraps rows of `stride` bytes each; the caller owns the memory, which must outlive this value.
  package init(bytes: UnsafeMutableRawBufferPointer, stride: Int) {
    unsafe self.bytes = bytes
    self.stride = stride
  }

  /// Writes a part of the frame, omitting rows and columns beyond the end of the memory.
  ///
  /// - Parameters:
  ///   - part: The rectangle of the frame.
  ///   - rows: The source rows of the rectangle.
  ///   - rowStride: The number of bytes from one source row to the next.
  ///   - bytesPerPixel: The size of a pixel.
  ///   - isStreamed: Whether to use nontemporal stores, which bypass the caches.
  func write(
    _ part: Rect, from rows: UnsafeMutableRawPointer, stride rowStride: Int, bytesPerPixel: Int, isStreamed: Bool
  ) {
    guard let base = unsafe bytes.baseAddress, stride > 0 else { return }
    let first = part.x * bytesPerPixel
    let end = min(part.right * bytesPerPixel, stride)
    guard first < end else { return }
    let room = unsafe bytes.count
    for y in part.y..<part.bottom where y * stride + end <= room {
      let source = unsafe rows + (y - part.y) * rowStride
      unsafe FrameBytes.send(end - first, from: source, to: base + (y * stride + first), isStreamed)
    }
  }

  /// Returns whether a part of the frame equals the given rows; false if it lies partly beyond the memory.
  func holds(_ part: Rect, rows: UnsafeMutableRawPointer, stride rowStride: Int, bytesPerPixel: Int) -> Bool {
    let (first, count) = (part.x * bytesPerPixel, part.width * bytesPerPixel)
    guard let base = unsafe bytes.baseAddress, first + count <= stride else { return false }
    let room = unsafe bytes.count
    return (part.y..<part.bottom).allSatisfy { y in
      let place = y * stride + first
      return unsafe place + count <= room && memcmp(base + place, rows + (y - part.y) * rowStride, count) == 0
    }
  }

  @inline(__always)
  private static func send(
    _ count: Int, from source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer, _ isStreamed: Bool
  ) {
    // Targets start at a 64-byte line, except for scrolled content, whose second half can start anywhere.
    let head = min(count, Int((0 &- UInt(bitPattern: target)) & 15))
    if head > 0 { unsafe target.copyMemory(from: source, byteCount: head) }
    let end = head + (count - head) & ~63
    if isStreamed {
      unsafe placard_stream_lines(target + head, source + head, (end - head) / 64)
    } else {
      unsafe placard_copy_lines(target + head, source + head, (end - head) / 64)
    }
    if end < count { unsafe (target + end).copyMemory(from: source + end, byteCount: count - end) }
  }
}
