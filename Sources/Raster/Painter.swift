import Geometry
import Layout
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
  let base: UnsafeMutableRawPointer
  let stride: Int
  let format: PixelFormat

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
    for top in Swift.stride(from: area.y, to: area.bottom, by: rows) {
      let band = Rect(x: area.x, y: top, width: area.width, height: min(rows, area.bottom - top))
      fill(band, Pixel(ground))
      for (layer, table) in zip(layers, tables.tables) { draw(layer, in: band, table) }
    }
  }

  /// Fits into the second-level cache beside what else is there.
  private static let bandBytes = 1 << 17

  private func row<Pixel>(_ y: Int, _: Pixel.Type) -> UnsafeMutablePointer<Pixel> {
    unsafe (base + y &* stride).assumingMemoryBound(to: Pixel.self)
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
    let top = placement.y &+ placement.spans.bounds.y
    unsafe table.pixels.withUnsafeBufferPointer { mixtures in
      unsafe placement.spans.spans.withUnsafeBufferPointer { spans in
        for y in part.y..<part.bottom {
          let first = Int(placement.spans.rowStarts[y &- top])
          let end = Int(placement.spans.rowStarts[y &- top &+ 1])
          unsafe drawRow(
            row(y, Pixel.self), UnsafeBufferPointer(rebasing: spans[first..<end]), placement.x, part, mixtures, table)
        }
      }
    }
  }

  @inline(__always)
  private func drawRow<Pixel>(
    _ row: UnsafeMutablePointer<Pixel>, _ spans: UnsafeBufferPointer<GlyphSpan>, _ origin: Int, _ part: Rect,
    _ mixtures: UnsafeBufferPointer<Pixel>, _ table: BlendTable<Pixel>
  ) {
    let (left, right) = (part.x, part.right)
    let ground = unsafe mixtures[0]
    for index in 0..<spans.count {
      let span = unsafe spans[index]
      var x = max(left, origin &+ Int(span.x))
      let end = min(right, origin &+ Int(span.x) &+ Int(span.length))
      let pixel = unsafe mixtures[Int(span.coverage)]
      if span.coverage == 255 {
        while x < end {
          unsafe row[x] = pixel
          x &+= 1
        }
      } else {
        while x < end {
          // Letters that touch: the ground there is no longer plain.
          unsafe row[x] = row[x] == ground ? pixel : blend(row[x], span.coverage, table)
          x &+= 1
        }
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
