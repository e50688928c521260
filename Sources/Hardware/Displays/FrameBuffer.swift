package import Geometry

/// The identifier of a buffer on its card: the DRM framebuffer ID.
package struct BufferID: Hashable, Sendable {
  /// The DRM object ID, or a serial number of the in-memory card.
  package var number: UInt32

  /// Creates an identifier.
  package init(_ number: UInt32) { self.number = number }
}

/// Memory that a card can scan out, unmapped and freed when its owner releases this value.
///
/// The memory may be write-combined: write it sequentially, and do not read it on a fast path.
@safe
package struct FrameBuffer: ~Copyable, @unchecked Sendable {
  // @unchecked: only this value accesses the memory, it is never copied, and `release` is Sendable.

  /// The buffer's identifier on its card.
  package let id: BufferID
  /// The visible pixels.
  package let size: Size
  /// The pixel format.
  package let format: PixelFormat
  /// The number of bytes from one row to the next.
  package let stride: Int

  private let memory: UnsafeMutableRawBufferPointer
  private let release: @Sendable () -> Void

  /// Creates a buffer over mapped memory.
  ///
  /// - Parameters:
  ///   - id: The buffer's identifier on its card.
  ///   - size: The visible pixels.
  ///   - format: The pixel format.
  ///   - stride: The number of bytes from one row to the next.
  ///   - memory: At least `stride * size.height` bytes, which stay mapped until `release` is called.
  ///   - release: A closure that unmaps and frees the memory.
  package init(
    id: BufferID, size: Size, format: PixelFormat, stride: Int, unsafeMemory memory: UnsafeMutableRawBufferPointer,
    release: @escaping @Sendable () -> Void
  ) {
    self.id = id
    self.size = size
    self.format = format
    self.stride = stride
    unsafe self.memory = memory
    self.release = release
  }

  deinit { release() }

  /// Calls a closure with the bytes for writing.
  ///
  /// - Parameter body: The closure. Its pointer is valid only during the call.
  /// - Throws: The error of the closure.
  /// - Returns: The result of the closure.
  package mutating func withUnsafeBytes<R: ~Copyable, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(memory)
  }

  /// Returns a copy of the rows without the padding between them.
  ///
  /// Reading write-combined memory is slow, so this is for screenshots.
  ///
  /// - Returns: The pixels, `size.width * format.bytesPerPixel` bytes for each row.
  package borrowing func copyPixels() -> [UInt8] {
    let row = size.width * format.bytesPerPixel
    var pixels: [UInt8] = []
    pixels.reserveCapacity(row * size.height)
    for y in 0..<size.height {
      unsafe pixels.append(contentsOf: memory[y * stride..<y * stride + row])
    }
    return pixels
  }
}
