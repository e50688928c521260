import CPixels
import Glibc
import Geometry

/// Memory that holds a frame, or is to hold one: the mapping of a buffer, perhaps. It is written, and hardly ever
/// read.
@safe
public struct FrameBytes {
  private let bytes: UnsafeMutableRawBufferPointer
  private let stride: Int

  /// Rows of `stride` bytes each; the memory stays the caller's, and must outlive this value.
  public init(bytes: UnsafeMutableRawBufferPointer, stride: Int) {
    unsafe self.bytes = bytes
    self.stride = stride
  }

  /// Writes a part of the frame.
  /// What the memory has no room for is left out. `isStreamed` sends it around the caches.
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

  /// Whether a part of the frame holds these rows; what the memory has no room for does not.
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
    // What is sent begins a line but for what scrolls, whose second half begins anywhere.
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
