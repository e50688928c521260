import Geometry

/// A text that was set into lines of one width, from the top down, as far as it goes.
public struct FlowedText: Hashable, Sendable {
  /// One line. Its runs' places count from the left top corner of the whole text, in pixels as the others.
  public struct Line: Hashable, Sendable {
    /// Where its letters' box begins.
    public var top: Int
    /// What its letters stand on.
    public var baseline: Int
    /// Where its letters' box ends; the next line may begin below.
    public var bottom: Int
    /// Its glyphs; an empty line has none.
    public var runs: [GlyphRun]
    /// Whether its paragraph is read to the left.
    public var isRightToLeft: Bool
  }

  /// From the top.
  public var lines: [Line]
  /// Pixels that its widest line takes; it was set as wide at least.
  public var width: Int
  /// What a person should know: another font taken, glyphs missing, a text that is too long.
  public var warnings: [String]

  /// Pixels from the top of the first line to the bottom of the last.
  public var height: Int { lines.last?.bottom ?? 0 }
}

/// How a text flows; sizes are in 64ths of a pixel an em.
public struct FlowRules: Hashable, Sendable {
  /// The width of the lines, in pixels.
  public var width: Int
  /// The letters' size.
  public var size: Int
  /// From one baseline to the next beside what the font says; from 0.5 to 4.
  public var lineHeight = 1.0
  /// Where lines stand.
  public var alignment = TextAlignment.start
  /// Whether the lines of a paragraph are made as long as each other.
  public var isBalanced = false

  /// Rules for lines of a width.
  public init(width: Int, size: Int) {
    self.width = width
    self.size = size
  }

  /// The same for a box without a bottom.
  var endless: FitRules {
    var rules = FitRules(box: Size(width, 0), minimum: size, wordBreak: size, maximum: size)
    rules.lineHeight = lineHeight
    rules.alignment = alignment
    rules.isBalanced = isBalanced
    rules.isEndless = true
    return rules
  }
}

extension Typesetter {
  /// Sets a text at one size into lines of one width. Words that are wider than a line are broken.
  ///
  /// The time grows with the text's length, which is bounded: 131072 letters, as many lines.
  public func flow(_ text: StyledText, by rules: FlowRules) throws(TypesettingError) -> FlowedText {
    let rules = rules.endless
    let choice = try book.font(for: text.runs.first.flatMap { FontBook.request(for: $0.style) })
    var shaper = shaper(text, choice.face)
    let shaped = shape(&shaper, by: rules, choice.face)
    let fitter = TextFitter(text: shaped, rules: rules)
    let filled = FilledLines(fitter, TextFitter.Fit(size: rules.minimum, breaksWords: true))
    var result = flowed(filled.lines, fitter, size: rules.minimum)
    result.warnings = warnings(choice, shaped, nil, lacksBreaks: shaper.lacksBreaks)
    if !filled.isWhole { result.warnings.append("a text is too long to be shown as a whole: its end was left out") }
    return result
  }

  private func flowed(_ lines: [LineSetter.Line], _ fitter: TextFitter, size: Int) -> FlowedText {
    let metrics = fitter.text.metrics
    let descent = (Em.pixels64(metrics.descent, at: size) + 63) >> 6
    let ascent = (Em.pixels64(metrics.ascent, at: size) + 32) >> 6
    var setter = LineSetter(text: fitter.text, rules: fitter.rules, size: size)
    let flowed = lines.enumerated().map { number, line in
      let first = setter.runs.count
      setter.set(line, number: number, of: lines.count)
      let baseline = setter.baseline(number, of: lines.count)
      return FlowedText.Line(
        top: baseline - ascent, baseline: baseline, bottom: baseline + descent,
        runs: setter.runs[first...].filter { !$0.glyphs.isEmpty }, isRightToLeft: line.isRightToLeft)
    }
    let widest = lines.lazy.map(\.extent.width).max() ?? 0
    let width = ((Em.pixels64(widest, at: size) + 63) >> 6) + TextFitter.slack + 1
    return FlowedText(lines: flowed, width: width, warnings: [])
  }
}
