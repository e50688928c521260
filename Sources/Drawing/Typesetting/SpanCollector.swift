import Geometry

/// The spans that FreeType's rasterizer emits: by bands, and within a band by cells from left to right.
struct SpanCollector {
  private struct Entry {
    var y: Int32
    var x: Int16
    var length: UInt16
    var coverage: UInt8
  }

  private var entries: [Entry] = []
  private var left = Int.max
  private var right = Int.min
  private var lowest = Int32.max
  private var highest = Int32.min

  init() { entries.reserveCapacity(2048) }

  mutating func add(y: Int32, x: Int16, length: UInt16, coverage: UInt8) {
    guard coverage > 0, length > 0 else { return }
    entries.append(Entry(y: y, x: x, length: length, coverage: coverage))
    left = min(left, Int(x))
    right = max(right, Int(x) &+ Int(length))
    lowest = min(lowest, y)
    highest = max(highest, y)
  }

  /// Returns the spans in row order; a counting sort by row suffices because each row is already sorted.
  func finish() -> GlyphSpans {
    guard !entries.isEmpty else { return .empty }
    let rows = rowStarts()
    var next = rows
    let end = rows[rows.count - 1]
    var edges = [EdgePixel](repeating: EdgePixel(x: 0, coverage: 0), count: Int(end.edge))
    var solids = [SolidRun](repeating: SolidRun(x: 0, length: 0), count: Int(end.solid))
    for entry in entries {
      let row = Int(highest - entry.y)
      if entry.coverage == 255 {
        solids[Int(next[row].solid)] = SolidRun(x: entry.x, length: entry.length)
        next[row].solid += 1
      } else {
        for offset in 0..<entry.length {
          edges[Int(next[row].edge)] = EdgePixel(
            x: entry.x &+ Int16(truncatingIfNeeded: offset), coverage: entry.coverage)
          next[row].edge += 1
        }
      }
    }
    // FreeType counts rows upward from row 0, which lies directly above the baseline.
    let bounds = Rect(x: left, y: -Int(highest) - 1, width: right - left, height: rows.count - 1)
    return GlyphSpans(bounds: bounds, rows: rows, edges: edges, solids: solids)
  }

  private func rowStarts() -> [GlyphSpans.RowStart] {
    let height = Int(highest - lowest) + 1
    var rows = [GlyphSpans.RowStart](repeating: GlyphSpans.RowStart(edge: 0, solid: 0), count: height + 1)
    for entry in entries {
      let after = Int(highest - entry.y) + 1
      if entry.coverage == 255 { rows[after].solid += 1 } else { rows[after].edge += Int32(entry.length) }
    }
    for row in 0..<height {
      rows[row + 1].edge += rows[row].edge
      rows[row + 1].solid += rows[row].solid
    }
    return rows
  }
}
