public import Geometry
public import Layout
import CPixels

/// The pixels of a strip, as frames hold them: each part is painted once, when it is first seen, and copied from then on.
///
/// Parts of `Strip.grain` columns, or rows, lie in a ring, turned as frames are, so that what is seen is at most two
/// rectangles of it. A strip that is too long for the ring has its parts painted anew as they come. One thread uses it.
public final class StripPicture {
  /// What it is the picture of.
  public let strip: Strip
  private let rasterizer: Rasterizer
  private let memory: FrameMemory
  private let stride: Int
  /// Which part of the strip lies in each place of the ring; -1 for none yet.
  private var parts: [Int]
  /// How many parts were painted so far.
  public private(set) var paintedParts = 0

  /// Memory that a ring takes where less than that is seen at a time: most messages fit as a whole.
  private static let keptBytes = 8 << 20
  /// Letters that were drawn are of use for the next part, not for long.
  private static let glyphBytes = 2 << 20

  /// A picture without any part yet, for frames of this format that show pictures turned.
  public init(_ strip: Strip, format: PixelFormat, rotation: Rotation) {
    self.strip = strip
    let partBytes = max(1, strip.part(0..<Strip.grain).size.area * format.bytesPerPixel)
    let seen = strip.seen / Strip.grain + 2
    let count = min(strip.length / Strip.grain, max(seen, StripPicture.keptBytes / partBytes))
    parts = [Int](repeating: -1, count: count)
    rasterizer = Rasterizer(
      size: rotation.turn(strip.part(0..<count * Strip.grain).size), format: format, rotation: rotation,
      cacheBytes: StripPicture.glyphBytes)
    stride = (rasterizer.size.width * format.bytesPerPixel + 63) & ~63
    memory = FrameMemory(byteCount: stride * rasterizer.size.height)
  }

  /// Bytes that the ring takes.
  public var byteCount: Int { stride * rasterizer.size.height }

  /// Copies what is seen after so many pixels into a frame that shows pictures of this size; nothing else of the frame is
  /// written. The materials are those that the strip was laid out with.
  public func draw(after distance: Int, on picture: Size, to frame: FrameBytes, with materials: Materials) {
    guard !strip.window.isEmpty else { return }
    let begin = strip.start(after: distance)
    let (first, last) = (begin.parted, (begin + strip.seen - 1).parted)
    for number in first.part...last.part { hold(number, with: materials) }
    let start = first.part.modulo(parts.count) * Strip.grain + first.rest
    let whole = min(strip.seen, parts.count * Strip.grain - start)
    copy(start..<start + whole, to: 0, on: picture, frame)
    copy(0..<strip.seen - whole, to: whole, on: picture, frame)
    placard_stream_end()
  }

  /// Paints a part into its place, unless it is there.
  private func hold(_ number: Int, with materials: Materials) {
    let place = number.modulo(parts.count)
    let part = number.modulo(strip.length / Strip.grain)
    guard parts[place] != part else { return }
    parts[place] = part
    paintedParts += 1
    let ring = rasterizer.pictureSize
    let rect = strip.part(place * Strip.grain..<(place + 1) * Strip.grain)
    let list = DisplayList(
      size: ring, background: strip.ground, items: strip.items(from: part * Strip.grain, in: rect))
    rasterizer.paint(
      list, [rasterizer.rotation.turn(rect, in: ring)],
      to: unsafe FrameBytes(bytes: memory.bytes, stride: stride), with: materials)
  }

  /// Copies columns or rows of the ring to the window's from `place` on.
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

extension Strip {
  /// So many columns of it, as high as the window, or rows, as wide.
  fileprivate func part(_ range: Range<Int>) -> Rect {
    way == .up
      ? Rect(x: 0, y: range.lowerBound, width: window.width, height: range.count)
      : Rect(x: range.lowerBound, y: 0, width: range.count, height: window.height)
  }
}

extension Int {
  /// Which part of a strip a column or row is in, and which one of that it is.
  fileprivate var parted: (part: Int, rest: Int) {
    let rest = modulo(Strip.grain)
    return ((self - rest) / Strip.grain, rest)
  }

  /// The rest of a division towards minus infinity.
  fileprivate func modulo(_ divisor: Int) -> Int {
    let rest = self % divisor
    return rest < 0 ? rest + divisor : rest
  }
}
