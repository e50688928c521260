import CPixels
import Geometry
import Layout
import Pictures
import Typesetting

/// A painter that renders bands of rows in scratch memory and copies each completed band to the frame.
///
/// Frame memory can be slow to read, so it is only written: almost every byte once, in whole 64-byte lines in ascending
/// order. A rotated layout is painted in blocks, each of which is rotated while it is copied.
///
/// The generic loops are in the same file as the entry points that fix the pixel type. Debug builds optimize one file
/// at a time, so the compiler can specialize the loops only here.
@safe
struct Painter {
  /// The memory of one band, whose first pixel is the layout's pixel at `left`, `top`.
  let scratch: UnsafeMutableRawPointer
  let byteCount: Int
  let format: PixelFormat
  let turning: RotationContext?
  var stride = 0
  var left = 0
  var top = 0

  /// The rotation of a layout of `size` to its frame, and memory for rotated rows.
  @safe
  struct RotationContext {
    var rotation: Rotation
    var size: Size
    var rows: UnsafeMutableRawPointer
  }

  /// Calls a closure with a painter for frames of this size.
  ///
  /// - Parameters:
  ///   - size: The size of the frame, in pixels.
  ///   - format: The pixel format.
  ///   - rotation: The rotation from layout to frame coordinates.
  ///   - body: The closure. The painter is valid only during the call.
  static func withScratch(
    size: Size, format: PixelFormat, rotation: Rotation = .none, _ body: (inout Painter) -> Void
  ) {
    let line = (size.width * format.bytesPerPixel + 63) & ~63
    let byteCount = max(bandBytes, line)
    // An extra line per row keeps the rows in different sets of the L1 cache.
    let turnedBytes = rotation == .none ? 0 : turnedRows * (max(line, blockBytes) + 64)
    let scratch = UnsafeMutableRawPointer.allocate(byteCount: byteCount + turnedBytes, alignment: 64)
    defer { unsafe scratch.deallocate() }
    let turning = unsafe RotationContext(
      rotation: rotation, size: rotation.inverse.turn(size), rows: scratch + byteCount)
    var painter = unsafe Painter(
      scratch: scratch, byteCount: byteCount, format: format, turning: rotation == .none ? nil : turning)
    body(&painter)
  }

  /// Repaints a rectangle of the frame, which must start at a 64-byte line.
  mutating func paint(_ area: Rect, _ stack: LayerStack, to frame: FrameBytes) {
    let bytesPerPixel = format.bytesPerPixel
    let isStreamed = area.height * area.width * bytesPerPixel >= Painter.streamedBytes
    unsafe bands(of: area, stack) { band, rows, stride in
      unsafe frame.write(band, from: rows, stride: stride, bytesPerPixel: bytesPerPixel, isStreamed: isStreamed)
      return true
    }
    placard_stream_end()
  }

  /// Paints a rectangle into scratch memory and returns whether the frame has the same content.
  mutating func matches(_ area: Rect, _ stack: LayerStack, _ frame: FrameBytes) -> Bool {
    let bytesPerPixel = format.bytesPerPixel
    var isEqual = true
    unsafe bands(of: area, stack) { band, rows, stride in
      isEqual = unsafe frame.holds(band, rows: rows, stride: stride, bytesPerPixel: bytesPerPixel)
      return isEqual
    }
    return isEqual
  }

  /// A consumer of a band: its rectangle in the frame, its rows, and their stride. Returns whether to continue.
  private typealias Receiver = (Rect, UnsafeMutableRawPointer, Int) -> Bool

  private mutating func bands(of area: Rect, _ stack: LayerStack, _ receive: Receiver) {
    let part = turning.map { $0.rotation.inverse.turn(area, in: $0.rotation.turn($0.size)) } ?? area
    switch (format, turning) {
    case (.xrgb8888, nil): unsafe straight(area, Brushes<UInt32>(stack, in: part), receive)
    case (.rgb565, nil): unsafe straight(area, Brushes<UInt16>(stack, in: part), receive)
    case (.xrgb8888, let turning?): unsafe turned(area, turning, Brushes<UInt32>(stack, in: part), receive)
    case (.rgb565, let turning?): unsafe turned(area, turning, Brushes<UInt16>(stack, in: part), receive)
    }
  }

  @inline(__always)
  private mutating func straight<Pixel>(
    _ area: Rect, _ brushes: Brushes<Pixel>, _ receive: Receiver
  ) {
    let rows = max(1, byteCount / max(1, lineBytes(area.width)))
    for top in Swift.stride(from: area.y, to: area.bottom, by: rows) {
      let band = Rect(x: area.x, y: top, width: area.width, height: min(rows, area.bottom - top))
      paint(band, brushes)
      guard unsafe receive(band, scratch, stride) else { return }
    }
  }

  /// Paints an area block by block: each block is painted upright, then rotated a few rows at a time.
  @inline(__always)
  private mutating func turned<Pixel>(
    _ area: Rect, _ turning: RotationContext, _ brushes: Brushes<Pixel>, _ receive: Receiver
  ) {
    let blocks = blockSize(area.width, turning.rotation)
    let targetStride = lineBytes(blocks.width) + 64
    for y in Swift.stride(from: area.y, to: area.bottom, by: blocks.height) {
      for x in Swift.stride(from: area.x, to: area.right, by: blocks.width) {
        let block = Rect(
          x: x, y: y, width: min(blocks.width, area.right - x), height: min(blocks.height, area.bottom - y))
        let part = turning.rotation.inverse.turn(block, in: turning.rotation.turn(turning.size))
        paint(part, brushes)
        let turn = unsafe BlockRotation(
          source: scratch, sourceStride: stride, size: part.size, target: turning.rows, targetStride: targetStride)
        for first in Swift.stride(from: 0, to: block.height, by: Painter.turnedRows) {
          let count = min(Painter.turnedRows, block.height - first)
          turn.write(first..<first + count, turning.rotation, format)
          let band = Rect(x: block.x, y: block.y + first, width: block.width, height: count)
          guard unsafe receive(band, turning.rows, targetStride) else { return }
        }
      }
    }
  }

  /// Returns the size of the frame blocks that fit into the scratch memory before rotation.
  private func blockSize(_ width: Int, _ rotation: Rotation) -> Size {
    let bytesPerPixel = format.bytesPerPixel
    if rotation == .half { return Size(max(1, width), max(1, byteCount / max(1, lineBytes(width)))) }
    let columns = max(1, min(width, Painter.blockBytes / bytesPerPixel))
    return Size(columns, max(1, (byteCount / columns & ~63) / bytesPerPixel))
  }

  private func lineBytes(_ width: Int) -> Int { (width * format.bytesPerPixel + 63) & ~63 }

  /// Paints a band of the layout at the start of the scratch memory.
  @inline(__always)
  private mutating func paint<Pixel>(_ band: Rect, _ brushes: Brushes<Pixel>) {
    (left, top, stride) = (band.x, band.y, lineBytes(band.width))
    fill(band, brushes.ground)
    for (clip, brush) in brushes.layers {
      let part = clip.intersection(band)
      if part.isEmpty { continue }
      switch brush {
      case .spans(let placements, let table): draw(placements, within: part, table)
      case .pictures(let pictures): draw(pictures, within: part, Pixel.self)
      case .fill(let pixel): fill(part, pixel)
      case .gradient(let table): draw(table, part)
      }
    }
  }

  /// The size of a band, chosen to fit into the L2 cache with room for other data.
  private static let bandBytes = 1 << 16

  /// The width of a rotated block, in bytes.
  ///
  /// It spans several 64-byte lines of the frame but not much more than the block's height, so that blocks cut glyphs
  /// into few pieces.
  private static let blockBytes = 1 << 10

  /// The number of rows rotated at a time: one line of the block becomes one pixel of each row.
  private static let turnedRows = 16

  /// The frame size, in bytes, from which writes bypass the caches: a core's typical share of the last-level cache.
  static let streamedBytes = 1 << 18

  private func row<Pixel>(_ y: Int, _: Pixel.Type) -> UnsafeMutablePointer<Pixel> {
    unsafe (scratch + (y &- top) &* stride).assumingMemoryBound(to: Pixel.self)
  }

  private func fill<Pixel: PixelStorage>(_ part: Rect, _ pixel: Pixel) {
    for y in part.y..<part.bottom {
      let start = unsafe row(y, Pixel.self) + (part.x &- left)
      unsafe start.update(repeating: pixel, count: part.width)
    }
  }

  private func draw<Pixel>(_ gradient: GradientTable<Pixel>, _ part: Rect) {
    let lines = gradient.lines
    for y in part.y..<part.bottom {
      let out = unsafe row(y, Pixel.self) + (part.x &- left)
      switch gradient.axis {
      case .horizontal:
        let line = lines[y % lines.count]
        let from = part.x &- gradient.start
        for x in 0..<part.width { unsafe out[x] = line[from &+ x] }
      case .vertical where lines.count == 1:
        unsafe out.update(repeating: lines[0][y &- gradient.start], count: part.width)
      case .vertical:
        let pixels = lines.map { $0[y &- gradient.start] }
        for x in 0..<part.width { unsafe out[x] = pixels[(part.x &+ x) % pixels.count] }
      }
    }
  }

  private func draw<Pixel>(_ placements: [Placement], within clip: Rect, _ table: BlendTable<Pixel>) {
    for placement in placements {
      let part = placement.bounds.intersection(clip)
      if !part.isEmpty { draw(placement, part, table) }
    }
  }

  private func draw<Pixel: PixelStorage>(_ pictures: [PicturePlacement], within clip: Rect, _: Pixel.Type) {
    for picture in pictures {
      let part = picture.bounds.intersection(clip)
      if !part.isEmpty { draw(picture, part, Pixel.self) }
    }
  }

  private func draw<Pixel: PixelStorage>(_ picture: PicturePlacement, _ part: Rect, _: Pixel.Type) {
    let bounds = picture.bounds
    let isOpaque = picture.bitmap.isOpaque
    unsafe picture.bitmap.pixels.withUnsafeBufferPointer { pixels in
      for y in part.y..<part.bottom {
        let out = unsafe row(y, Pixel.self) + (part.x &- left)
        let from = (y &- bounds.y) &* bounds.width &+ part.x &- bounds.x
        if isOpaque {
          for x in 0..<part.width { unsafe out[x] = Pixel(opaque: pixels[from &+ x]) }
          continue
        }
        for x in 0..<part.width {
          let pixel = unsafe pixels[from &+ x]
          switch pixel &>> 24 {
          case 0: break
          case 255: unsafe out[x] = Pixel(opaque: pixel)
          default: unsafe out[x] = Pixel(mix(pixel, on: out[x].color))
          }
        }
      }
    }
  }

  private func draw<Pixel>(_ placement: Placement, _ part: Rect, _ table: BlendTable<Pixel>) {
    let spans = placement.spans
    let first = part.y &- placement.y &- spans.bounds.y
    let origin = placement.x &- left
    let clip = part.width == spans.bounds.width ? nil : part.x &- left..<part.right &- left
    let isOpaque = table.ink.opacity == 255
    unsafe table.pixels.withUnsafeBufferPointer { mixtures in
      unsafe spans.rows.withUnsafeBufferPointer { rows in
        for index in 0..<part.height {
          let pixels = unsafe row(part.y &+ index, Pixel.self)
          let (start, end) = unsafe (rows[first &+ index], rows[first &+ index &+ 1])
          if isOpaque {
            unsafe draw(spans.solids, start.solid, end.solid, to: pixels, origin, clip, mixtures[255])
          } else {
            unsafe shade(spans.solids, start.solid, end.solid, to: pixels, origin, clip, mixtures, table)
          }
          unsafe draw(spans.edges, start.edge, end.edge, to: pixels, origin, clip, mixtures, table)
        }
      }
    }
  }

  @inline(__always)
  private func draw<Pixel>(
    _ solids: [SolidRun], _ start: Int32, _ end: Int32, to row: UnsafeMutablePointer<Pixel>, _ origin: Int,
    _ clip: Range<Int>?, _ pixel: Pixel
  ) {
    unsafe solids.withUnsafeBufferPointer { solids in
      for index in Int(start)..<Int(end) {
        let solid = unsafe solids[index]
        var x = origin &+ Int(solid.x)
        var end = x &+ Int(solid.length)
        if let clip {
          x = max(x, clip.lowerBound)
          end = min(end, clip.upperBound)
        }
        while x < end {
          unsafe row[x] = pixel
          x &+= 1
        }
      }
    }
  }

  @inline(__always)
  private func draw<Pixel>(
    _ edges: [EdgePixel], _ start: Int32, _ end: Int32, to row: UnsafeMutablePointer<Pixel>, _ origin: Int,
    _ clip: Range<Int>?, _ mixtures: UnsafeBufferPointer<Pixel>, _ table: BlendTable<Pixel>
  ) {
    let ground = unsafe mixtures[0]
    unsafe edges.withUnsafeBufferPointer { edges in
      for index in Int(start)..<Int(end) {
        let edge = unsafe edges[index]
        let x = origin &+ Int(edge.x)
        if let clip, !clip.contains(x) { continue }
        let before = unsafe row[x]
        // Where letters touch, the background is no longer plain.
        unsafe row[x] = before == ground ? mixtures[Int(edge.coverage)] : blend(before, edge.coverage, table)
      }
    }
  }

  /// Draws solid runs of a translucent ink.
  @inline(never)
  private func shade<Pixel>(
    _ solids: [SolidRun], _ start: Int32, _ end: Int32, to row: UnsafeMutablePointer<Pixel>, _ origin: Int,
    _ clip: Range<Int>?, _ mixtures: UnsafeBufferPointer<Pixel>, _ table: BlendTable<Pixel>
  ) {
    let ground = unsafe mixtures[0]
    for solid in solids[Int(start)..<Int(end)] {
      let run = origin &+ Int(solid.x)..<origin &+ Int(solid.x) &+ Int(solid.length)
      for x in clip.map(run.clamped) ?? run {
        let before = unsafe row[x]
        unsafe row[x] = before == ground ? mixtures[255] : blend(before, 255, table)
      }
    }
  }

  @inline(never)
  private func blend<Pixel>(_ pixel: Pixel, _ coverage: UInt8, _ table: BlendTable<Pixel>) -> Pixel {
    table.mixed(coverage, on: pixel.color)
  }
}
