/// Narrower limits for paragraphs of several lines, so that their lines become as long as each other: the narrowest at
/// which the paragraph needs no more lines.
struct BalancedLimits {
  /// The limit by the first word of a paragraph.
  private(set) var byFirstWord: [Int: Int] = [:]

  /// Balancing costs a few fillings; what is longer is text to read, whose lines may end as they come.
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

  private static func narrowest(_ words: Range<Int>, of text: ShapedText, within widest: Int) -> Int {
    let lines = lineCount(words, of: text, limit: widest)
    guard let lines, lines > 1 else { return widest }
    // A 64th of an em is less than one can see between two lines.
    var (bad, good) = (0, widest)
    while good - bad > Em.units / 64 {
      let middle = bad + (good - bad) / 2
      if lineCount(words, of: text, limit: middle) == lines { good = middle } else { bad = middle }
    }
    return good
  }

  /// nil where a word is wider than the limit.
  private static func lineCount(_ words: Range<Int>, of text: ShapedText, limit: Int) -> Int? {
    var filler = LineFiller(limit: limit, mostLines: .max, breaksWords: false)
    var next = words.lowerBound
    while next < words.upperBound {
      filler.place(next, of: text)
      if filler.overflows { return nil }
      next = max(next + 1, filler.placedWords)
    }
    return filler.line - text.words[words.lowerBound].newlines + 1
  }
}
