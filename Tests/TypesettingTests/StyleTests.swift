import Geometry
import Glibc
import Testing

@testable import Typesetting

@Suite(.timeLimit(.minutes(10)))
struct StyleTests {
  private let box = Size(1200, 600)

  private func rules(_ size: Int, _ change: (inout FitRules) -> Void = { _ in }) -> FitRules {
    var rules = FitRules(box: box, minimum: size * 64, wordBreak: size * 64, maximum: size * 64)
    change(&rules)
    return rules
  }

  private func lines(_ text: TypesetText) -> [[PlacedGlyph]] {
    let glyphs = text.runs.flatMap(\.glyphs)
    return Set(glyphs.map(\.y)).sorted().map { y in glyphs.filter { $0.y == y }.sorted { $0.x < $1.x } }
  }

  private func set(_ text: String, by rules: FitRules, _ style: TextStyle = TextStyle(font: dejaVu)) throws
    -> TypesetText
  {
    try Typesetter().set(StyledText(text, style: style), by: rules)
  }

  @Test func `lines are aligned as requested`() throws {
    for (alignment, text, isLeft, isRight) in [
      (TextAlignment.start, "Hello", true, false), (.end, "Hello", false, true), (.start, "שלום", false, true),
      (.end, "שלום", true, false), (.center, "Hello", false, false), (.justify, "Hello", true, false),
    ] {
      let set = try set(text, by: rules(60) { $0.alignment = alignment })
      let ink = set.runs.map(\.ink).reduce(Rect.empty) { $0.union($1) }
      let (left, right) = (ink.x < 12, ink.right > box.width - 12)
      #expect(left == isLeft, "\(alignment) \(text)")
      #expect(right == isRight, "\(alignment) \(text)")
    }
  }

  @Test func `justified lines reach both edges, except the last of a paragraph`() throws {
    let text = try set(
      "one two three four five six seven eight nine ten eleven", by: rules(110) { $0.alignment = .justify })
    let inks = Dictionary(grouping: text.runs, by: { $0.glyphs.first?.y ?? 0 }).sorted { $0.key < $1.key }
      .map { $0.value.map(\.ink).reduce(Rect.empty) { $0.union($1) } }
    try #require(inks.count >= 3)
    let right = box.width - 14
    for ink in inks.dropLast() { #expect(ink.x < 14 && ink.right > right) }
    let last = try #require(inks.last)
    #expect(last.right < right - 100)
  }

  @Test func `no word is alone on a line if the lines can be balanced`() throws {
    let message = "The quick brown fox jumps over the lazy dog again"
    func widths(_ isBalanced: Bool) throws -> [Int] {
      try lines(set(message, by: rules(70) { $0.isBalanced = isBalanced })).map {
        Int(($0.last?.x ?? 0) - ($0.first?.x ?? 0))
      }
    }
    let (greedy, balanced) = (try widths(false), try widths(true))
    #expect(greedy.count == balanced.count && balanced.count > 1)
    let (shortest, shortestOfGreedy) = (balanced.min() ?? 0, greedy.min() ?? 0)
    #expect(shortest > shortestOfGreedy)
    let (longest, longestOfGreedy) = (balanced.max() ?? 0, greedy.max() ?? 0)
    #expect(longest <= longestOfGreedy)
  }

  @Test func `a soft hyphen is visible only at the end of a line`() throws {
    let word = "Donau\u{AD}dampf\u{AD}boots\u{AD}hafen"
    let whole = try set(word, by: rules(40))
    #expect(whole.lineCount == 1)
    let count = whole.runs.flatMap(\.glyphs).count
    let broken = try set(word, by: rules(150))
    #expect(broken.lineCount == 2)
    let hyphens = broken.runs.flatMap(\.glyphs).count - count
    #expect(hyphens == 1)
    let typesetter = try Typesetter()
    let alone = try typesetter.set("\u{2010}", by: rules(150), font: dejaVu).runs.first?.glyphs.first?.glyph
    #expect(lines(broken)[0].last?.glyph == alone)
  }

  @Test func `no word is divided only to balance lines`() throws {
    let text = try set("The shipping com\u{AD}pany an\u{AD}nounced its de\u{AD}par\u{AD}ture", by: rules(100))
    let plain = try set("The shipping company announced its departure", by: rules(100))
    #expect(text.lineCount == plain.lineCount && text.lineCount > 1)
    #expect(text.runs.flatMap(\.glyphs).count == plain.runs.flatMap(\.glyphs).count)
  }

  @Test func `in right-to-left text a hyphen is at the left`() throws {
    // Hebrew is not divided after a hyphen (UAX #14, LB21a), but Arabic is.
    let word = "مرحبا\u{AD}بالعالم"
    let narrow = FitRules(box: Size(360, 600), minimum: 120 * 64, wordBreak: 120 * 64, maximum: 120 * 64)
    let text = try set(word, by: narrow)
    try #require(text.lineCount == 2)
    let alone = try set("\u{2010}", by: narrow).runs.first?.glyphs.first?.glyph
    let line = lines(text)[0].map(\.glyph)
    #expect(line.filter { $0 == alone }.count == 1)
    #expect(line.first == alone, "\(line)")
  }

  @Test func `a soft hyphen does not undo a line end, and does not hide a cut`() throws {
    #expect(try set("abc\n\u{AD}def", by: rules(40)).lineCount == 2)
    let cut = try set("Donau\u{AD}dampf\u{AD}boots\u{AD}hafen und mehr", by: rules(170) { $0.mostLines = 1 })
    #expect((cut.cut?.shown ?? 0) > 3)
    let hyphen = try set("\u{2010}", by: rules(170)).runs.first?.glyphs.first?.glyph
    #expect(!cut.runs.flatMap(\.glyphs).contains { $0.glyph == hyphen })
  }

  @Test func `the maximum size limits short messages too`() throws {
    var small = FitRules(box: box, minimum: 12 * 64, wordBreak: 45 * 64, maximum: 21 * 64)
    small.alignment = .start
    #expect(try set("Hello", by: small).size == 21 * 64)
  }

  @Test func `lines make room for larger parts`() throws {
    let typesetter = try Typesetter()
    func height(_ scale: Double) throws -> Int {
      let text = StyledText([
        StyledRun("a\nb", style: TextStyle(font: dejaVu)),
        StyledRun("\nc", style: TextStyle(font: dejaVu, scale: scale)),
      ])
      return try typesetter.fitter(text, by: rules(20)).text.metrics.ascent
    }
    let (once, more) = (try height(1), try height(1.5))
    #expect(abs(more * 2 - once * 3) <= 4)
  }

  @Test func `alternating styles do not exhaust resources`() throws {
    let styles = [TextStyle(font: dejaVu), TextStyle(font: dejaVu, color: .white)]
    let text = StyledText((0..<6000).map { StyledRun("a ", style: styles[$0 % 2]) })
    let fitter = try Typesetter().fitter(text, by: FitRules(box: Size(2000, 2000), minimum: 640, wordBreak: 640))
    #expect(fitter.text.looks.count == 2)
    let last = try #require(fitter.text.glyphs.suffix(4).map(\.look).first { $0 == 1 })
    #expect(last == 1)
  }

  @Test func `a long paragraph also breaks where its parts meet`() throws {
    let text = String(repeating: "abcdefg ", count: 2000)
    let fitter = try Typesetter().fitter(
      inDejaVu(text), by: FitRules(box: Size(4000, 4000), minimum: 640, wordBreak: 640))
    #expect(fitter.text.words.count == 2000)
    #expect(fitter.text.words.allSatisfy { $0.clusters.count == 7 })
  }

  @Test func `zero-width characters do not make cutting slow`() throws {
    // Measuring the rest again for each removed character would take hours.
    let text = String(repeating: "W", count: 60) + String(repeating: "\u{FFFC}", count: 1_200_000) + "end"
    _ = try set(text, by: FitRules(box: Size(1000, 40), minimum: 16 * 64, wordBreak: 16 * 64))
  }

  @Test func `text that is cut at an empty line ends there, with an ellipsis`() throws {
    let text = try set("a" + String(repeating: "\u{C}", count: 40) + "b", by: rules(100))
    #expect(text.cut == TextTruncation(shown: 41, total: 42))
    #expect(text.runs.flatMap(\.glyphs).count == 2)
  }

  @Test func `tabs use the same stops in each line`() throws {
    let text = try set("a\tb\nxyz\tb", by: rules(40) { $0.alignment = .start })
    let lines = lines(text)
    try #require(lines.count == 2)
    #expect(lines[0].last?.x == lines[1].last?.x)
  }

  @Test func `right-to-left text is set from right to left, and its numbers from left to right`() throws {
    // In logical order: alef, bet, 1, 2. From left to right: 1 2 bet alef.
    let letters = try ["א", "ב", "1", "2"].map { try #require(set($0, by: rules(40)).runs.first?.glyphs.first?.glyph) }
    let line = try lines(set("אב 12", by: rules(40)))[0].map(\.glyph)
    #expect(line == [letters[2], letters[3], letters[1], letters[0]])
  }

  @Test func `a bracket in Arabic and Hebrew is mirrored`() throws {
    let open = try #require(set("(", by: rules(40)).runs.first?.glyphs.first?.glyph)
    let line = try lines(set("א(ב)", by: rules(40)))[0].map(\.glyph)
    #expect(line.first == open)
  }

  @Test func `bold and italic letters come from other fonts`() throws {
    let plain = try set("Hello", by: rules(60), TextStyle(font: "DejaVu Sans"))
    let bold = try set("Hello", by: rules(60), TextStyle(font: "DejaVu Sans", weight: 700))
    #expect(plain != bold)
    let typesetter = try Typesetter()
    let mixed = StyledText([
      StyledRun("one ", style: TextStyle(font: "DejaVu Sans")),
      StyledRun("two ", style: TextStyle(font: "DejaVu Sans", weight: 700, color: .white)),
      StyledRun("three", style: TextStyle(isMonospaced: true, scale: 0.5)),
    ])
    let runs = try typesetter.set(mixed, by: rules(60)).runs
    #expect(runs.map(\.color) == [nil, .white, nil])
    #expect(Set(runs.map(\.font)).count == 3)
    let sizes: [Int32] = [3840, 3840, 1920]
    #expect(runs.map(\.size) == sizes)
  }

  @Test func `a variable font has the requested weight`() throws {
    // fonts-inter-variable of Debian 13 and of Debian 12.
    let files = ["InterVariable.ttf", "Inter-roman.var.ttf"].map { "/usr/share/fonts/truetype/inter-vf/\($0)" }
    let font = try #require(files.first { unsafe access($0, R_OK) == 0 }, "fonts-inter-variable is not installed")
    let name = font == files[0] ? "Inter Variable" : "Inter"
    let widths = try [nil, 100, 400, 900].map { weight in
      let style = TextStyle(font: font, weight: weight)
      return try Typesetter().glyphs(of: StyledText("Hamburg", style: style)).flatMap { $0 }.reduce(0) {
        $0 + $1.advance
      }
    }
    #expect(widths[0] == widths[2])
    #expect(widths[1] < widths[2] && widths[2] < widths[3])
    let ink = try [100, 900].map { weight in
      let typesetter = try Typesetter()
      let run = try #require(
        try typesetter.set(StyledText("l", style: TextStyle(font: font, weight: weight)), by: rules(200)).runs.first)
      return run.ink.width
    }
    #expect(ink[0] * 2 < ink[1], "the outlines follow the weight too")
    let family = try Typesetter().set(StyledText("l", style: TextStyle(font: name, weight: 900)), by: rules(200))
    let thin = try Typesetter().set(StyledText("l", style: TextStyle(font: name, weight: 100)), by: rules(200))
    #expect((thin.runs.first?.ink.width ?? 0) * 2 < family.runs.first?.ink.width ?? 0, "fontconfig finds it as well")
  }

  @Test func `tabular figures are used if the font has them`() throws {
    let font = "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf"
    func advances(_ features: TextFeatures) throws -> Set<Int32> {
      let style = TextStyle(font: font, features: features)
      return Set(try Typesetter().glyphs(of: StyledText("0123456789", style: style)).flatMap { $0 }.map(\.advance))
    }
    #expect(try advances(.tabularFigures).count == 1)
    let plain = try Typesetter().glyphs(of: StyledText("abc", style: TextStyle(font: font)))
    let small = try Typesetter().glyphs(of: StyledText("abc", style: TextStyle(font: font, features: .smallCaps)))
    #expect(plain != small)
  }

  @Test func `the line spacing is as requested, within its limits`() throws {
    let near = try lines(set("a\nb", by: rules(60)))
    let far = try lines(set("a\nb", by: rules(60) { $0.lineHeight = 2 }))
    func distance(_ lines: [[PlacedGlyph]]) -> Int32 { lines[1][0].y - lines[0][0].y }
    let (once, twice) = (distance(near), distance(far))
    #expect(abs(twice - 2 * once) <= 64)
    let cut = try set("one two three four five six seven eight nine ten eleven", by: rules(80) { $0.mostLines = 1 })
    #expect(cut.lineCount == 1 && cut.cut != nil)
  }

  @Test(arguments: [
    ("ก", "fonts-noto-core"), ("水", "fonts-noto-cjk"), ("😀", "fonts-noto-color-emoji"), ("「", "fonts-noto-cjk"),
    ("Ж", "fonts-noto-core"),
  ])
  func `a character that no font has is named with the package that provides it`(letter: String, package: String) throws
  {
    let scalar = try #require(letter.unicodeScalars.first)
    #expect(MissingGlyphs.package(for: scalar) == package)
    let warning = try #require(MissingGlyphs.warnings([scalar]).first)
    #expect(warning.hasSuffix(": install the package \(package), then reload placardd"))
  }

  @Test(arguments: [
    ("😀", true), ("❤\u{FE0F}", true), ("❤", false), ("❤\u{FE0E}", false), ("1", false), ("1\u{FE0F}\u{20E3}", true),
    ("👍🏽", true), ("🇩🇪", true), ("©", false), ("☀", false), ("a\u{301}", false), ("⌚", true), ("⌚\u{FE0E}", false),
  ])
  func `emoji presentation follows Unicode, unless a selector says otherwise`(text: String, isEmoji: Bool) {
    #expect(Itemizer.isEmoji(Array(text.unicodeScalars)) == isEmoji)
  }
}
