public import Geometry
public import Layout
import Pictures

/// Makes pixels of display lists, straight in the memory of a frame. Keeps drawn glyphs. One thread uses it.
///
/// Lists count in pixels of the picture; everything else here counts in pixels of the frame, which may show it turned.
public final class Rasterizer {
  /// Pixels of the frame in each direction.
  public let size: Size
  /// How a pixel is stored.
  public let format: PixelFormat
  /// How a picture is turned on its way to the frame. After a change the frame must be painted as a whole.
  public var rotation: Rotation
  /// Pixels of the picture in each direction.
  public var pictureSize: Size { rotation.inverse.turn(size) }

  var cache: GlyphCache

  /// What drawn glyphs may take, unless it is told otherwise: a letter of 600 pixels takes 15 KB, a 4K banner half a
  /// megabyte; pictures in colour take 4 bytes a pixel.
  public static let defaultCacheBytes = 32 << 20

  /// A rasterizer for frames of one size. Drawn glyphs are kept up to `cacheBytes`.
  public init(
    size: Size, format: PixelFormat, rotation: Rotation = .none, cacheBytes: Int = Rasterizer.defaultCacheBytes
  ) {
    self.size = Size(max(0, size.width), max(0, size.height))
    self.format = format
    self.rotation = rotation
    cache = GlyphCache(limit: cacheBytes)
  }

  /// Paints parts of a list into a frame, and whole 64-byte lines: the frame must show the same list beside the parts.
  public func paint(_ list: DisplayList, _ parts: [Rect], to frame: FrameBytes, with materials: Materials) {
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

  /// Whether a frame still shows a list, by every so manieth row. Reads the frame's memory, which may be slow.
  public func matches(
    _ list: DisplayList, _ frame: FrameBytes, everyRow step: Int, with materials: Materials
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

  /// Bytes that drawn glyphs take.
  public var cachedBytes: Int { cache.byteCount }

  /// Takes another bound for drawn glyphs, at once.
  public func keepGlyphs(upTo byteCount: Int) { cache.resize(limit: byteCount) }

  /// Lets go of all drawn glyphs: the fonts that they came from are others now.
  public func forgetGlyphs() { cache = GlyphCache(limit: cache.limit) }

  /// The rectangle within the frame, out to the lines of 64 bytes that it touches: write-combined memory goes out in
  /// bursts of those. What lies beside the rectangle comes out as it was.
  private func wholeLines(_ rect: Rect) -> Rect {
    let part = rect.intersection(Rect(size))
    let line = 64 / format.bytesPerPixel
    let (left, right) = (part.x & ~(line - 1), min((part.right + line - 1) & ~(line - 1), size.width))
    return part.isEmpty ? .empty : Rect(x: left, y: part.y, width: right - left, height: part.height)
  }

  /// Rows of the frame that hold a million pixels, or a row: as much is drawn at once of what cannot be kept.
  private func strips(_ part: Rect) -> [Rect] {
    let rows = max(1, (1 << 20) / max(1, part.width))
    return stride(from: part.y, to: part.bottom, by: rows).map { y in
      Rect(x: part.x, y: y, width: part.width, height: min(rows, part.bottom - y))
    }
  }

  /// Where a part of the frame is in the picture.
  func place(of part: Rect) -> Rect { rotation.inverse.turn(part, in: size) }
}
