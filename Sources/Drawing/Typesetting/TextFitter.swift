import Geometry

/// A search for the largest size at which a shaped message fits into a box.
struct TextFitter {
  let text: ShapedText
  let rules: FitRules

  /// The step between sizes, a quarter of a pixel: smaller differences are invisible.
  static let step = 16

  /// The maximum rounding error of the pixel grid, in pixels.
  ///
  /// Glyphs move up to a quarter of a pixel left and half a pixel up or down; outlines add less than that.
  static let slack = 2

  /// The line limit of endless text, which bounds memory.
  private static let mostEndlessLines = 1 << 17

  /// A size, and whether words are broken at it.
  struct Fit: Equatable {
    var size: Int
    var breaksWords: Bool
  }

  /// Finds the largest size that fits, keeping words whole down to the size `rules.wordBreak`.
  ///
  /// - Returns: The best fit, or nil if the message does not fit at the smallest size.
  func best() -> Fit? {
    guard text.isComplete else { return nil }
    if let size = largest(from: max(rules.wordBreak, rules.minimum), breaksWords: false) {
      return Fit(size: size, breaksWords: false)
    }
    return largest(from: rules.minimum, breaksWords: true).map { Fit(size: $0, breaksWords: true) }
  }

  /// Returns the least size at which a message with divided words is better than the best fit without.
  ///
  /// - Parameter best: The best fit without divided words; nil for none.
  /// - Returns: The size; nil if words need not be divided. Text that fits at no size would take too long to divide, and
  ///   would not fit then either.
  func leastDividedSize(after best: Fit?) -> Int? {
    guard let best, !best.breaksWords else { return best != nil || text.isComplete ? rules.minimum : nil }
    let larger = best.size * 5 / 4
    return best.size < rules.division && fits(Fit(size: larger, breaksWords: true)) ? larger : nil
  }

  /// Returns whether the message fits at a size.
  func fits(_ fit: Fit) -> Bool {
    var filler = filler(fit)
    while filler.placedWords < text.words.count {
      filler.place(filler.placedWords, of: text)
      if !filler.fits { return false }
    }
    return filler.fits
  }

  /// Returns an empty line filler for a size.
  func filler(_ fit: Fit, records: Bool = false) -> LineFiller {
    LineFiller(
      limit: TextFitter.width(rules.box, at: fit.size), mostLines: mostLines(at: fit.size),
      breaksWords: fit.breaksWords, records: records)
  }

  /// Returns the number of lines that the box holds at a size.
  func mostLines(at size: Int) -> Int { TextFitter.lines(of: text.metrics, by: rules, at: size) }

  /// Returns the number of lines that fit: the first takes its font's height, each further one a line height.
  static func lines(of metrics: FontMetrics, by rules: FitRules, at size: Int) -> Int {
    if rules.isEndless { return min(mostEndlessLines, max(0, rules.mostLines)) }
    let height = Em.units((rules.box.height - slack) * 64, at: size) - metrics.ascent - metrics.descent
    return height < 0 ? 0 : min(1 + height / max(1, metrics.lineHeight(by: rules)), max(0, rules.mostLines))
  }

  /// Returns the pixels from the top of the first line to the bottom of the last, including rounding.
  func height(ofLines count: Int, at size: Int) -> Int {
    guard count > 0 else { return 0 }
    let block = text.metrics.ascent + text.metrics.descent + (count - 1) * text.metrics.lineHeight(by: rules)
    return ((Em.pixels64(block, at: size) + 63) >> 6) + TextFitter.slack
  }

  static func width(_ box: Size, at size: Int) -> Int { Em.units((box.width - slack) * 64, at: size) }

  private func largest(from smallest: Int, breaksWords: Bool) -> Int? {
    func fitsAt(_ steps: Int) -> Bool { fits(Fit(size: steps * TextFitter.step, breaksWords: breaksWords)) }
    // Round up to a step, unless the largest size lies between two steps.
    var good = min((smallest + TextFitter.step - 1) / TextFitter.step, max(1, rules.maximum / TextFitter.step))
    guard fitsAt(good) else { return nil }
    var bad = max(good, rules.maximum / TextFitter.step) + 1
    while bad - good > 1 {
      let middle = good + (bad - good) / 2
      if fitsAt(middle) { good = middle } else { bad = middle }
    }
    return good * TextFitter.step
  }
}

extension FontMetrics {
  /// Returns the distance between two baselines, in 65536ths of an em.
  func lineHeight(by rules: FitRules) -> Int { Int(Double(ascent + descent + gap) * rules.lineHeight) }
}
