import Geometry

/// A text set into lines of one width, from the top down, without a height limit.
package struct FlowedText: Hashable, Sendable {
  /// One line. Coordinates are in pixels from the top left corner of the whole text, and so are those of its runs.
  package struct Line: Hashable, Sendable {
    /// The top of the line box.
    package var top: Int
    /// The baseline.
    package var baseline: Int
    /// The bottom of the line box. The next line can start below it.
    package var bottom: Int
    /// The glyphs; empty for an empty line.
    package var runs: [GlyphRun]
    /// Whether the line's paragraph is right-to-left.
    package var isRightToLeft: Bool
  }

  /// The lines, from the top.
  package var lines: [Line]
  /// The width of the widest line, in pixels. The text was set at least this wide.
  package var width: Int
  /// Warnings for the user: a substituted font, missing glyphs, or a text that is too long.
  package var warnings: [String]

  /// The distance from the top of the first line to the bottom of the last, in pixels.
  package var height: Int { lines.last?.bottom ?? 0 }
}

/// The rules for flowing a text; sizes are in 64ths of a pixel per em.
package struct FlowRules: Hashable, Sendable {
  /// The width of the lines, in pixels.
  package var width: Int
  /// The text size.
  package var size: Int
  /// The distance between baselines, as a factor of the font's own, from 0.5 to 4.
  package var lineHeight = 1.0
  /// The alignment of the lines.
  package var alignment = TextAlignment.start
  /// Whether the lines of a paragraph get similar lengths.
  package var isBalanced = false

  /// Creates rules for lines of a width in pixels and a size in 64ths of a pixel per em.
  package init(width: Int, size: Int) {
    self.width = width
    self.size = size
  }

  /// The equivalent fit rules for a box without a bottom edge.
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
  /// Sets a text at one size into lines of one width.
  ///
  /// Words that are wider than a line are broken. The time grows with the length of the text, which is limited to
  /// 131072 clusters and as many lines.
  ///
  /// - Parameters:
  ///   - text: The text. The style of its first run determines the line metrics.
  ///   - rules: The width, size, and alignment.
  /// - Throws: `TypesettingError` if no font can be opened.
  /// - Returns: The lines, with warnings about fonts, glyphs, and truncation.
  package func flow(_ text: StyledText, by rules: FlowRules) throws(TypesettingError) -> FlowedText {
    let rules = rules.endless
    let choice = try book.font(for: text.runs.first.flatMap { FontBook.request(for: $0.style) })
    var shaper = shaper(text, choice.face)
    var shaped = shape(&shaper, by: rules, choice.face)
    var fitter = TextFitter(text: shaped, rules: rules)
    let fit = TextFitter.Fit(size: rules.minimum, breaksWords: true)
    var filled = FilledLines(fitter, fit)
    if filled.hasBrokenWords, shaped.isComplete, let divided = hyphenated(text) {
      shaper = self.shaper(divided, choice.face)
      shaped = shape(&shaper, by: rules, choice.face)
      fitter = TextFitter(text: shaped, rules: rules)
      filled = FilledLines(fitter, fit)
    }
    var result = flowed(filled.lines, fitter, size: rules.minimum)
    result.warnings = warnings(choice, shaped, nil, lacksBreaks: shaper.lacksBreaks)
    if !filled.isWhole { result.warnings.append("a text is too long to be shown in full: its end was cut") }
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
