import Geometry
import Testing

@testable import Typesetting

struct MessageTests {
  private let rules = FitRules(box: Size(800, 480), minimum: 12 * 64, wordBreak: 20 * 64)

  private func set(_ message: String, font: String? = dejaVu) throws -> TypesetText {
    try Typesetter().set(message, by: rules, font: font)
  }

  @Test func `a message without letters draws nothing and causes no warning`() throws {
    for message in ["", " ", "\n\n", "\u{0}\u{1B}", "\u{200B}", "\t \r\n"] {
      let text = try set(message)
      #expect(text.runs.isEmpty)
      #expect(text.lineCount == 0)
      #expect(text.warnings.isEmpty)
    }
  }

  @Test func `CR LF ends one line, and empty lines in between are preserved`() throws {
    #expect(try set("a\r\nb").lineCount == 2)
    #expect(try set("a\n\nb").lineCount == 3)
    #expect(try set("\na\nb\n\n").lineCount == 2)
    #expect(try set("a\u{2028}b\u{85}c\u{B}d").lineCount == 4)
  }

  @Test func `control characters are not drawn`() throws {
    let controls = (0...0x9F).filter { $0 < 0x20 || $0 >= 0x7F }.compactMap(Unicode.Scalar.init)
    for control in controls where !["\t", "\n", "\u{B}", "\u{C}", "\r", "\u{85}"].contains(control) {
      #expect(try set("Ga\(Character(control))te").runs == set("Gate").runs, "U+\(control.value)")
    }
  }

  @Test func `every scalar below U+3100, and the last of each plane, is set without a trap`() throws {
    let typesetter = try Typesetter()
    for block in stride(from: UInt32(0), to: 0x3100, by: 0x100) {
      let message = (block..<block + 0x100).compactMap(Unicode.Scalar.init).map { String($0) }.joined(separator: "x")
      #expect(try typesetter.set(message, by: rules, font: dejaVu).size >= rules.minimum)
    }
    let last = (0...16).compactMap { Unicode.Scalar($0 << 16 | 0xFFFF) }.map { String($0) }.joined()
    #expect(try !typesetter.set(last, by: rules, font: dejaVu).runs.isEmpty)
  }

  @Test func `characters that no font has are named by code point`() throws {
    let text = try set("a\u{F8FE}b\u{10FFFD}\u{F8FE}")
    #expect(text.missing == ["\u{F8FE}", "\u{10FFFD}"])
    #expect(text.warnings == ["no installed font has U+F8FE, U+10FFFD, and no Debian package is known to provide it"])
  }

  @Test func `runs in another font supply characters that the first lacks`() throws {
    let mono = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
    let text = try set("a\u{10300}b", font: mono)
    // U+10300 (Old Italic) is in DejaVu Sans but not in DejaVu Sans Mono.
    #expect(text.missing.isEmpty)
    #expect(Set(text.runs.map(\.font)).count == 2)
  }

  @Test(arguments: ["o\u{302}\u{309}", "\u{1ED5}", "\u{438}\u{306}", "\u{1112}\u{1161}\u{11AB}", "A\u{30A}"])
  func `a composed letter is taken from a font that has it, however it is encoded`(letter: String) throws {
    // This font has the letters, but not all of the separate marks.
    let text = try set("a\(letter)b", font: "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
    #expect(text.missing.isEmpty)
    #expect(Set(text.runs.map(\.font)).count == 1)
    #expect(text.runs.flatMap(\.glyphs).count == 3)
  }

  @Test func `text that does not fit is cut with an ellipsis, with a warning`() throws {
    let message = String(repeating: "all work and no play ", count: 1000)
    let text = try set(message)
    let cut = try #require(text.cut)
    #expect(cut.total == message.count)
    #expect((100..<message.count).contains(cut.shown))
    #expect(text.size == rules.minimum)
    #expect(text.warnings == ["the text was cut after \(cut.shown) of \(cut.total) characters: it does not fit"])
    let ellipsis = try set("\u{2026}").runs[0].glyphs[0].glyph
    #expect(text.runs.last?.glyphs.last?.glyph == ellipsis)
  }

  @Test(arguments: [Size(0, 0), Size(1, 1), Size(3, 400), Size(400, 3), Size(20, 20), Size(-5, 7)])
  func `a box too small for any letter stays empty`(box: Size) throws {
    let tiny = FitRules(box: box, minimum: 30 * 64, wordBreak: 30 * 64)
    let text = try Typesetter().set("Welcome", by: tiny, font: dejaVu)
    #expect(text.runs.isEmpty)
    #expect(text.cut == TextTruncation(shown: 0, total: 7))
  }

  /// Messages that are each long in one way; the names keep reports short.
  enum Long: String, CaseIterable {
    case word, text, lines, lineEnds, marksOnOneLetter, marksAlone, families, flags

    var message: String {
      switch self {
      case .word: String(repeating: "x", count: 50_000)
      case .text: String(repeating: "lorem ipsum ", count: 90_000)
      case .lines: String(repeating: "line\n", count: 100_000)
      case .lineEnds: String(repeating: "\n", count: 1_000_000) + "end"
      case .marksOnOneLetter: "a" + String(repeating: "\u{301}", count: 100_000)
      case .marksAlone: String(repeating: "\u{300}", count: 100_000)
      case .families: String(repeating: "\u{1F469}\u{200D}\u{1F467}", count: 20_000)
      case .flags: String(repeating: "\u{1F1E6}", count: 50_000)
      }
    }
  }

  @Test(arguments: Long.allCases)
  func `a message of any length takes bounded work`(long: Long) throws {
    let text = try Typesetter().set(long.message, by: rules, font: dejaVu)
    #expect(text.runs.reduce(0) { $0 + $1.glyphs.count } < 20_000)
    #expect(!text.warnings.isEmpty || long == .lineEnds)
  }
}
