import Geometry
import Testing

@testable import Typesetting

struct FontTests {
  private let rules = FitRules(box: Size(400, 200), minimum: 12 * 64, wordBreak: 20 * 64)

  @Test func `a font that is not installed is named, with its substitute`() throws {
    let text = try Typesetter().set("Hello", by: rules, font: "No Such Family 7")
    #expect(text.warnings == ["font No Such Family 7 is not installed; using \(text.font) instead"])
    #expect(!text.runs.isEmpty)
  }

  @Test(arguments: ["sans-serif", "Serif", ":bold", "monospace:bold"])
  func `a generic family causes no warning`(font: String) throws {
    #expect(try Typesetter().set("Hello", by: rules, font: font).warnings.isEmpty)
  }

  @Test(arguments: ["DejaVu Sans:size=big", "sans:weight=foo", "sans:charset=zz", ":", "-"])
  func `a pattern that fontconfig cannot parse is replaced by the default`(font: String) throws {
    let text = try Typesetter().set("Hello", by: rules, font: font)
    #expect(!text.runs.isEmpty)
    #expect(
      try Typesetter().set("Hello 你好", by: rules, font: font).missing.isEmpty,
      "other fonts supply the missing characters")
    if font.count > 1 { #expect(text.warnings == ["there is no font for \(font); using \(text.font) instead"]) }
  }

  @Test(arguments: ["/no/such/font.ttf", "/etc/passwd", "/", "/dev/null"])
  func `a file that is not a font is replaced by the default, with a warning`(file: String) throws {
    let text = try Typesetter().set("Hello", by: rules, font: file)
    #expect(!text.runs.isEmpty)
    #expect(text.warnings.count == 1)
    #expect(text.warnings.first?.contains("font \(file) cannot be used") == true)
  }

  @Test func `a substituted font has a warning, and a missing file is looked up again`() throws {
    let typesetter = try Typesetter()
    #expect(try typesetter.warning(ofFont: dejaVu) == nil)
    #expect(try typesetter.warning(ofFont: "No Such Family 7")?.hasPrefix("font No Such Family 7 is not") == true)
    #expect(!typesetter.isOutOfDate)
    #expect(try typesetter.warning(ofFont: "/no/such/font.ttf")?.contains("/no/such/font.ttf") == true)
    #expect(typesetter.isOutOfDate)
  }

  @Test func `a family name and its file give the same glyphs`() throws {
    let named = try Typesetter().set("Hello", by: rules, font: "DejaVu Sans")
    let file = try Typesetter().set("Hello", by: rules, font: dejaVu)
    #expect(named.runs == file.runs)
  }

  @Test func `glyphs grow with their size, and move by the offset`() throws {
    let typesetter = try Typesetter()
    let run = try #require(try typesetter.set("H", by: rules, font: dejaVu).runs.first)
    let glyph = run.glyphs[0].glyph
    func bounds(_ size: Int32, _ shift: Int) -> Rect {
      typesetter.drawing(of: glyph, font: run.font, size: size, shift: shift).bounds
    }
    #expect(bounds(6400, 0).height == 73)
    #expect(bounds(12800, 0).height == 146)
    #expect(bounds(6400, 64).x == bounds(6400, 0).x + 1)
    #expect(typesetter.drawing(of: 0xFFFFFF, font: run.font, size: 6400, shift: 0).bounds.isEmpty)
    #expect(typesetter.drawing(of: glyph, font: FontID(99), size: 6400, shift: 0).bounds.isEmpty)
  }

  @Test func `a glyph's rows contain ordered pixels within its bounds`() throws {
    let typesetter = try Typesetter()
    // It is larger than the rasterizer's memory pool, so it arrives in bands and parts of bands.
    for letter in ["g", "@"] {
      let run = try #require(try typesetter.set(letter, by: rules, font: dejaVu).runs.first)
      let drawing = typesetter.drawing(of: run.glyphs[0].glyph, font: run.font, size: 700 * 64, shift: 16)
      guard case .spans(let spans) = drawing else {
        Issue.record("a letter of one color consists of spans")
        continue
      }
      #expect(spans.rows.count == spans.bounds.height + 1)
      for row in 0..<spans.bounds.height {
        let edges = spans.edges[Int(spans.rows[row].edge)..<Int(spans.rows[row + 1].edge)].map { Int($0.x) }
        let solids = spans.solids[Int(spans.rows[row].solid)..<Int(spans.rows[row + 1].solid)]
          .flatMap { Int($0.x)..<Int($0.x) + Int($0.length) }
        #expect(edges == edges.sorted() && solids == solids.sorted())
        #expect(Set(edges + solids).count == edges.count + solids.count)
        #expect((edges + solids).allSatisfy { (spans.bounds.x..<spans.bounds.right).contains($0) })
      }
    }
  }
}
