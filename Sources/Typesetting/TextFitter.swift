import Geometry

/// Finds the largest size at which a shaped message fits into a box.
struct TextFitter {
  let text: ShapedText
  let rules: FitRules

  /// Sizes are tried in steps of a quarter of a pixel; smaller ones nobody sees.
  static let step = 16

  /// What rounding to the pixel grid may add: a quarter of a pixel to the left, half a pixel up or down, and less than
  /// that from outlines.
  static let slack = 2

  /// More lines of one text than anybody turns pages for: it bounds memory.
  private static let mostEndlessLines = 1 << 17

  /// A size and how lines are broken at it.
  struct Fit: Equatable {
    var size: Int
    var breaksWords: Bool
  }

  /// The best fit, nil where even the smallest size does not hold the message. Words stay whole wherever that leaves
  /// letters of a sensible size.
  func best() -> Fit? {
    guard text.isComplete else { return nil }
    if let size = largest(from: max(rules.wordBreak, rules.minimum), breaksWords: false) {
      return Fit(size: size, breaksWords: false)
    }
    return largest(from: rules.minimum, breaksWords: true).map { Fit(size: $0, breaksWords: true) }
  }

  /// Whether the message fits at a size.
  func fits(_ fit: Fit) -> Bool {
    var filler = filler(fit)
    while filler.placedWords < text.words.count {
      filler.place(filler.placedWords, of: text)
      if !filler.fits { return false }
    }
    return filler.fits
  }

  /// Lines at a size.
  func filler(_ fit: Fit, records: Bool = false) -> LineFiller {
    LineFiller(
      limit: TextFitter.width(rules.box, at: fit.size), mostLines: mostLines(at: fit.size),
      breaksWords: fit.breaksWords, records: records)
  }

  /// How many lines a box holds at a size.
  func mostLines(at size: Int) -> Int { TextFitter.lines(of: text.metrics, by: rules, at: size) }

  /// The first line is as high as its font; each other one adds the height of a line.
  static func lines(of metrics: FontMetrics, by rules: FitRules, at size: Int) -> Int {
    if rules.isEndless { return min(mostEndlessLines, max(0, rules.mostLines)) }
    let height = Em.units((rules.box.height - slack) * 64, at: size) - metrics.ascent - metrics.descent
    return height < 0 ? 0 : min(1 + height / max(1, metrics.lineHeight(by: rules)), max(0, rules.mostLines))
  }

  /// Pixels from the top of the first line to the bottom of the last, with what rounding adds.
  func height(ofLines count: Int, at size: Int) -> Int {
    guard count > 0 else { return 0 }
    let block = text.metrics.ascent + text.metrics.descent + (count - 1) * text.metrics.lineHeight(by: rules)
    return ((Em.pixels64(block, at: size) + 63) >> 6) + TextFitter.slack
  }

  static func width(_ box: Size, at size: Int) -> Int { Em.units((box.width - slack) * 64, at: size) }

  private func largest(from smallest: Int, breaksWords: Bool) -> Int? {
    func fitsAt(_ steps: Int) -> Bool { fits(Fit(size: steps * TextFitter.step, breaksWords: breaksWords)) }
    // Up to a step, but for a largest size between two steps.
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
  /// From one baseline to the next.
  func lineHeight(by rules: FitRules) -> Int { Int(Double(ascent + descent + gap) * rules.lineHeight) }
}
