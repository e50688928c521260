/// Fills lines of one width word by word: as many words on each as it takes.
///
/// Lengths are in 65536ths of an em. A larger size is a smaller limit, and never needs fewer lines; the search for the
/// best size relies on that.
struct LineFiller {
  /// Clusters of one word on one line.
  struct Segment {
    var line: Int
    /// Where the pen is before the first cluster.
    var pen: Int
    var clusters: Range<Int>
  }

  private let limit: Int
  private let mostLines: Int
  private let breaksWords: Bool
  private let records: Bool

  /// The line that is being filled.
  private(set) var line = 0
  private(set) var placedWords = 0
  /// Whether something was wider than a line.
  private(set) var overflows = false
  private(set) var segments: [Segment] = []
  private(set) var extents: [Int: Extent] = [:]
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

  /// Places one word after the one before.
  mutating func place(_ index: Int, of text: ShapedText) {
    let word = text.words[index]
    placedWords = index + 1
    if word.newlines > 0 { newLine(word.newlines) }
    let gap = isFresh ? 0 : word.gap
    if extent.followed(by: word.extent, gap: gap).width <= limit {
      put(word.clusters, word.extent, gap)
    } else if word.extent.width <= limit {
      newLine()
      put(word.clusters, word.extent, 0)
    } else {
      placeOverwide(word, of: text)
    }
  }

  /// A word that is wider than a line starts on a line of its own.
  private mutating func placeOverwide(_ word: Word, of text: ShapedText) {
    if !isFresh { newLine() }
    guard breaksWords else {
      overflows = true
      put(word.clusters, word.extent, 0)
      return
    }
    for cluster in word.clusters {
      let next = text.clusters[cluster].extent
      if extent.followed(by: next).width > limit {
        if isFresh { overflows = true } else { newLine() }
        if isFull { return }
      }
      put(cluster..<cluster + 1, next, 0)
    }
  }

  private mutating func put(_ clusters: Range<Int>, _ next: Extent, _ gap: Int) {
    if records, !isFull {
      segments.append(Segment(line: line, pen: extent.advance + gap, clusters: clusters))
      extents[line] = extent.followed(by: next, gap: gap)
    }
    extent = extent.followed(by: next, gap: gap)
    isFresh = false
  }

  private mutating func newLine(_ count: Int = 1) {
    line += count
    extent = Extent()
    isFresh = true
  }
}
