import Typesetting

/// Glyphs as spans by font, size and quarter of a pixel, bounded in bytes: what was used longest ago goes first.
struct GlyphCache {
  private struct Key: Hashable {
    var font: FontID
    var glyph: UInt32
    var size: Int32
    var shift: UInt8
  }

  private struct Entry {
    var spans: GlyphSpans
    var used: UInt64
  }

  private var entries: [Key: Entry] = [:]
  private var clock: UInt64 = 0
  private(set) var byteCount = 0
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// The glyph, drawn if it was not there.
  mutating func spans(of placed: PlacedGlyph, in run: GlyphRun, with typesetter: Typesetter) -> GlyphSpans {
    let key = Key(font: run.font, glyph: placed.glyph, size: run.size, shift: UInt8(placed.x & 48))
    if let index = entries.index(forKey: key) {
      entries.values[index].used = clock
      return entries.values[index].spans
    }
    let spans = typesetter.spans(of: placed.glyph, font: run.font, size: run.size, shift: Int(key.shift))
    entries[key] = Entry(spans: spans, used: clock)
    byteCount += spans.byteCount
    return spans
  }

  /// Between two drawings: forgets the oldest glyphs until three quarters of the limit are left.
  mutating func trim() {
    clock += 1
    guard byteCount > limit else { return }
    for (key, entry) in entries.sorted(by: { $0.value.used < $1.value.used }) {
      guard byteCount > limit / 4 * 3 else { break }
      entries[key] = nil
      byteCount -= entry.spans.byteCount
    }
  }
}
