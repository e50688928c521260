/// A message after shaping, before any size is known: all lengths in 65536ths of an em.
struct ShapedText {
  var glyphs: [ShapedGlyph] = []
  var clusters: [Cluster] = []
  var words: [Word] = []
  /// The largest metrics of all fonts and of all ink, so that no line can touch another.
  var metrics: FontMetrics
  /// Code points that no font has, in the order of their first use.
  var missing: [Unicode.Scalar] = []
  /// Characters that were cut short because they hold more marks than a text can (UAX #15, stream-safe text).
  var overlongCharacters = 0
  /// False where the text went on, but nothing more could have been shown at any size.
  var isComplete = true

  /// From one baseline to the next.
  var lineHeight: Int { metrics.ascent + metrics.descent + metrics.gap }
}

/// One glyph, in the order of the pen.
struct ShapedGlyph {
  var id: UInt32
  var font: FontID
  /// From the start of its cluster to its origin.
  var x: Int32
  var y: Int32
  var ink: GlyphInk
}

/// What cannot be taken apart: one Swift Character or several that became one shape.
struct Cluster {
  var extent: Extent
  var firstGlyph: Int32
  var glyphCount: Int32
  /// The place of its first Character in the message.
  var character: Int32

  var glyphs: Range<Int> { Int(firstGlyph)..<Int(firstGlyph) + Int(glyphCount) }
}

/// Clusters between two spaces.
struct Word {
  var clusters: Range<Int>
  var extent: Extent
  /// The width of the spaces before it.
  var gap: Int
  /// Mandatory line ends before it.
  var newlines: Int
}

/// How far something reaches from the pen's place before it: by its advance, and by ink that hangs over.
struct Extent {
  var advance = 0
  /// 0 or less.
  var left = 0
  /// The advance or more.
  var right = 0

  var width: Int { right - left }

  /// This extent followed, after a gap, by another one.
  func followed(by next: Extent, gap: Int = 0) -> Extent {
    let pen = advance + gap
    return Extent(advance: pen + next.advance, left: min(left, pen + next.left), right: max(right, pen + next.right))
  }
}
