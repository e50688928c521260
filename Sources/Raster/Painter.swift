import CPixels
import Geometry
import Typesetting

/// A glyph to draw and the pixel of its origin.
struct Placement {
  var spans: GlyphSpans
  var x: Int
  var y: Int

  var bounds: Rect {
    Rect(
      x: x &+ spans.bounds.x, y: y &+ spans.bounds.y, width: spans.bounds.width, height: spans.bounds.height)
  }
}

/// Glyphs of one item and colour.
struct Layer {
  var color: Color
  var clip: Rect
  var placements: [Placement]
}

/// Paints bands of rows in scratch memory and sends each to the frame as soon as it is whole: the frame's own memory may
/// be slow to read, and is only written, every byte about once, whole 64-byte lines in rising order.
///
/// The loops are here, beside the entry that fixes the kind of pixel, so that the optimiser makes plain code of them in
/// debug builds too, where it sees one file at a time.
@safe
struct Painter {
  /// One band: its first pixel is the one at `left` and `top` of the frame.
  let scratch: UnsafeMutableRawPointer
  let byteCount: Int
  let format: PixelFormat
  var stride = 0
  var left = 0
  var top = 0

  /// Lends a painter for frames of this width.
  static func withScratch(width: Int, format: PixelFormat, _ body: (inout Painter) -> Void) {
    let byteCount = max(bandBytes, (width * format.bytesPerPixel + 63) & ~63)
    let scratch = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
    defer { unsafe scratch.deallocate() }
    var painter = unsafe Painter(scratch: scratch, byteCount: byteCount, format: format)
    body(&painter)
  }

  /// Paints a rectangle of the frame anew, ground and glyphs; it begins at the start of a line.
  mutating func paint(_ area: Rect, ground: Color, layers: [Layer], to frame: FrameBytes) {
    switch format {
    case .xrgb8888: paint(area, BlendTables<UInt32>(layers, on: ground), ground, layers, frame)
    case .rgb565: paint(area, BlendTables<UInt16>(layers, on: ground), ground, layers, frame)
    }
    placard_stream_end()
  }

  /// Paints one row of the frame into the scratch memory and compares it with what the frame holds.
  mutating func matches(_ row: Rect, ground: Color, layers: [Layer], _ frame: FrameBytes) -> Bool {
    (left, top, stride) = (row.x, row.y, byteCount)
    switch format {
    case .xrgb8888: paint(band: row, BlendTables<UInt32>(layers, on: ground), ground, layers)
    case .rgb565: paint(band: row, BlendTables<UInt16>(layers, on: ground), ground, layers)
    }
    return unsafe frame.holds(scratch, row: row.y, byteCount: row.width * format.bytesPerPixel)
  }

  private mutating func paint<Pixel>(
    _ area: Rect, _ tables: BlendTables<Pixel>, _ ground: Color, _ layers: [Layer], _ frame: FrameBytes
  ) {
    left = area.x
    stride = (area.width * MemoryLayout<Pixel>.stride + 63) & ~63
    let rows = max(1, byteCount / max(1, stride))
    let isStreamed = area.height * stride >= Painter.streamedBytes
    for top in Swift.stride(from: area.y, to: area.bottom, by: rows) {
      let band = Rect(x: area.x, y: top, width: area.width, height: min(rows, area.bottom - top))
      self.top = top
      paint(band: band, tables, ground, layers)
      unsafe frame.write(
        band, from: scratch, stride: stride, bytesPerPixel: MemoryLayout<Pixel>.stride, isStreamed: isStreamed)
    }
  }

  @inline(__always)
  private func paint<Pixel>(
    band: Rect, _ tables: BlendTables<Pixel>, _ ground: Color, _ layers: [Layer]
  ) {
    fill(band, Pixel(ground))
    for (layer, table) in zip(layers, tables.tables) { draw(layer, in: band, table) }
  }

  /// Fits into the second-level cache beside what else is there.
  private static let bandBytes = 1 << 17

  /// From here on a frame is larger than a core's part of the last-level cache on common machines, and goes around it.
  private static let streamedBytes = 16 << 20

  private func row<Pixel>(_ y: Int, _: Pixel.Type) -> UnsafeMutablePointer<Pixel> {
    unsafe (scratch + (y &- top) &* stride).assumingMemoryBound(to: Pixel.self)
  }

  private func fill<Pixel: PixelKind>(_ band: Rect, _ pixel: Pixel) {
    for y in band.y..<band.bottom {
      let start = unsafe row(y, Pixel.self) + (band.x &- left)
      unsafe start.update(repeating: pixel, count: band.width)
    }
  }

  private func draw<Pixel>(_ layer: Layer, in band: Rect, _ table: BlendTable<Pixel>) {
    let clip = layer.clip.intersection(band)
    guard !clip.isEmpty else { return }
    for placement in layer.placements {
      let part = placement.bounds.intersection(clip)
      if !part.isEmpty { draw(placement, part, table) }
    }
  }

  private func draw<Pixel>(_ placement: Placement, _ part: Rect, _ table: BlendTable<Pixel>) {
    let spans = placement.spans
    let first = part.y &- placement.y &- spans.bounds.y
    let origin = placement.x &- left
    let clip = part.width == spans.bounds.width ? nil : part.x &- left..<part.right &- left
    unsafe table.pixels.withUnsafeBufferPointer { mixtures in
      unsafe spans.rows.withUnsafeBufferPointer { rows in
        for index in 0..<part.height {
          let pixels = unsafe row(part.y &+ index, Pixel.self)
          let (start, end) = unsafe (rows[first &+ index], rows[first &+ index &+ 1])
          unsafe draw(spans.solids, start.solid, end.solid, to: pixels, origin, clip, mixtures[255])
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
        // Letters that touch: the ground there is no longer plain.
        unsafe row[x] = before == ground ? mixtures[Int(edge.coverage)] : blend(before, edge.coverage, table)
      }
    }
  }

  @inline(never)
  private func blend<Pixel>(_ pixel: Pixel, _ coverage: UInt8, _ table: BlendTable<Pixel>) -> Pixel {
    Pixel(mix(table.over, on: pixel.color, coverage: coverage))
  }
}

/// A table for each layer.
private struct BlendTables<Pixel: PixelKind> {
  let tables: [BlendTable<Pixel>]

  init(_ layers: [Layer], on ground: Color) {
    var known: [Color: BlendTable<Pixel>] = [:]
    tables = layers.map { layer in
      let table = known[layer.color] ?? BlendTable(layer.color, on: ground)
      known[layer.color] = table
      return table
    }
  }
}
