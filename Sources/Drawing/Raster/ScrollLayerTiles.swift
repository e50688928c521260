package import Geometry
package import Layout
import CPixels
import Primitives

/// The pixels of a scroll layer in the frame format: each tile is painted when it first becomes visible, then copied.
///
/// Tiles of `ScrollLayer.tileExtent` columns or rows lie in a ring buffer, rotated like the frame. The visible part is therefore
/// at most two rectangles of the ring. A layer that is longer than the ring has its tiles repainted as they come into
/// view. This class must be used from one thread at a time.
package final class ScrollLayerTiles {
  /// The scroll layer.
  package let strip: ScrollLayer
  private let rasterizer: Rasterizer
  private let memory: FrameMemory
  private let stride: Int
  /// The tile of the layer in each slot of the ring; -1 for an empty slot.
  private var parts: [Int]
  /// The number of tiles painted so far.
  package private(set) var paintedParts = 0

  /// The minimum memory of a ring, in bytes: most messages fit completely.
  private static let keptBytes = 8 << 20
  /// The limit of the glyph cache, in bytes; low because drawn glyphs are needed only until the next tile.
  private static let glyphBytes = 2 << 20

  /// Creates an empty ring for frames of this format and rotation.
  ///
  /// - Parameters:
  ///   - strip: The scroll layer.
  ///   - format: The pixel format of the frames.
  ///   - rotation: The rotation from layout to frame coordinates.
  package init(_ strip: ScrollLayer, format: PixelFormat, rotation: Rotation) {
    self.strip = strip
    let partBytes = max(1, strip.part(0..<ScrollLayer.tileExtent).size.area * format.bytesPerPixel)
    let seen = strip.seen / ScrollLayer.tileExtent + 2
    let count = min(strip.length / ScrollLayer.tileExtent, max(seen, ScrollLayerTiles.keptBytes / partBytes))
    parts = [Int](repeating: -1, count: count)
    rasterizer = Rasterizer(
      size: rotation.turn(strip.part(0..<count * ScrollLayer.tileExtent).size), format: format, rotation: rotation,
      cacheBytes: ScrollLayerTiles.glyphBytes)
    stride = (rasterizer.size.width * format.bytesPerPixel + 63) & ~63
    memory = FrameMemory(byteCount: stride * rasterizer.size.height)
  }

  /// The memory of the ring, in bytes.
  package var byteCount: Int { stride * rasterizer.size.height }

  /// Copies the visible part at a scroll distance into a frame; the rest of the frame is not written.
  ///
  /// - Parameters:
  ///   - distance: The scroll distance, in pixels.
  ///   - picture: The size of the layout before rotation.
  ///   - frame: The memory of the frame.
  ///   - materials: The render resources with which the layer was laid out.
  package func draw(after distance: Int, on picture: Size, to frame: FrameBytes, with materials: RenderResources) {
    guard !strip.window.isEmpty else { return }
    let begin = strip.start(after: distance)
    let (first, last) = (begin.parted, (begin + strip.seen - 1).parted)
    for number in first.part...last.part { hold(number, with: materials) }
    let start = floorModulo(first.part, parts.count) * ScrollLayer.tileExtent + first.rest
    let whole = min(strip.seen, parts.count * ScrollLayer.tileExtent - start)
    copy(start..<start + whole, to: 0, on: picture, frame)
    copy(0..<strip.seen - whole, to: whole, on: picture, frame)
    placard_stream_end()
  }

  /// Paints a tile into its slot, unless it is already there.
  private func hold(_ number: Int, with materials: RenderResources) {
    let place = floorModulo(number, parts.count)
    let part = floorModulo(number, strip.length / ScrollLayer.tileExtent)
    guard parts[place] != part else { return }
    parts[place] = part
    paintedParts += 1
    let ring = rasterizer.pictureSize
    let rect = strip.part(place * ScrollLayer.tileExtent..<(place + 1) * ScrollLayer.tileExtent)
    let list = DisplayList(
      size: ring, background: strip.ground, items: strip.items(from: part * ScrollLayer.tileExtent, in: rect))
    rasterizer.paint(
      list, [rasterizer.rotation.turn(rect, in: ring)],
      to: unsafe FrameBytes(bytes: memory.bytes, stride: stride), with: materials)
  }

  /// Copies columns or rows of the ring to the window, starting at `place` within the window.
  private func copy(_ range: Range<Int>, to place: Int, on picture: Size, _ frame: FrameBytes) {
    guard !range.isEmpty, let base = unsafe memory.bytes.baseAddress else { return }
    let (rotation, bytesPerPixel) = (rasterizer.rotation, rasterizer.format.bytesPerPixel)
    let window = strip.window
    let from = rotation.turn(strip.part(range), in: rasterizer.pictureSize)
    var seen = strip.part(place..<place + range.count)
    (seen.x, seen.y) = (seen.x + window.x, seen.y + window.y)
    let to = rotation.turn(seen, in: picture)
    unsafe frame.write(
      to, from: base + from.y * stride + from.x * bytesPerPixel, stride: stride, bytesPerPixel: bytesPerPixel,
      isStreamed: window.size.area * bytesPerPixel >= Painter.streamedBytes)
  }
}

extension ScrollLayer {
  /// Returns the rectangle of these columns over the window's height, or of these rows over its width.
  fileprivate func part(_ range: Range<Int>) -> Rect {
    direction == .up
      ? Rect(x: 0, y: range.lowerBound, width: window.width, height: range.count)
      : Rect(x: range.lowerBound, y: 0, width: range.count, height: window.height)
  }
}

extension Int {
  /// The tile that contains a column or row, and the offset within the tile.
  fileprivate var parted: (part: Int, rest: Int) {
    (floorDivide(self, ScrollLayer.tileExtent), floorModulo(self, ScrollLayer.tileExtent))
  }
}
