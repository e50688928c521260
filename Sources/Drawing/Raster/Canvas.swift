package import Geometry
package import Layout

/// A frame in ordinary memory, painted from display lists, for previews and screenshots.
@safe
package final class Canvas {
  /// The size of the frame, in pixels.
  package var size: Size { rasterizer.size }
  /// The size of the layout before rotation, in pixels.
  package var pictureSize: Size { rasterizer.pictureSize }
  /// The pixel format.
  package var format: PixelFormat { rasterizer.format }
  /// The number of bytes from one row to the next.
  package let stride: Int

  private let rasterizer: Rasterizer
  private let memory: FrameMemory
  private var shown: DisplayList?

  /// Creates a canvas without content.
  ///
  /// - Parameters:
  ///   - size: The size of the frame, in pixels.
  ///   - format: The pixel format.
  ///   - rotation: The rotation from layout to frame coordinates.
  ///   - cacheBytes: The limit of the glyph cache, in bytes.
  package init(
    size: Size, format: PixelFormat, rotation: Rotation = .none, cacheBytes: Int = Rasterizer.defaultCacheBytes
  ) {
    rasterizer = Rasterizer(size: size, format: format, rotation: rotation, cacheBytes: cacheBytes)
    stride = (rasterizer.size.width * format.bytesPerPixel + 63) & ~63
    memory = FrameMemory(byteCount: stride * rasterizer.size.height)
  }

  /// Creates a canvas of the size, format and rotation of a rasterizer, with few cached glyphs.
  convenience init(like rasterizer: Rasterizer) {
    self.init(
      size: rasterizer.size, format: rasterizer.format, rotation: rasterizer.rotation, cacheBytes: Self.fewGlyphs)
  }

  /// A limit of the glyph cache for a list that is drawn once, in bytes.
  private static let fewGlyphs = 2 << 20

  /// Paints the difference from the previously drawn list; the first call paints everything.
  ///
  /// - Parameters:
  ///   - list: The display list to show.
  ///   - materials: The render resources with which the list was laid out.
  /// - Returns: The painted rectangles of the frame, which do not overlap.
  package func draw(_ list: DisplayList, with materials: RenderResources) -> [Rect] {
    let damage = rasterizer.difference(from: shown, to: list, with: materials)
    rasterizer.paint(
      list, damage, to: unsafe FrameBytes(bytes: memory.bytes, stride: stride), with: materials)
    shown = list
    return damage
  }

  /// Discards the previous list, so that the next call of `draw` paints everything.
  package func invalidate() { shown = nil }

  /// Calls a closure with the pixels, `stride` bytes per row; the pointer is valid only during the call.
  package func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try unsafe body(UnsafeRawBufferPointer(rebasing: memory.bytes[..<(stride * size.height)]))
  }

  /// The size of the glyph cache, in bytes.
  package var cachedBytes: Int { rasterizer.cachedBytes }
}
