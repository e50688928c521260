/// Narrower line limits that give the lines of a paragraph similar lengths.
///
/// Each limit is the narrowest one at which the paragraph needs no additional lines.
struct BalancedLimits {
  /// The line limit of one paragraph.
  struct Limit {
    var width: Int
    /// Whether words may be divided at soft hyphens.
    var hyphenates: Bool
  }

  /// The limits, keyed by the index of each paragraph's first word.
  private(set) var byFirstWord: [Int: Limit] = [:]

  /// The word count above which a text is not balanced, because balancing fills each paragraph several times.
  private static let mostWords = 512

  init(_ fitter: TextFitter, _ fit: TextFitter.Fit) {
    let text = fitter.text
    guard fitter.rules.isBalanced, !fit.breaksWords, text.words.count <= BalancedLimits.mostWords else { return }
    let widest = TextFitter.width(fitter.rules.box, at: fit.size)
    var starts = text.words.indices.filter { $0 == 0 || text.words[$0].newlines > 0 }
    starts.append(text.words.count)
    for (start, end) in zip(starts, starts.dropFirst()) {
      byFirstWord[start] = BalancedLimits.narrowest(start..<end, of: text, within: widest)
    }
  }

  /// Finds the narrowest limit that adds neither lines nor hyphens, and hyphenates only if that saves a line.
  private static func narrowest(_ words: Range<Int>, of text: ShapedText, within widest: Int) -> Limit {
    let wanted = shape(words, of: text, Limit(width: widest, hyphenates: true))
    guard let wanted, wanted.lines > 1 else { return Limit(width: widest, hyphenates: true) }
    let whole = shape(words, of: text, Limit(width: widest, hyphenates: false))
    var best = Limit(width: widest, hyphenates: whole?.lines != wanted.lines)
    // A 64th of an em is too small a difference between two lines to be visible.
    var bad = 0
    while best.width - bad > Em.units / 64 {
      let middle = Limit(width: bad + (best.width - bad) / 2, hyphenates: best.hyphenates)
      let shape = shape(words, of: text, middle)
      let isAsGood = shape.map { $0.lines == wanted.lines && $0.hyphens <= wanted.hyphens } ?? false
      if isAsGood { best = middle } else { bad = middle.width }
    }
    return best
  }

  private struct Shape {
    var lines: Int
    var hyphens: Int
  }

  /// Fills a paragraph at a limit, and returns nil if a word is wider than the limit.
  private static func shape(_ words: Range<Int>, of text: ShapedText, _ limit: Limit) -> Shape? {
    var filler = LineFiller(limit: limit.width, mostLines: .max, breaksWords: false)
    filler.use(limit: limit.width, hyphenates: limit.hyphenates)
    var next = words.lowerBound
    while next < words.upperBound {
      filler.place(next, of: text)
      if filler.overflows { return nil }
      next = max(next + 1, filler.placedWords)
    }
    return Shape(lines: filler.line - text.words[words.lowerBound].newlines + 1, hyphens: filler.hyphens)
  }
}
