/// Fills lines of one width with words, as many per line as fit.
///
/// Lengths are in 65536ths of an em. A larger size means a smaller limit and never needs fewer lines; the search for
/// the best size relies on this.
struct LineFiller {
  /// The clusters of one word, or of a part of it, on one line.
  struct Segment {
    var line: Int
    /// The gap before the segment, or an empty range if the gap is not shown.
    var spaces: Range<Int>
    /// The pen position before the gap; `pen` is the position before the first cluster.
    var gapPen: Int
    var pen: Int
    var clusters: Range<Int>
    var word: Int
  }

  /// The properties of a line, recorded while it is filled.
  struct Line {
    var extent = Extent()
    /// Whether the line ends within a word, with a hyphen.
    var hasHyphen = false
    /// Whether the paragraph continues on the next line.
    var isContinued = false
  }

  private var limit: Int
  private var hyphenates = true
  private let mostLines: Int
  private let breaksWords: Bool
  private let records: Bool

  /// The index of the line being filled.
  private(set) var line = 0
  private(set) var placedWords = 0
  /// Whether a word, or a part of one, was wider than a line.
  private(set) var overflows = false
  /// Whether a word was broken without a hyphen.
  private(set) var hasBrokenWords = false
  /// The number of lines that ended within a word.
  private(set) var hyphens = 0
  private(set) var segments: [Segment] = []
  private(set) var lines: [Int: Line] = [:]
  private var extent = Extent()
  private var isFresh = true

  /// Creates lines of width `limit`; wider words are broken between clusters or set `overflows`.
  init(limit: Int, mostLines: Int, breaksWords: Bool, records: Bool = false) {
    self.limit = limit
    self.mostLines = mostLines
    self.breaksWords = breaksWords
    self.records = records
  }

  /// Whether the line count exceeds the limit.
  var isFull: Bool { line >= mostLines }
  /// Whether everything placed so far fits.
  var fits: Bool { !isFull && !overflows }

  /// Changes the width of the following lines, and whether words are divided at soft hyphens.
  mutating func use(limit: Int, hyphenates: Bool) { (self.limit, self.hyphenates) = (limit, hyphenates) }

  /// Places a word after the previous one, together with all parts of it between soft hyphens.
  mutating func place(_ index: Int, of text: ShapedText) {
    guard index >= placedWords else { return }
    let word = text.words[index]
    if word.newlines > 0 { newLine(word.newlines, isContinued: false) }
    var end = index + 1
    while end < text.words.count, text.words[end].isHyphenated { end += 1 }
    if end == index + 1 {
      placeWhole(index, of: text)
    } else {
      placeParts(index..<end, of: text)
    }
    placedWords = end
  }

  private mutating func placeWhole(_ index: Int, of text: ShapedText) {
    let word = text.words[index]
    let gap = gap(before: word, text)
    if text.join(extent, word.extent, gap: gap).width <= limit {
      put(index, word.clusters, word.extent, gap, text)
    } else if word.extent.width <= limit {
      if !isFresh { newLine() }
      put(index, word.clusters, word.extent, 0, text)
    } else {
      placeOverwide(index, of: text)
    }
  }

  /// Places the parts of one word: all on this line, or as many as fit with a hyphen after them.
  private mutating func placeParts(_ parts: Range<Int>, of text: ShapedText) {
    var rest = parts
    while let first = rest.first, !isFull {
      let count = partsThatFit(rest, text)
      if count == 0 {
        guard isFresh else {
          newLine()
          continue
        }
        // Not even one part fits, or it does not fit together with its hyphen.
        overflows = overflows || !hyphenates || !breaksWords
        placeWhole(first, of: text)
        rest = rest.dropFirst()
        let hasHyphen = hyphenates && text.join(extent, text.hyphenExtent).width <= limit
        if !rest.isEmpty { newLine(hasHyphen: hasHyphen) }
        continue
      }
      for index in rest.prefix(count) { putPart(index, of: text) }
      rest = rest.dropFirst(count)
      if !rest.isEmpty { newLine(hasHyphen: true) }
    }
  }

  private func partsThatFit(_ parts: Range<Int>, _ text: ShapedText) -> Int {
    var reach = extent
    var count = 0
    for index in parts {
      let word = text.words[index]
      let gap = index == parts.lowerBound ? gap(before: word, text) : 0
      reach = text.join(reach, word.extent, gap: gap)
      let isLast = index == parts.upperBound - 1
      let width = isLast ? reach.width : text.join(reach, text.hyphenExtent).width
      if width <= limit, isLast || hyphenates { count = index - parts.lowerBound + 1 }
      if reach.width > limit { break }
    }
    return count
  }

  private mutating func putPart(_ index: Int, of text: ShapedText) {
    let word = text.words[index]
    put(index, word.clusters, word.extent, word.isHyphenated ? 0 : gap(before: word, text), text)
  }

  /// Returns the width of the gap before a word on this line; a tab advances to the next tab stop.
  private func gap(before word: Word, _ text: ShapedText) -> Int {
    if isFresh && word.tabs == 0 { return 0 }
    if word.tabs == 0 { return word.gap }
    let pen = extent.advance + (isFresh ? 0 : word.gap)
    return (pen / text.tabStop + word.tabs) * text.tabStop - extent.advance
  }

  /// Places a word that is wider than a line, starting on a new line.
  private mutating func placeOverwide(_ index: Int, of text: ShapedText) {
    let word = text.words[index]
    if !isFresh { newLine() }
    guard breaksWords else {
      overflows = true
      put(index, word.clusters, word.extent, 0, text)
      return
    }
    for cluster in word.clusters {
      let next = text.clusters[cluster].extent
      if text.join(extent, next).width > limit {
        if isFresh {
          overflows = true
        } else {
          newLine()
          hasBrokenWords = true
        }
        if isFull { return }
      }
      put(index, cluster..<cluster + 1, next, 0, text)
    }
  }

  private mutating func put(_ word: Int, _ clusters: Range<Int>, _ next: Extent, _ gap: Int, _ text: ShapedText) {
    if records, !isFull {
      let shown = gap > 0 && clusters.lowerBound == text.words[word].clusters.lowerBound
      segments.append(
        Segment(
          line: line, spaces: shown ? text.words[word].spaces : 0..<0, gapPen: extent.advance,
          pen: extent.advance + gap, clusters: clusters, word: word))
    }
    extent = text.join(extent, next, gap: gap)
    isFresh = false
    if records, !isFull { lines[line, default: Line()].extent = extent }
  }

  private mutating func newLine(_ count: Int = 1, hasHyphen: Bool = false, isContinued: Bool = true) {
    if records, !isFull {
      lines[line, default: Line()].hasHyphen = hasHyphen
      lines[line, default: Line()].isContinued = isContinued
    }
    if hasHyphen { hyphens += 1 }
    line += count
    extent = Extent()
    isFresh = true
  }
}
