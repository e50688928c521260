import Geometry
import SeededRandom
import Testing

@testable import Typesetting

struct FitTests {
  /// Boxes and messages from one seed.
  private struct FitSample {
    var seed: UInt64
    var message: String
    var rules: FitRules
    var font: String

    var text: StyledText { StyledText(message, style: TextStyle(font: font)) }

    init(seed: UInt64) {
      var generator = SeededGenerator(seed: seed)
      self.seed = seed
      message = RandomText.make(using: &generator)
      font = RandomText.font(using: &generator)
      let box = Size(Int.random(in: 40...2000, using: &generator), Int.random(in: 30...1200, using: &generator))
      let minimum = Int.random(in: 8...14, using: &generator) * 64
      rules = FitRules(box: box, minimum: minimum, wordBreak: minimum * Int.random(in: 1...4, using: &generator))
    }
  }

  /// Counts the lines for whole words with the simplest algorithm; nil if a word is wider than the box.
  private func plainLineCount(_ fitter: TextFitter, size: Int) -> Int? {
    let width = (fitter.rules.box.width - TextFitter.slack) * 64
    var lines: [[Word]] = [[]]
    for word in fitter.text.words {
      for _ in 0..<word.newlines { lines.append([]) }
      let longer = (lines.last ?? []) + [word]
      if units(of: longer, fitter.text) * size <= width * Em.units {
        lines[lines.count - 1] = longer
      } else {
        var wrapped = word
        wrapped.tabs = 0
        if lines.last?.isEmpty == true { lines.removeLast() }
        lines.append([wrapped])
      }
      if units(of: lines[lines.count - 1], fitter.text) * size > width * Em.units { return nil }
    }
    return lines.count
  }

  private func units(of line: [Word], _ text: ShapedText) -> Int {
    var (pen, left, right, over) = (0, 0, 0, 0)
    for (place, word) in line.enumerated() {
      if word.tabs > 0 {
        pen = ((pen + (place == 0 ? 0 : word.gap)) / text.tabStop + word.tabs) * text.tabStop
      } else if place > 0 {
        pen += word.gap
      }
      // If visual order differs from logical order, the overhang can be at either end.
      left = min(left, (text.isBidi ? 0 : pen) + word.extent.left)
      over = max(over, word.extent.right - word.extent.advance)
      right = max(right, pen + word.extent.right)
      pen += word.extent.advance
    }
    return text.isBidi ? pen + over - left : right - left
  }

  private func plainlyFits(_ fitter: TextFitter, size: Int) -> Bool {
    guard let lines = plainLineCount(fitter, size: size) else { return false }
    let height =
      (lines - 1) * fitter.text.metrics.lineHeight(by: fitter.rules) + fitter.text.metrics.ascent
      + fitter.text.metrics.descent
    return height * size <= (fitter.rules.box.height - TextFitter.slack) * 64 * Em.units
  }

  @Test(arguments: UInt64(1)...60)
  func `a message is set as large as the box allows`(seed: UInt64) throws {
    let sample = FitSample(seed: seed)
    let fitter = try Typesetter().fitter(sample.text, by: sample.rules)
    guard !fitter.text.words.isEmpty, let fit = fitter.best() else { return }
    #expect(fitter.fits(fit), "seed \(seed)")
    let larger = TextFitter.Fit(size: fit.size + TextFitter.step, breaksWords: fit.breaksWords)
    #expect(!fitter.fits(larger) || larger.size > sample.rules.maximum, "seed \(seed)")
    // The simple algorithm does not support soft hyphens.
    guard !fit.breaksWords, !fitter.text.words.contains(where: \.isHyphenated) else { return }
    #expect(plainlyFits(fitter, size: fit.size), "seed \(seed)")
    for more in 1...40 { #expect(!plainlyFits(fitter, size: fit.size + more * TextFitter.step), "seed \(seed)") }
  }

  @Test(arguments: UInt64(1)...60)
  func `if a size fits, every smaller size fits`(seed: UInt64) throws {
    let sample = FitSample(seed: seed)
    let fitter = try Typesetter().fitter(sample.text, by: sample.rules)
    guard let fit = fitter.best() else { return }
    for size in stride(from: sample.rules.minimum, through: fit.size, by: 40) {
      let smaller = TextFitter.Fit(size: size, breaksWords: fit.breaksWords)
      #expect(fitter.fits(smaller), "seed \(seed) at \(size)")
    }
  }

  @Test(arguments: UInt64(1)...60)
  func `every cluster is on one line, once and in order`(seed: UInt64) throws {
    let sample = FitSample(seed: seed)
    let fitter = try Typesetter().fitter(sample.text, by: sample.rules)
    guard let fit = fitter.best() else { return }
    let placed = FilledLines(fitter, fit).lines.flatMap { line in
      line.clusters.filter { !$0.isGap && $0.index != fitter.text.hyphen }.map(\.index)
    }
    #expect(placed == fitter.text.words.flatMap(\.clusters), "seed \(seed)")
  }

  @Test(arguments: UInt64(1)...60)
  func `no glyph extends beyond its run's ink, or beyond the box`(seed: UInt64) throws {
    let sample = FitSample(seed: seed)
    let typesetter = try Typesetter()
    let text = try typesetter.set(sample.text, by: sample.rules)
    for run in text.runs {
      #expect(Rect(sample.rules.box).contains(run.ink), "seed \(seed)")
      for glyph in run.glyphs {
        var bounds = typesetter.drawing(of: glyph.glyph, font: run.font, size: run.size, shift: Int(glyph.x & 63))
          .bounds
        bounds.x += Int(glyph.x >> 6)
        bounds.y += Int(glyph.y >> 6)
        #expect(run.ink.contains(bounds), "seed \(seed), glyph \(glyph.glyph)")
      }
    }
  }

  @Test func `a word too wide for a sensible letter size is broken, never inside a Character`() throws {
    let word = String(repeating: "e\u{301}", count: 120)
    let rules = FitRules(box: Size(300, 300), minimum: 10 * 64, wordBreak: 12 * 64)
    let fitter = try Typesetter().fitter(inDejaVu(word), by: rules)
    let fit = try #require(fitter.best())
    #expect(fit.breaksWords)
    #expect(fitter.text.clusters.count == 120)
    #expect(FilledLines(fitter, fit).lines.count > 1)
  }

  @Test func `a word stays whole while its letters have a sensible size`() throws {
    let rules = FitRules(box: Size(300, 300), minimum: 10 * 64, wordBreak: 20 * 64)
    let fit = try #require(try Typesetter().fitter(inDejaVu("Hochwasserwarnung"), by: rules).best())
    #expect(!fit.breaksWords && fit.size >= rules.wordBreak)
  }
}
