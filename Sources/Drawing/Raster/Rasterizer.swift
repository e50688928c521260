package import Geometry
package import Layout
import Pictures

/// A rasterizer of display lists into frame memory, with a cache of drawn glyphs.
///
/// It must be used from one thread at a time. Display lists are in layout coordinates; everything else here is in
/// frame coordinates, because the frame can show the layout rotated.
package final class Rasterizer {
  /// The size of the frame, in pixels.
  package let size: Size
  /// The pixel format. Glyphs and images do not depend on it. After a change, the whole frame must be repainted.
  package var format: PixelFormat
  /// The rotation from layout to frame coordinates. After a change, the whole frame must be repainted.
  package var rotation: Rotation
  /// The size of the layout before rotation, in pixels.
  package var pictureSize: Size { rotation.inverse.turn(size) }

  var cache: GlyphCache

  /// The default limit of the glyph cache, in bytes.
  ///
  /// A letter of 600 pixels takes 15 KB, a 4K banner half a megabyte, and a color image 4 bytes per pixel.
  package static let defaultCacheBytes = 32 << 20

  /// Creates a rasterizer for frames of one size.
  ///
  /// - Parameters:
  ///   - size: The size of the frame, in pixels.
  ///   - format: The pixel format.
  ///   - rotation: The rotation from layout to frame coordinates.
  ///   - cacheBytes: The limit of the glyph cache, in bytes.
  package init(
    size: Size, format: PixelFormat, rotation: Rotation = .none, cacheBytes: Int = Rasterizer.defaultCacheBytes
  ) {
    self.size = Size(max(0, size.width), max(0, size.height))
    self.format = format
    self.rotation = rotation
    cache = GlyphCache(limit: cacheBytes)
  }

  /// Paints parts of a list into a frame, extended to whole 64-byte lines.
  ///
  /// The frame must already show the same list next to the parts.
  ///
  /// - Parameters:
  ///   - list: The display list.
  ///   - parts: The rectangles of the frame to repaint.
  ///   - frame: The memory of the frame.
  ///   - materials: The render resources with which the list was laid out.
  package func paint(_ list: DisplayList, _ parts: [Rect], to frame: FrameBytes, with materials: RenderResources) {
    Painter.withScratch(size: size, format: format, rotation: rotation) { painter in
      for part in parts.map(wholeLines) where !part.isEmpty {
        let stack = layers(list, part, materials)
        guard stack.layers.contains(where: \.isDrawnByParts) else {
          painter.paint(part, stack, to: frame)
          continue
        }
        for strip in strips(part) { painter.paint(strip, stack.drawn(in: place(of: strip)), to: frame) }
      }
    }
    cache.trim()
    materials.pictures.trim()
  }

  /// Checks a sample of rows for whether a frame still shows a list; reads the frame's memory, which can be slow.
  ///
  /// - Parameters:
  ///   - list: The display list.
  ///   - frame: The memory of the frame.
  ///   - step: The distance between the checked rows. Values below 1 count as 1.
  ///   - materials: The render resources with which the list was laid out.
  /// - Returns: Whether all the checked rows are unchanged.
  package func matches(
    _ list: DisplayList, _ frame: FrameBytes, everyRow step: Int, with materials: RenderResources
  ) -> Bool {
    var isEqual = true
    Painter.withScratch(size: size, format: format, rotation: rotation) { painter in
      isEqual = stride(from: 0, to: size.height, by: max(1, step)).allSatisfy { y in
        let row = Rect(x: 0, y: y, width: size.width, height: 1)
        return painter.matches(row, layers(list, row, materials).drawn(in: place(of: row)), frame)
      }
    }
    cache.trim()
    materials.pictures.trim()
    return isEqual
  }

  /// The size of the glyph cache, in bytes.
  package var cachedBytes: Int { cache.byteCount }

  /// Sets the limit of the glyph cache, in bytes, and applies it immediately.
  package func setGlyphCacheLimit(upTo byteCount: Int) { cache.resize(limit: byteCount) }

  /// Discards all drawn glyphs, because the fonts have changed.
  package func discardGlyphs() { cache = GlyphCache(limit: cache.limit) }

  /// Extends a rectangle within the frame to the 64-byte lines that it touches, the burst size of write-combined
  /// memory.
  func wholeLines(_ rect: Rect) -> Rect {
    let part = rect.intersection(Rect(size))
    let line = 64 / format.bytesPerPixel
    let (left, right) = (part.x & ~(line - 1), min((part.right + line - 1) & ~(line - 1), size.width))
    return part.isEmpty ? .empty : Rect(x: left, y: part.y, width: right - left, height: part.height)
  }

  /// Splits a part into strips of about a million pixels, at least one row each, to bound the memory of uncached
  /// images.
  private func strips(_ part: Rect) -> [Rect] {
    let rows = max(1, (1 << 20) / max(1, part.width))
    return stride(from: part.y, to: part.bottom, by: rows).map { y in
      Rect(x: part.x, y: y, width: part.width, height: min(rows, part.bottom - y))
    }
  }

  /// Converts a rectangle of the frame to layout coordinates.
  func place(of part: Rect) -> Rect { rotation.inverse.turn(part, in: size) }
}
