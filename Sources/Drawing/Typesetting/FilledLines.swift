/// The lines of a message at one size.
struct FilledLines {
  private(set) var lines: [LineSetter.Line] = []
  /// Whether the lines contain the whole text.
  private(set) var isWhole = false
  /// Whether a word was broken without a hyphen, because it is wider than a line.
  private(set) var hasBrokenWords = false

  init(_ fitter: TextFitter, _ fit: TextFitter.Fit) {
    let text = fitter.text
    let limits = BalancedLimits(fitter, fit)
    var filler = fitter.filler(fit, records: true)
    while filler.placedWords < text.words.count, !filler.isFull {
      let next = filler.placedWords
      if let limit = limits.byFirstWord[next] { filler.use(limit: limit.width, hyphenates: limit.hyphenates) }
      filler.place(next, of: text)
    }
    isWhole = text.isComplete && !filler.isFull
    hasBrokenWords = filler.hasBrokenWords
    let count = text.words.isEmpty ? 0 : min(filler.line + 1, fitter.mostLines(at: fit.size))
    lines = Array(repeating: LineSetter.Line(), count: count)
    for segment in filler.segments where segment.line < count { lines[segment.line].add(segment, of: text) }
    for (number, line) in filler.lines where line.extent != Extent() && number < count { finish(number, line, text) }
  }

  private mutating func finish(_ number: Int, _ line: LineFiller.Line, _ text: ShapedText) {
    lines[number].extent = line.extent
    lines[number].isContinued = line.isContinued
    if line.hasHyphen, let hyphen = text.hyphen, let last = lines[number].clusters.last {
      lines[number].append(hyphen, of: text, level: last.level)
    }
  }

  /// Ends the last line with an ellipsis and removes the clusters that it displaces.
  ///
  /// - Parameters:
  ///   - text: The shaped text, to which the glyphs of the ellipsis are added.
  ///   - ellipsis: The shaped ellipsis.
  ///   - limit: The line width, in 65536ths of an em.
  /// - Returns: The number of Characters of the message before the ellipsis.
  mutating func cut(_ text: inout ShapedText, ellipsis: ShapedText, limit: Int) -> Int {
    guard let last = lines.indices.last, let dots = ellipsis.words.first else { return 0 }
    var line = lines[last]
    line.shorten(toFit: dots.extent, limit, text)
    guard text.join(line.extent, dots.extent).width <= limit else {
      lines = []
      return 0
    }
    lines[last] = line
    let lastShown = lines.reversed().lazy.compactMap { $0.clusters.last { !$0.isGap } }.first
    let shown = lastShown.map { Int(text.character(after: $0.index)) } ?? 0
    lines[last].append(ellipsis, to: &text)
    return shown
  }
}

extension LineSetter.Line {
  mutating func add(_ segment: LineFiller.Segment, of text: ShapedText) {
    isRightToLeft = text.words[segment.word].isRightToLeft
    // The width of a tab belongs to the last cluster of its gap, because each cluster extends to the next one's pen.
    var pen = segment.gapPen
    for cluster in segment.spaces {
      clusters.append(Piece(index: cluster, pen: pen, isGap: true, level: text.clusters[cluster].level))
      pen = min(pen + text.clusters[cluster].extent.advance, segment.pen)
    }
    pen = segment.pen
    for cluster in segment.clusters {
      clusters.append(Piece(index: cluster, pen: pen, isGap: false, level: text.clusters[cluster].level))
      pen += text.clusters[cluster].extent.advance
    }
  }

  /// Removes the hyphen, trailing gaps, and as many clusters as needed for `next` to fit within the limit.
  fileprivate mutating func shorten(toFit next: Extent, _ limit: Int, _ text: ShapedText) {
    if let last = clusters.last, last.index == text.hyphen { clusters.removeLast() }
    var (reach, best, count) = (Extent(), Extent(), 0)
    for (place, piece) in clusters.enumerated() {
      reach = text.join(reach, text.clusters[piece.index].extent, gap: piece.pen - reach.advance)
      guard text.join(reach, next).width <= limit else { break }
      if !piece.isGap { (best, count) = (reach, place + 1) }
    }
    clusters.removeSubrange(count...)
    extent = best
  }

  /// Appends a cluster that is not part of the text: a hyphen at its word's level, or an ellipsis at the paragraph's.
  fileprivate mutating func append(_ cluster: Int, of text: ShapedText, level: UInt8) {
    clusters.append(Piece(index: cluster, pen: extent.advance, isGap: false, level: level))
    extent = text.join(extent, text.clusters[cluster].extent)
  }

  fileprivate mutating func append(_ other: ShapedText, to text: inout ShapedText) {
    let level: UInt8 = isRightToLeft ? 1 : 0
    for cluster in other.clusters {
      var copy = cluster
      copy.firstGlyph = Int32(text.glyphs.count)
      copy.level = level
      for var glyph in other.glyphs[cluster.glyphs] {
        glyph.look = text.place(of: other.looks[Int(glyph.look)])
        text.glyphs.append(glyph)
      }
      text.clusters.append(copy)
      append(text.clusters.count - 1, of: text, level: level)
    }
  }
}

extension ShapedText {
  /// Returns the number of Characters up to the end of a cluster.
  fileprivate func character(after cluster: Int) -> Int32 {
    clusters.indices.contains(cluster + 1) && cluster + 1 != hyphen
      ? clusters[cluster + 1].character : clusters[cluster].character + 1
  }
}
