public import Geometry

/// The name of a buffer at its card: the DRM framebuffer id.
public struct BufferID: Hashable, Sendable {
  /// DRM object id, or the memory card's count.
  public var number: UInt32

  /// An id by its number.
  public init(_ number: UInt32) { self.number = number }
}

/// Memory that a card can scan out, owned by whoever holds this value; letting go of it unmaps and frees it.
///
/// The memory may be write-combined: write it in order and never read it where speed matters.
@safe
public struct FrameBuffer: ~Copyable, @unchecked Sendable {
  // @unchecked: the memory is reached through this value alone, it is never copied, and the release is Sendable.

  /// Its name at the card.
  public let id: BufferID
  /// Visible pixels.
  public let size: Size
  /// How a pixel is stored.
  public let format: PixelFormat
  /// Bytes from one row to the next.
  public let stride: Int

  private let memory: UnsafeMutableRawBufferPointer
  private let release: @Sendable () -> Void

  /// A buffer over memory of at least `stride * size.height` bytes, which stays mapped until `release` is called.
  public init(
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

  /// Lends the bytes for writing; the pointer is of no use after the call.
  public mutating func withUnsafeBytes<R: ~Copyable, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try unsafe body(memory)
  }

  /// A copy of the rows, without the padding between them. Slow on write-combined memory: for screenshots.
  public borrowing func copyPixels() -> [UInt8] {
    let row = size.width * format.bytesPerPixel
    var pixels: [UInt8] = []
    pixels.reserveCapacity(row * size.height)
    for y in 0..<size.height {
      unsafe pixels.append(contentsOf: memory[y * stride..<y * stride + row])
    }
    return pixels
  }
}
