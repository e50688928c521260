public import Geometry
public import Layout
public import Typesetting

/// Makes pixels of display lists, straight in the memory of a frame. Keeps drawn glyphs. One thread uses it.
public final class Rasterizer {
  /// Pixels in each direction.
  public let size: Size
  /// How a pixel is stored.
  public let format: PixelFormat

  private var cache: GlyphCache

  /// A rasterizer for frames of one size. Drawn glyphs are kept up to `cacheBytes`: as spans, so that a letter of 600
  /// pixels takes 15 KB, a 4K banner half a megabyte, and the service stays small whatever it has shown.
  public init(size: Size, format: PixelFormat, cacheBytes: Int = 4 << 20) {
    self.size = Size(max(0, size.width), max(0, size.height))
    self.format = format
    cache = GlyphCache(limit: cacheBytes)
  }

  /// Where a frame that shows `old` differs from one that shows `new`: rectangles that do not overlap. Everywhere, where
  /// `old` is nil. The typesetter is the one that laid out the lists.
  public func difference(from old: DisplayList?, to new: DisplayList, with typesetter: Typesetter) -> [Rect] {
    guard let old, old.background == new.background else { return size.area == 0 ? [] : [Rect(size)] }
    var damage = Damage(within: Rect(size))
    for index in 0..<max(old.items.count, new.items.count) {
      let before = index < old.items.count ? old.items[index] : nil
      let after = index < new.items.count ? new.items[index] : nil
      if before != after { add(before, after, to: &damage, typesetter) }
    }
    return damage.rects
  }

  /// Paints parts of a list into a frame, and whole 64-byte lines: the frame must show the same list beside the parts.
  public func paint(_ list: DisplayList, _ parts: [Rect], to frame: FrameBytes, with typesetter: Typesetter) {
    Painter.withScratch(width: size.width, format: format) { painter in
      for part in parts.map(wholeLines) where !part.isEmpty {
        painter.paint(part, ground: list.background, layers: layers(list, part, typesetter), to: frame)
      }
    }
    cache.trim()
  }

  /// Whether a frame still shows a list, by every so manieth row. Reads the frame's memory, which may be slow.
  public func matches(
    _ list: DisplayList, _ frame: FrameBytes, everyRow step: Int, with typesetter: Typesetter
  ) -> Bool {
    var isEqual = true
    Painter.withScratch(width: size.width, format: format) { painter in
      isEqual = stride(from: 0, to: size.height, by: max(1, step)).allSatisfy { y in
        let row = Rect(x: 0, y: y, width: size.width, height: 1)
        return painter.matches(row, ground: list.background, layers: layers(list, row, typesetter), frame)
      }
    }
    return isEqual
  }

  /// Bytes that drawn glyphs take.
  public var cachedBytes: Int { cache.byteCount }

  /// The rectangle within the frame, out to the lines of 64 bytes that it touches: write-combined memory goes out in
  /// bursts of those. What lies beside the rectangle comes out as it was.
  private func wholeLines(_ rect: Rect) -> Rect {
    let part = rect.intersection(Rect(size))
    let line = 64 / format.bytesPerPixel
    let (left, right) = (part.x & ~(line - 1), min((part.right + line - 1) & ~(line - 1), size.width))
    return part.isEmpty ? .empty : Rect(x: left, y: part.y, width: right - left, height: part.height)
  }

  private func layers(_ list: DisplayList, _ part: Rect, _ typesetter: Typesetter) -> [Layer] {
    list.items.filter { !$0.ink.intersection(part).isEmpty }.map { item in
      Layer(color: item.color, clip: item.ink, placements: placements(item.run, meeting: part, typesetter))
    }
  }

  private func placements(_ run: GlyphRun, meeting rect: Rect, _ typesetter: Typesetter) -> [Placement] {
    run.glyphs.compactMap { glyph in
      let placement = placement(glyph, run, typesetter)
      return placement.bounds.intersection(rect).isEmpty ? nil : placement
    }
  }

  private func placement(_ glyph: PlacedGlyph, _ run: GlyphRun, _ typesetter: Typesetter) -> Placement {
    Placement(spans: cache.spans(of: glyph, in: run, with: typesetter), x: Int(glyph.x >> 6), y: Int(glyph.y >> 6))
  }

  private func add(_ before: TextItem?, _ after: TextItem?, to damage: inout Damage, _ typesetter: Typesetter) {
    guard let before, let after, before.color == after.color, before.run.looksLike(after.run) else {
      for item in [before, after] { damage.add(item?.ink ?? .empty) }
      return
    }
    let changed = after.run.differing(from: before.run)
    damage.add(ink(before.run.differing(from: after.run), of: before.run, typesetter))
    damage.add(ink(changed, of: after.run, typesetter))
    guard before.ink != after.ink else { return }
    // A font whose tables lie about its ink: what the bounds cut off a glyph that stayed may have changed.
    let both = before.ink.intersection(after.ink)
    for index in after.run.glyphs.indices where !changed.contains(index) {
      let bounds = placement(after.run.glyphs[index], after.run, typesetter).bounds
      if !both.contains(bounds) { damage.add(bounds) }
    }
  }

  private func ink(_ range: Range<Int>, of run: GlyphRun, _ typesetter: Typesetter) -> Rect {
    if range.count == run.glyphs.count { return run.ink }
    let ink = run.glyphs[range].reduce(Rect.empty) { ink, glyph in
      ink.union(placement(glyph, run, typesetter).bounds)
    }
    return ink.intersection(run.ink)
  }
}
