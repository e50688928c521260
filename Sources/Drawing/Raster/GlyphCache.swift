import Geometry
import Pictures
import Typesetting

/// A glyph in the form in which it is painted.
enum DrawnGlyph {
  case spans(GlyphSpans)
  case layers([GlyphLayer])
  case bitmap(Bitmap)
  /// An image that is too large to cache in drawn form, and is drawn again for each painted part.
  case image(GlyphImage)

  var bounds: Rect {
    switch self {
    case .spans(let spans): spans.bounds
    case .layers(let layers): layers.reduce(.empty) { $0.union($1.spans.bounds) }
    case .bitmap(let bitmap): bitmap.bounds
    case .image(let image): image.bounds
    }
  }

  var byteCount: Int {
    switch self {
    case .spans(let spans): spans.byteCount
    case .layers(let layers): layers.reduce(192) { $0 + $1.spans.byteCount }
    case .bitmap(let bitmap): bitmap.byteCount
    case .image(let image): image.byteCount
    }
  }
}

/// A least-recently-used cache of drawn glyphs by font, size, and quarter-pixel shift, limited in bytes.
///
/// The entries form a linked list in an array with reused slots, so hits and evictions do not allocate memory.
struct GlyphCache {
  private struct Key: Hashable {
    var font: FontID
    var glyph: UInt32
    var size: Int32
    var shift: UInt8
  }

  private struct Entry {
    var key: Key
    var glyph: DrawnGlyph
    /// The entries used just after and just before this one; `none` at the ends.
    var newer: Int
    var older: Int
  }

  private var places: [Key: Int] = [:]
  private var entries: [Entry] = []
  private var free: [Int] = []
  private var newest = GlyphCache.none
  private var oldest = GlyphCache.none
  private(set) var byteCount = 0
  private(set) var limit: Int

  private static let none = -1
  /// The largest glyph that is cached in drawn form, in pixels, whatever the limit: twice a 4K display.
  private static let mostPixels = 1 << 24

  init(limit: Int) { self.limit = max(0, limit) }

  /// Returns a glyph, drawing it on a miss.
  ///
  /// The cache may exceed its limit until the next call of `trim()`, because glyphs being painted are in memory anyway.
  ///
  /// - Parameters:
  ///   - placed: The glyph ID and position.
  ///   - run: The run that gives the font and size.
  ///   - typesetter: The typesetter that draws the glyph.
  /// - Returns: The drawn glyph.
  mutating func glyph(of placed: PlacedGlyph, in run: GlyphRun, with typesetter: Typesetter) -> DrawnGlyph {
    let key = Key(font: run.font, glyph: placed.glyph, size: run.size, shift: UInt8(placed.x & 48))
    if let place = places[key] {
      if place != newest {
        unlink(place)
        link(place)
      }
      return entries[place].glyph
    }
    let glyph = draw(key, with: typesetter)
    add(key, glyph)
    return glyph
  }

  /// Evicts the least recently used glyphs until the limit is met; called between two paint operations.
  mutating func trim() {
    while byteCount > limit, oldest != GlyphCache.none { forgetOldest() }
  }

  /// Changes the limit and applies it immediately.
  mutating func resize(limit: Int) {
    self.limit = max(0, limit)
    trim()
  }

  private func draw(_ key: Key, with typesetter: Typesetter) -> DrawnGlyph {
    switch typesetter.drawing(of: key.glyph, font: key.font, size: key.size, shift: Int(key.shift)) {
    case .spans(let spans): return .spans(spans)
    case .layers(let layers): return .layers(layers)
    case .image(let image):
      // A glyph that takes half of the cache would evict its neighbors.
      let (area, overflow) = image.bounds.width.multipliedReportingOverflow(by: image.bounds.height)
      return overflow || area > min(limit / 8, GlyphCache.mostPixels)
        ? .image(image) : .bitmap(image.bitmap(in: image.bounds))
    }
  }

  private mutating func add(_ key: Key, _ glyph: DrawnGlyph) {
    let entry = Entry(key: key, glyph: glyph, newer: GlyphCache.none, older: GlyphCache.none)
    let place = free.popLast() ?? entries.count
    if place < entries.count { entries[place] = entry } else { entries.append(entry) }
    places[key] = place
    byteCount += glyph.byteCount
    link(place)
  }

  private mutating func forgetOldest() {
    let place = oldest
    unlink(place)
    byteCount -= entries[place].glyph.byteCount
    places[entries[place].key] = nil
    entries[place].glyph = .spans(.empty)
    free.append(place)
  }

  private mutating func link(_ place: Int) {
    entries[place].newer = GlyphCache.none
    entries[place].older = newest
    if newest != GlyphCache.none { entries[newest].newer = place }
    newest = place
    if oldest == GlyphCache.none { oldest = place }
  }

  private mutating func unlink(_ place: Int) {
    let (newer, older) = (entries[place].newer, entries[place].older)
    if newer == GlyphCache.none { newest = older } else { entries[newer].older = older }
    if older == GlyphCache.none { oldest = newer } else { entries[older].newer = newer }
  }
}
