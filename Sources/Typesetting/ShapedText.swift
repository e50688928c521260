import Geometry

/// A message after shaping, before any size is known: all lengths in 65536ths of an em.
struct ShapedText {
  var glyphs: [ShapedGlyph] = []
  /// In the order of reading, those of gaps too.
  var clusters: [Cluster] = []
  var words: [Word] = []
  /// The kinds of glyphs there are.
  private(set) var looks: [Look] = []
  private var places: [Look: UInt16] = [:]
  /// The largest metrics of all fonts and of all ink, so that no line can touch another.
  var metrics: FontMetrics
  /// Whether anything is read to the left: then clusters stand in another order than that of reading.
  var isBidi = false
  /// The cluster of a hyphen, where a soft one may have to be shown.
  var hyphen: Int?
  /// Tabs go on to the next multiple of this.
  var tabStop: Int
  /// Code points that no font has, in the order of their first use.
  var missing: [Unicode.Scalar] = []
  /// Characters that were cut short because they hold more marks than a text can (UAX #15, stream-safe text).
  var overlongCharacters = 0
  /// False where the text went on, but nothing more could have been shown at any size.
  var isComplete = true

  init(metrics: FontMetrics, tabStop: Int) {
    self.metrics = metrics
    self.tabStop = tabStop
  }

  /// The place of a look, which is added where it is not known.
  mutating func place(of look: Look) -> UInt16 {
    if let known = places[look] { return known }
    if looks.count < Int(UInt16.max) { looks.append(look) }
    places[look] = UInt16(looks.count - 1)
    return UInt16(looks.count - 1)
  }

  /// How far a hyphen reaches.
  var hyphenExtent: Extent { hyphen.map { clusters[$0].extent } ?? Extent() }
}

/// What glyphs of one kind have in common.
struct Look: Hashable {
  var font: FontID
  /// Their size beside the text's, in 65536ths.
  var scale: Int32
  var color: Color?
  /// The caller's own.
  var mark: Int32 = 0
}

/// One glyph, in the order of the pen.
struct ShapedGlyph {
  var id: UInt32
  /// The place in the text's list of looks.
  var look: UInt16
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
  /// Its embedding level: odd where it is read to the left.
  var level: UInt8

  var glyphs: Range<Int> { Int(firstGlyph)..<Int(firstGlyph) + Int(glyphCount) }
}

/// Clusters between two places where a line may be broken.
struct Word {
  /// What a gap before it is made of; shown only where something stands before it on the line.
  var spaces: Range<Int>
  var clusters: Range<Int>
  var extent: Extent
  /// The width of the gap before it, without tabs.
  var gap: Int
  /// Tabs in the gap.
  var tabs: Int
  /// Mandatory line ends before it.
  var newlines: Int
  /// Whether a hyphen is shown where a line ends before it.
  var isHyphenated: Bool
  /// Whether its paragraph is read to the left.
  var isRightToLeft: Bool
}

/// How far something reaches from the pen's place before it: by its advance, and by ink that hangs over.
struct Extent: Equatable {
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

  /// This extent and another one, after a gap, in whatever order they will stand: what hangs over may be at either end.
  func beside(_ next: Extent, gap: Int = 0) -> Extent {
    let pen = advance + gap + next.advance
    return Extent(
      advance: pen, left: min(left, next.left), right: pen + max(right - advance, next.right - next.advance))
  }
}
