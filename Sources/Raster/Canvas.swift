public import Geometry
public import Layout
public import Typesetting

/// Pixels in cached memory, painted from display lists and copied from there to what a card scans out: that memory is
/// slow to read, so it is only ever written. One thread uses a canvas.
@safe
public final class Canvas {
  /// Pixels in each direction.
  public let size: Size
  /// How a pixel is stored.
  public let format: PixelFormat
  /// Bytes from one row to the next.
  public let stride: Int

  private let memory: FrameMemory
  private var shown: DisplayList?
  private var cache: GlyphCache

  /// A canvas that shows nothing yet. Drawn glyphs are kept up to `cacheBytes`: as spans, so that a letter of 600
  /// pixels takes 15 KB, a 4K banner half a megabyte, and the service stays small whatever it has shown.
  public init(size: Size, format: PixelFormat, cacheBytes: Int = 4 << 20) {
    self.size = Size(max(0, size.width), max(0, size.height))
    self.format = format
    stride = (self.size.width * format.bytesPerPixel + 63) & ~63
    memory = FrameMemory(byteCount: stride * self.size.height)
    cache = GlyphCache(limit: cacheBytes)
  }

  /// Paints what differs from the list drawn before, and returns where: rectangles that do not overlap. The first
  /// drawing paints everything. The typesetter is the one that laid out the list.
  public func draw(_ list: DisplayList, with typesetter: Typesetter) -> [Rect] {
    let damage = shown.map { difference(from: $0, to: list, typesetter) } ?? [Rect(size)]
    for rect in damage where !rect.isEmpty { paint(rect, list, typesetter) }
    shown = list
    cache.trim()
    return damage.filter { !$0.isEmpty }
  }

  /// Forgets what was drawn before: the next drawing paints everything.
  public func invalidate() { shown = nil }

  /// Copies rectangles to scan-out memory of the same format and at least the same size, row by row in rising order.
  /// What does not fit there is left out. The memory is not read.
  public func copy(_ damage: [Rect], to target: UnsafeMutableRawBufferPointer, stride targetStride: Int) {
    guard let source = unsafe memory.bytes.baseAddress, let base = target.baseAddress, targetStride > 0 else { return }
    for rect in damage {
      let part = rect.intersection(Rect(size))
      // Whole 64-byte lines: write-combining buffers go out in one burst. What is beside the damage is right as well.
      let first = (part.x * format.bytesPerPixel) & ~63
      let end = min((part.right * format.bytesPerPixel + 63) & ~63, size.width * format.bytesPerPixel, targetStride)
      guard !part.isEmpty, first < end else { continue }
      for y in part.y..<part.bottom where y * targetStride + end <= target.count {
        unsafe (base + (y * targetStride + first)).copyMemory(
          from: source + (y * stride + first), byteCount: end - first)
      }
    }
  }

  /// Lends the pixels, `stride` bytes a row; the pointer is of no use after the call.
  public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
    try unsafe body(UnsafeRawBufferPointer(rebasing: memory.bytes[..<(stride * size.height)]))
  }

  /// Bytes that drawn glyphs take.
  public var cachedBytes: Int { cache.byteCount }

  private func paint(_ rect: Rect, _ list: DisplayList, _ typesetter: Typesetter) {
    guard let base = unsafe memory.bytes.baseAddress else { return }
    let layers = list.items.filter { !$0.ink.intersection(rect).isEmpty }.map { item in
      Layer(color: item.color, clip: item.ink, placements: placements(item.run, meeting: rect, typesetter))
    }
    let painter = unsafe Painter(base: base, stride: stride, format: format)
    painter.paint(rect, ground: list.background, layers: layers)
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

  private func difference(from old: DisplayList, to new: DisplayList, _ typesetter: Typesetter) -> [Rect] {
    guard old.background == new.background else { return [Rect(size)] }
    var damage = Damage(within: Rect(size))
    for index in 0..<max(old.items.count, new.items.count) {
      let before = index < old.items.count ? old.items[index] : nil
      let after = index < new.items.count ? new.items[index] : nil
      if before != after { add(before, after, to: &damage, typesetter) }
    }
    return damage.rects
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
