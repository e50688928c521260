public import Geometry

/// Some pixels of one row of a glyph that are covered alike.
public struct GlyphSpan: Sendable {
  /// The first column, from the glyph's origin.
  public var x: Int16
  /// How many pixels.
  public var length: UInt16
  /// 1...255, where 255 is wholly covered.
  public var coverage: UInt8
}

/// A glyph drawn at a size, as spans row by row: inner pixels take no memory and no time, only edges do.
public struct GlyphSpans: Sendable {
  /// Where it has ink, in pixels from the origin on the baseline, y downwards.
  public let bounds: Rect
  /// For each row of the bounds the first of its spans, and at the end the number of all.
  public let rowStarts: [Int32]
  /// All spans, row by row from the top, from left to right.
  public let spans: [GlyphSpan]

  /// A glyph without ink.
  public static let empty = GlyphSpans(bounds: .empty, rowStarts: [0], spans: [])

  /// Bytes that this glyph takes in memory, about.
  public var byteCount: Int { spans.count * MemoryLayout<GlyphSpan>.stride + rowStarts.count * 4 + 96 }
}

/// What FreeType's rasteriser reports, in its order: by bands, and within a band by parts from left to right.
struct SpanCollector {
  private struct Entry {
    var y: Int32
    var span: GlyphSpan
  }

  private var entries: [Entry] = []
  private var left = Int.max
  private var right = Int.min
  private var lowest = Int32.max
  private var highest = Int32.min

  mutating func add(y: Int32, x: Int16, length: UInt16, coverage: UInt8) {
    guard coverage > 0, length > 0 else { return }
    entries.append(Entry(y: y, span: GlyphSpan(x: x, length: length, coverage: coverage)))
    left = min(left, Int(x))
    right = max(right, Int(x) &+ Int(length))
    lowest = min(lowest, y)
    highest = max(highest, y)
  }

  /// The spans in reading order. A row's parts come from left to right already, so that a stable count by row will do.
  func finish() -> GlyphSpans {
    guard !entries.isEmpty else { return .empty }
    let height = Int(highest - lowest) + 1
    var starts = [Int32](repeating: 0, count: height + 1)
    for entry in entries { starts[Int(highest - entry.y) + 1] += 1 }
    for row in 0..<height { starts[row + 1] += starts[row] }
    var next = starts
    var spans = [GlyphSpan](repeating: GlyphSpan(x: 0, length: 0, coverage: 0), count: entries.count)
    for entry in entries {
      let row = Int(highest - entry.y)
      spans[Int(next[row])] = entry.span
      next[row] += 1
    }
    let bounds = Rect(x: left, y: -Int(highest), width: right - left, height: height)
    return GlyphSpans(bounds: bounds, rowStarts: starts, spans: spans)
  }
}
