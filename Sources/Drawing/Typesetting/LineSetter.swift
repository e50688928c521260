import Geometry

/// Positions the clusters of filled lines in pixels, with the block of lines vertically centered in the box.
struct LineSetter {
  let text: ShapedText
  let rules: FitRules
  let size: Int
  private(set) var runs: [GlyphRun] = []
  private var looks: [UInt16] = []
  private var ink: [Bounds64] = []

  /// An ink box, in 64ths of a pixel.
  private struct Bounds64 {
    var left = Int.max
    var right = Int.min
    var top = Int.max
    var bottom = Int.min
  }

  /// One line: its clusters in reading order, each with the pen position before it.
  struct Line {
    struct Piece {
      var index: Int
      var pen: Int
      /// Whether this is a gap, which justification can widen.
      var isGap: Bool
      /// The embedding level, odd for right-to-left text.
      var level: UInt8
    }

    var clusters: [Piece] = []
    var extent = Extent()
    var isRightToLeft = false
    /// Whether the paragraph continues on the next line.
    var isContinued = false
  }

  init(text: ShapedText, rules: FitRules, size: Int) {
    self.text = text
    self.rules = rules
    self.size = size
  }

  /// Returns the baseline of a line in whole pixels, in a block of `count` lines.
  func baseline(_ line: Int, of count: Int) -> Int {
    let lineHeight = text.metrics.lineHeight(by: rules)
    let block = text.metrics.ascent + text.metrics.descent + (count - 1) * lineHeight
    let top = rules.isEndless ? 0 : (rules.box.height * 64 - Em.pixels64(block, at: size)) / 2
    return (top + Em.pixels64(text.metrics.ascent + line * lineHeight, at: size) + 32) >> 6
  }

  mutating func set(_ line: Line, number: Int, of count: Int) {
    var line = line
    if rules.alignment == .justify, line.isContinued { widen(&line) }
    let origin = origin(of: line)
    let y = baseline(number, of: count) * 64
    let firstRun = runs.count
    for piece in text.isBidi ? inVisualOrder(line) : line.clusters {
      for glyph in text.clusters[piece.index].glyphs {
        add(text.glyphs[glyph], pen: piece.pen, origin: origin, y: y, from: firstRun)
      }
    }
    for run in firstRun..<runs.count { runs[run].ink = pixels(ink[run]) }
  }

  /// Returns the pen's starting position in 64ths of a pixel, leaving half of the slack free at either edge.
  private func origin(of line: Line) -> Int {
    let width = Em.pixels64(line.extent.width, at: size)
    let free = rules.box.width * 64 - width
    let edge = TextFitter.slack * 32
    let isAtRight =
      switch rules.alignment {
      case .start, .justify: line.isRightToLeft
      case .end: !line.isRightToLeft
      case .center, .left: false
      case .right: true
      }
    let left = rules.alignment == .center ? free / 2 : isAtRight ? max(0, free - edge) : min(edge, max(0, free))
    return left - Em.pixels64(line.extent.left, at: size)
  }

  /// Distributes the free width among the gaps.
  private func widen(_ line: inout Line) {
    let free = TextFitter.width(rules.box, at: size) - line.extent.width
    let gaps = line.clusters.count { $0.isGap }
    guard gaps > 0, free > 0 else { return }
    var passed = 0
    for place in line.clusters.indices {
      line.clusters[place].pen += free * passed / gaps
      if line.clusters[place].isGap { passed += 1 }
    }
    line.extent.advance += free
    line.extent.right += free
  }

  /// Returns the clusters from left to right, with pen positions recomputed for that order.
  private func inVisualOrder(_ line: Line) -> [Line.Piece] {
    let pieces = line.clusters
    let ends = pieces.dropFirst().map(\.pen) + [line.extent.advance]
    var pen = 0
    return BidiLevels.visualOrder(of: pieces.map(\.level)).map { place in
      var piece = pieces[place]
      let advance = ends[place] - piece.pen
      piece.pen = pen
      pen += advance
      return piece
    }
  }

  private mutating func add(_ glyph: ShapedGlyph, pen: Int, origin: Int, y: Int, from firstRun: Int) {
    // Round down: glyphs are cached at quarter-pixel positions, and baselines are on whole pixels.
    let x = (origin + Em.pixels64(pen + Int(glyph.x), at: size)) & ~15
    let rise = (Em.pixels64(Int(glyph.y), at: size) + 32) & ~63
    if runs.count == firstRun || looks[runs.count - 1] != glyph.look {
      let look = text.looks[Int(glyph.look)]
      let scaled = Int32(clamping: (size * Int(look.scale)) >> 16)
      runs.append(GlyphRun(font: look.font, size: scaled, glyphs: [], ink: .empty, color: look.color, mark: look.mark))
      looks.append(glyph.look)
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

  /// Returns the pixels that the ink touches, including the rounding error of outlines, clipped to the box.
  private func pixels(_ ink: Bounds64) -> Rect {
    guard ink.left <= ink.right, ink.top <= ink.bottom else { return .empty }
    let (left, top) = ((ink.left - 2) >> 6, (ink.top - 2) >> 6)
    let (right, bottom) = ((ink.right + 66) >> 6, (ink.bottom + 66) >> 6)
    return Rect(x: left, y: top, width: right - left, height: bottom - top).intersection(rules.bounds)
  }
}
