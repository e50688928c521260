public import Geometry
public import Layout

/// A frame in ordinary memory, painted from display lists: for pictures of what a monitor would show.
@safe
public final class Canvas {
  /// Pixels in each direction.
  public var size: Size { rasterizer.size }
  /// Pixels of the picture, which the canvas may show turned.
  public var pictureSize: Size { rasterizer.pictureSize }
  /// How a pixel is stored.
  public var format: PixelFormat { rasterizer.format }
  /// Bytes from one row to the next.
  public let stride: Int

  private let rasterizer: Rasterizer
  private let memory: FrameMemory
  private var shown: DisplayList?

  /// A canvas that shows nothing yet.
  public init(
    size: Size, format: PixelFormat, rotation: Rotation = .none, cacheBytes: Int = Rasterizer.defaultCacheBytes
  ) {
    rasterizer = Rasterizer(size: size, format: format, rotation: rotation, cacheBytes: cacheBytes)
    stride = (rasterizer.size.width * format.bytesPerPixel + 63) & ~63
    memory = FrameMemory(byteCount: stride * rasterizer.size.height)
  }

  /// Paints what differs from the list drawn before, and returns where: rectangles that do not overlap. The first
  /// drawing paints everything. The materials are those that it was laid out with.
  public func draw(_ list: DisplayList, with materials: Materials) -> [Rect] {
    let damage = rasterizer.difference(from: shown, to: list, with: materials)
    rasterizer.paint(
      list, damage, to: unsafe FrameBytes(bytes: memory.bytes, stride: stride), with: materials)
    shown = list
    return damage
  }

  /// Forgets what was drawn before: the next drawing paints everything.
  public func invalidate() { shown = nil }

  /// Lends the pixels, `stride` bytes a row; the pointer is of no use after the call.
  public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try unsafe body(UnsafeRawBufferPointer(rebasing: memory.bytes[..<(stride * size.height)]))
  }

  /// Bytes that drawn glyphs take.
  public var cachedBytes: Int { rasterizer.cachedBytes }
}
