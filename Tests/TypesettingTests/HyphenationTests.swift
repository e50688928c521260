import Geometry
import Glibc
import Testing

@testable import Typesetting

/// The division of words that are too long for a line, by the rules of their language.
@Suite(
  .enabled(
    if: unsafe access("/usr/share/hyphen/hyph_de_DE.dic", R_OK) == 0, "hyphen-de is not installed"))
struct HyphenationTests {
  private let word = "Geschwindigkeitsbegrenzung"

  private func style(_ language: String?) -> TextStyle {
    var style = TextStyle(font: dejaVu)
    style.hyphenation = language
    return style
  }

  private func set(_ text: String, width: Int, _ language: String?) throws -> TypesetText {
    let rules = FitRules(box: Size(width, 600), minimum: 20 * 64, wordBreak: 60 * 64, maximum: 100 * 64)
    return try Typesetter().set(StyledText(text, style: style(language)), by: rules)
  }

  /// The glyphs of a text in reading order, without hyphens.
  private func glyphs(_ text: TypesetText) throws -> (letters: [UInt32], hyphens: Int) {
    let hyphen = try set("\u{2010}", width: 600, nil).runs.first?.glyphs.first?.glyph
    let all = text.runs.flatMap(\.glyphs).map(\.glyph)
    return (all.filter { $0 != hyphen }, all.count { $0 == hyphen })
  }

  @Test func `a word that would be broken anywhere is divided with hyphens instead`() throws {
    let (broken, divided) = (try set(word, width: 400, nil), try set(word, width: 400, "de"))
    #expect(try glyphs(broken).hyphens == 0 && broken.lineCount > 1)
    #expect(try glyphs(divided).hyphens == divided.lineCount - 1)
    #expect(try glyphs(divided).letters.count == word.count)
    #expect(divided.size >= 60 * 64 && divided.cut == nil && divided.warnings.isEmpty)
  }

  @Test func `a word that fits in large letters is not divided`() throws {
    #expect(try set(word, width: 1600, "de") == set(word, width: 1600, nil))
    #expect(try set("Willkommen", width: 700, "de").lineCount == 1)
  }

  @Test func `a word that fits in small letters is divided if its letters are much larger then`() throws {
    func set(_ text: String, division: Int, _ language: String? = "de") throws -> TypesetText {
      var rules = FitRules(box: Size(800, 600), minimum: 20 * 64, wordBreak: 30 * 64, maximum: 200 * 64)
      rules.division = division * 64
      return try Typesetter().set(StyledText(text, style: style(language)), by: rules)
    }
    let whole = try set(word, division: 30)
    #expect(whole.lineCount == 1 && whole.size < 60 * 64)
    let divided = try set(word, division: 60)
    #expect(divided.lineCount > 1 && divided.size >= whole.size * 5 / 4)
    #expect(try glyphs(divided).hyphens == divided.lineCount - 1)
    #expect(try set(word, division: 40) == whole, "the letters are not small")
    #expect(try set(word, division: 60, nil) == whole, "there is no language")
    let text = Array(repeating: "Wir sind am Montag wieder da.", count: 20).joined(separator: " ")
    #expect(try set(text, division: 60) == set(text, division: 60, nil), "the letters would not be much larger")
  }

  @Test(arguments: ["tlh", "", "en-x"]) func `without a dictionary, words are broken anywhere`(language: String) throws
  {
    #expect(try set("Ωμέγαωμέγαωμέγαωμέγα", width: 300, language) == set("Ωμέγαωμέγαωμέγαωμέγα", width: 300, nil))
  }

  @Test func `soft hyphens in a word take precedence over the dictionary`() throws {
    let marked = "Geschwindigkeits\u{AD}begrenzung"
    #expect(try set(marked, width: 700, "de") == set(marked, width: 700, nil))
    let text = try Typesetter().hyphenated(StyledText("\(marked) Straßenbahn", style: style("de")))
    #expect(text?.runs.first?.text == "\(marked) Stra\u{AD}ßen\u{AD}bahn")
  }

  @Test func `flowing text is divided only where a word is wider than the line`() throws {
    let typesetter = try Typesetter()
    let text = StyledText("Hier gilt eine \(word) für alle Straßenbahnen", style: style("de"))
    func lines(_ width: Int) throws -> FlowedText {
      try typesetter.flow(text, by: FlowRules(width: width, size: 40 * 64))
    }
    let hyphen = try set("\u{2010}", width: 600, nil).runs.first?.glyphs.first?.glyph
    func hyphens(_ text: FlowedText) -> Int {
      text.lines.flatMap(\.runs).flatMap(\.glyphs).count { $0.glyph == hyphen }
    }
    #expect(try hyphens(lines(800)) == 0)
    #expect(try hyphens(lines(400)) > 0)
    #expect(try lines(400).width <= 400 + 3)
  }

  @Test func `a text that is cut is cut as without a dictionary`() throws {
    let long = Array(repeating: word, count: 400).joined(separator: " ")
    let (plain, german) = (try set(long, width: 400, nil), try set(long, width: 400, "de"))
    #expect(german.cut == plain.cut && german.cut != nil)
    #expect(german.warnings == plain.warnings)
  }
}
