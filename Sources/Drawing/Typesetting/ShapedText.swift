import Geometry

/// A message after shaping, before a size is chosen; all lengths are in 65536ths of an em.
struct ShapedText {
  var glyphs: [ShapedGlyph] = []
  /// The clusters in reading order, including those of gaps.
  var clusters: [Cluster] = []
  var words: [Word] = []
  /// The distinct combinations of font, scale, color, and mark.
  private(set) var looks: [Look] = []
  private var places: [Look: UInt16] = [:]
  /// The maximum over the metrics of all fonts and all ink, so that lines cannot overlap.
  var metrics: FontMetrics
  /// Whether any text is right-to-left, which makes the visual order differ from the reading order.
  var isBidi = false
  /// The cluster of the hyphen shown at soft hyphens; nil if there are none.
  var hyphen: Int?
  /// The distance between tab stops.
  var tabStop: Int
  /// Code points that no font has, in order of first use.
  var missing: [Unicode.Scalar] = []
  /// The number of Characters truncated to 32 code points (UAX #15, stream-safe text).
  var overlongCharacters = 0
  /// Whether all the text is shaped; false if the rest could not be shown at any size.
  var isComplete = true

  init(metrics: FontMetrics, tabStop: Int) {
    self.metrics = metrics
    self.tabStop = tabStop
  }

  /// Returns the index of a look, adding it if it is new.
  mutating func place(of look: Look) -> UInt16 {
    if let known = places[look] { return known }
    if looks.count < Int(UInt16.max) { looks.append(look) }
    places[look] = UInt16(looks.count - 1)
    return UInt16(looks.count - 1)
  }

  /// The extent of the hyphen.
  var hyphenExtent: Extent { hyphen.map { clusters[$0].extent } ?? Extent() }
}

/// The properties that a group of glyphs shares.
struct Look: Hashable {
  var font: FontID
  /// The size relative to the text's, in 65536ths.
  var scale: Int32
  var color: Color?
  /// The mark of the style, chosen by the caller.
  var mark: Int32 = 0
}

/// One glyph, in pen order.
struct ShapedGlyph {
  var id: UInt32
  /// The index in the text's `looks`.
  var look: UInt16
  /// The distance from the start of its cluster to its origin; `y` is upward.
  var x: Int32
  var y: Int32
  var ink: GlyphInk
}

/// An indivisible unit: one Swift Character, or several that form one shape.
struct Cluster {
  var extent: Extent
  var firstGlyph: Int32
  var glyphCount: Int32
  /// The index of its first Character in the message.
  var character: Int32
  /// The embedding level, odd for right-to-left text.
  var level: UInt8

  var glyphs: Range<Int> { Int(firstGlyph)..<Int(firstGlyph) + Int(glyphCount) }
}

/// The clusters between two line break opportunities.
struct Word {
  /// The clusters of the gap before the word, shown only if the word does not start its line.
  var spaces: Range<Int>
  var clusters: Range<Int>
  var extent: Extent
  /// The width of the gap before the word, without tabs.
  var gap: Int
  /// The number of tabs in the gap.
  var tabs: Int
  /// The number of mandatory line breaks before the word.
  var newlines: Int
  /// Whether a hyphen is shown if a line ends before the word.
  var isHyphenated: Bool
  /// Whether the word's paragraph is right-to-left.
  var isRightToLeft: Bool
}

/// The horizontal extent from the pen position before it: the advance, and ink that overhangs it.
struct Extent: Equatable {
  var advance = 0
  /// The leftmost ink, 0 or less.
  var left = 0
  /// The rightmost ink, at least `advance`.
  var right = 0

  var width: Int { right - left }

  /// Returns this extent followed by another one after a gap.
  func followed(by next: Extent, gap: Int = 0) -> Extent {
    let pen = advance + gap
    return Extent(advance: pen + next.advance, left: min(left, pen + next.left), right: max(right, pen + next.right))
  }

  /// Returns the extent of both in either visual order, which allows an overhang at both ends.
  func beside(_ next: Extent, gap: Int = 0) -> Extent {
    let pen = advance + gap + next.advance
    return Extent(
      advance: pen, left: min(left, next.left), right: pen + max(right - advance, next.right - next.advance))
  }
}
