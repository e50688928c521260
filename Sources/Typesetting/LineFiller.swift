/// Fills lines of one width word by word: as many words on each as it takes.
///
/// Lengths are in 65536ths of an em. A larger size is a smaller limit, and never needs fewer lines; the search for the
/// best size relies on that.
struct LineFiller {
  /// Clusters of one word, or of a part of it, on one line.
  struct Segment {
    var line: Int
    /// The gap before it, where that is shown.
    var spaces: Range<Int>
    /// Where the pen is before the gap, and before the first cluster.
    var gapPen: Int
    var pen: Int
    var clusters: Range<Int>
    var word: Int
  }

  /// What is known of a line when it is full.
  struct Line {
    var extent = Extent()
    /// Whether it ends within a word, with a hyphen.
    var hasHyphen = false
    /// Whether its paragraph goes on in the next line.
    var isContinued = false
  }

  private var limit: Int
  private var hyphenates = true
  private let mostLines: Int
  private let breaksWords: Bool
  private let records: Bool

  /// The line that is being filled.
  private(set) var line = 0
  private(set) var placedWords = 0
  /// Whether something was wider than a line.
  private(set) var overflows = false
  /// Lines that ended within a word.
  private(set) var hyphens = 0
  private(set) var segments: [Segment] = []
  private(set) var lines: [Int: Line] = [:]
  private var extent = Extent()
  private var isFresh = true

  /// Lines of width `limit`. Words that are wider are broken between clusters, or else count as overflow.
  init(limit: Int, mostLines: Int, breaksWords: Bool, records: Bool = false) {
    self.limit = limit
    self.mostLines = mostLines
    self.breaksWords = breaksWords
    self.records = records
  }

  /// Whether there were more lines than may be.
  var isFull: Bool { line >= mostLines }
  /// Whether all that was placed fits.
  var fits: Bool { !isFull && !overflows }

  /// Fills the lines that follow, those of a paragraph, to another width. Words are divided at soft hyphens only where
  /// `hyphenates` is true.
  mutating func use(limit: Int, hyphenates: Bool) { (self.limit, self.hyphenates) = (limit, hyphenates) }

  /// Places one word after the one before; parts of a word between soft hyphens are placed with the first one.
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

  /// Parts of one word: all of them on this line, or as many as it holds with a hyphen after them.
  private mutating func placeParts(_ parts: Range<Int>, of text: ShapedText) {
    var rest = parts
    while let first = rest.first, !isFull {
      let count = partsThatFit(rest, text)
      if count == 0 {
        guard isFresh else {
          newLine()
          continue
        }
        // Not even one part, or not with its hyphen.
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

  /// The width of the gap before a word on this line; tabs go on to the next stop.
  private func gap(before word: Word, _ text: ShapedText) -> Int {
    if isFresh && word.tabs == 0 { return 0 }
    if word.tabs == 0 { return word.gap }
    let pen = extent.advance + (isFresh ? 0 : word.gap)
    return (pen / text.tabStop + word.tabs) * text.tabStop - extent.advance
  }

  /// A word that is wider than a line starts on a line of its own.
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
        if isFresh { overflows = true } else { newLine() }
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
