import Geometry

/// Puts the clusters of filled lines at their pixels, each line centred, the block of lines centred too.
struct LineSetter {
  let text: ShapedText
  let box: Size
  let size: Int
  private(set) var runs: [GlyphRun] = []
  private var ink: [Bounds64] = []

  /// Ink in 64ths of a pixel.
  private struct Bounds64 {
    var left = Int.max
    var right = Int.min
    var top = Int.max
    var bottom = Int.min
  }

  /// One line: its clusters, each with the pen's place before it.
  struct Line {
    var clusters: [(index: Int, pen: Int)] = []
    var extent = Extent()
  }

  init(text: ShapedText, box: Size, size: Int) {
    self.text = text
    self.box = box
    self.size = size
  }

  /// The baseline of a line in whole pixels, where there are `count` lines.
  private func baseline(_ line: Int, of count: Int) -> Int {
    let height = Em.pixels64(count * text.lineHeight - text.metrics.gap, at: size)
    let top = (box.height * 64 - height) / 2
    return (top + Em.pixels64(text.metrics.ascent + line * text.lineHeight, at: size) + 32) >> 6
  }

  mutating func set(_ line: Line, number: Int, of count: Int) {
    let width = Em.pixels64(line.extent.width, at: size)
    let origin = (box.width * 64 - width) / 2 - Em.pixels64(line.extent.left, at: size)
    let y = baseline(number, of: count) * 64
    let firstRun = runs.count
    for (index, pen) in line.clusters {
      for glyph in text.clusters[index].glyphs {
        add(text.glyphs[glyph], pen: pen, origin: origin, y: y, from: firstRun)
      }
    }
    for run in firstRun..<runs.count { runs[run].ink = pixels(ink[run]) }
  }

  private mutating func add(_ glyph: ShapedGlyph, pen: Int, origin: Int, y: Int, from firstRun: Int) {
    // Floors: a quarter of a pixel is what glyphs are cached for, and rows are whole.
    let x = (origin + Em.pixels64(pen + Int(glyph.x), at: size)) & ~15
    let rise = (Em.pixels64(Int(glyph.y), at: size) + 32) & ~63
    if runs.count == firstRun || runs[runs.count - 1].font != glyph.font {
      runs.append(GlyphRun(font: glyph.font, size: Int32(size), glyphs: [], ink: .empty))
      ink.append(Bounds64())
    }
    guard !glyph.ink.isEmpty else { return }
    let last = runs.count - 1
    runs[last].glyphs.append(
      PlacedGlyph(glyph: glyph.id, x: Int32(truncatingIfNeeded: x), y: Int32(truncatingIfNeeded: y - rise)))
    ink[last].left = min(ink[last].left, x + Em.pixels64(Int(glyph.ink.left), at: size))
    ink[last].right = max(ink[last].right, x + Em.pixels64(Int(glyph.ink.right), at: size))
    ink[last].top = min(ink[last].top, y - rise - Em.pixels64(Int(glyph.ink.top), at: size))
    ink[last].bottom = max(ink[last].bottom, y - rise - Em.pixels64(Int(glyph.ink.bottom), at: size))
  }

  /// The pixels that ink touches, with what rounding of outlines can add, inside the box.
  private func pixels(_ ink: Bounds64) -> Rect {
    guard ink.left <= ink.right, ink.top <= ink.bottom else { return .empty }
    let (left, top) = ((ink.left - 2) >> 6, (ink.top - 2) >> 6)
    let (right, bottom) = ((ink.right + 66) >> 6, (ink.bottom + 66) >> 6)
    return Rect(x: left, y: top, width: right - left, height: bottom - top).intersection(Rect(box))
  }
}
