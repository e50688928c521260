/// A builder that joins clusters into words: the text between two line break opportunities.
struct WordBuilder {
  private var word: Range<Int>?
  private var extent = Extent()
  private var before = Gap()
  private var isHyphenated = false
  private var newlines = 0
  private var isRightToLeft = false
  private var gap = Gap()

  /// The gap before a word.
  private struct Gap {
    var spaces = 0..<0
    var width = 0
    var tabs = 0

    mutating func add(_ cluster: Int, _ width: Int, isTab: Bool) {
      spaces = spaces.isEmpty ? cluster..<cluster + 1 : spaces.lowerBound..<cluster + 1
      if isTab { tabs += 1 } else { self.width += width }
    }
  }

  /// Starts a paragraph; one without line breaks before it continues the previous one.
  mutating func begin(_ paragraph: PreparedParagraph, _ text: inout ShapedText) {
    guard paragraph.newlines > 0 || text.words.isEmpty && word == nil else { return }
    endWord(&text)
    gap = Gap()
    // Line breaks before the first letter would only move the message down.
    newlines = text.words.isEmpty ? 0 : newlines + paragraph.newlines
    isRightToLeft = paragraph.isRightToLeft
  }

  /// Adds the next cluster, whose first code point is at `place` in the paragraph.
  mutating func add(_ cluster: Int, at place: Int, of paragraph: PreparedParagraph, _ text: inout ShapedText) {
    let piece = paragraph.scalars[place].piece
    let next = text.clusters[cluster].extent
    if piece.isGap { return gap.add(cluster, next.advance, isTab: piece == .tab) }
    // A new part of a long paragraph starts a word if a gap precedes it.
    if word == nil || paragraph.breaks[place] || place == 0 && !gap.spaces.isEmpty {
      endWord(&text)
      (before, gap) = (gap, Gap())
      isHyphenated = paragraph.hyphens[place] && before.spaces.isEmpty && newlines == 0 && !text.words.isEmpty
      (word, extent) = (cluster..<cluster + 1, next)
    } else {
      absorb(through: cluster, text)
    }
  }

  /// Extends the current word by a gap at which no line may break, and by the cluster after it.
  private mutating func absorb(through cluster: Int, _ text: ShapedText) {
    guard let start = word?.lowerBound, let end = word?.upperBound else { return }
    for index in end...cluster { extent = text.join(extent, text.clusters[index].extent) }
    word = start..<cluster + 1
    gap = Gap()
  }

  /// Ends the current word and appends it to the text.
  mutating func endWord(_ text: inout ShapedText) {
    guard let clusters = word else { return }
    text.words.append(
      Word(
        spaces: before.spaces, clusters: clusters, extent: extent, gap: before.width, tabs: before.tabs,
        newlines: newlines, isHyphenated: isHyphenated, isRightToLeft: isRightToLeft))
    (word, newlines, before) = (nil, 0, Gap())
  }
}

extension ShapedText {
  /// Returns the combined extent of two adjacent parts.
  func join(_ first: Extent, _ second: Extent, gap: Int = 0) -> Extent {
    isBidi ? first.beside(second, gap: gap) : first.followed(by: second, gap: gap)
  }
}
