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

/// Writes pixels of one kind into one memory. The loops are here, beside the entry that fixes the kind, so that the
/// optimiser makes plain code of them in debug builds too, where it sees one file at a time.
@safe
struct Painter {
  /// Where the row `top` begins.
  let base: UnsafeMutableRawPointer
  let stride: Int
  let format: PixelFormat
  var top = 0

  /// Paints a rectangle anew: ground and glyphs, a band of rows at a time, so that glyphs meet rows that are in the
  /// cache and every pixel goes to memory about once.
  func paint(_ area: Rect, ground: Color, layers: [Layer]) {
    switch format {
    case .xrgb8888: paint(area, BlendTables<UInt32>(layers, on: ground), ground, layers)
    case .rgb565: paint(area, BlendTables<UInt16>(layers, on: ground), ground, layers)
    }
  }

  private func paint<Pixel>(_ area: Rect, _ tables: BlendTables<Pixel>, _ ground: Color, _ layers: [Layer]) {
    let rows = max(1, Painter.bandBytes / max(1, area.width * MemoryLayout<Pixel>.stride))
    let bands = Swift.stride(from: area.y, to: area.bottom, by: rows).map { top in
      Rect(x: area.x, y: top, width: area.width, height: min(rows, area.bottom - top))
    }
    if area.x == 0, area.height * stride >= Painter.streamedBytes, area.width * MemoryLayout<Pixel>.stride > stride - 64
    {
      stream(bands, tables, ground, layers)
    } else {
      for band in bands { paint(band: band, tables, ground, layers) }
    }
  }

  /// Paints bands beside the frame and sends them there around the caches, which could not hold the frame anyway.
  private func stream<Pixel>(_ bands: [Rect], _ tables: BlendTables<Pixel>, _ ground: Color, _ layers: [Layer]) {
    let rows = bands.map(\.height).max() ?? 0
    let scratch = UnsafeMutableRawPointer.allocate(byteCount: rows * stride, alignment: 64)
    defer { unsafe scratch.deallocate() }
    for band in bands {
      let painter = unsafe Painter(base: scratch, stride: stride, format: format, top: band.y)
      painter.paint(band: band, tables, ground, layers)
      unsafe placard_stream_lines(base + (band.y - top) * stride, scratch, band.height * stride / 64)
    }
    placard_stream_end()
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

  /// From here on a frame is larger than a core's part of the last-level cache on common machines.
  private static let streamedBytes = 16 << 20

  private func row<Pixel>(_ y: Int, _: Pixel.Type) -> UnsafeMutablePointer<Pixel> {
    unsafe (base + (y &- top) &* stride).assumingMemoryBound(to: Pixel.self)
  }

  private func fill<Pixel: PixelKind>(_ band: Rect, _ pixel: Pixel) {
    for y in band.y..<band.bottom {
      let start = unsafe row(y, Pixel.self) + band.x
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
    let whole = part.width == spans.bounds.width
    unsafe table.pixels.withUnsafeBufferPointer { mixtures in
      unsafe spans.rows.withUnsafeBufferPointer { rows in
        for index in 0..<part.height {
          let pixels = unsafe row(part.y &+ index, Pixel.self)
          let (start, end) = unsafe (rows[first &+ index], rows[first &+ index &+ 1])
          let clip = whole ? nil : part.x..<part.right
          unsafe draw(spans.solids, start.solid, end.solid, to: pixels, placement.x, clip, mixtures[255])
          unsafe draw(spans.edges, start.edge, end.edge, to: pixels, placement.x, clip, mixtures, table)
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
