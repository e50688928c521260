import Geometry
import Testing
import Typesetting

struct FlowTests {
  private let dejaVu = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

  private func flow(
    _ text: String, width: Int, size: Int = 20, change: (inout FlowRules) -> Void = { _ in }
  ) throws -> FlowedText {
    var rules = FlowRules(width: width, size: size * 64)
    change(&rules)
    return try Typesetter().flow(StyledText(text, style: TextStyle(font: dejaVu)), by: rules)
  }

  @Test func `lines are stacked at one size, within their width`() throws {
    let text = try flow(String(repeating: "flowing words ", count: 60), width: 300)
    #expect(text.lines.count > 20 && text.width <= 300 + 3)
    for (line, next) in zip(text.lines, text.lines.dropFirst()) {
      #expect(line.top < line.baseline && line.baseline < line.bottom && next.baseline > line.baseline)
    }
    for line in text.lines {
      for run in line.runs {
        #expect(run.size == 20 * 64 && run.ink.x >= 0 && run.ink.right <= 300)
        #expect(run.ink.y >= line.top - 2 && run.ink.bottom <= line.bottom + 2)
      }
    }
    #expect(text.height == text.lines.last?.bottom)
  }

  @Test func `a text with enough room is as wide as its letters`() throws {
    let text = try flow("one line", width: 16384)
    #expect(text.lines.count == 1)
    #expect(try flow("one line", width: text.width).lines.count == 1)
    #expect(try flow("one line", width: text.width - 8).lines.count == 2)
  }

  @Test func `empty lines are lines without letters`() throws {
    let text = try flow("a\n\n\u{A0}\u{A0}b", width: 300)
    #expect(text.lines.map(\.runs.count) == [1, 0, 1])
    let indent = try #require(text.lines[2].runs.first).ink.x
    #expect(indent > text.lines[0].runs[0].ink.x + 5)
  }

  @Test func `an empty text gives no lines, and a width of zero does not trap`() throws {
    #expect(try flow("", width: 300).lines.isEmpty)
    for width in [Int.min, -1, 0, 1] { #expect(try flow("abc", width: width).lines.count >= 1) }
  }

  @Test func `a larger line height separates lines by its factor`() throws {
    let (plain, tall) = (try flow("a\nb", width: 99), try flow("a\nb", width: 99) { $0.lineHeight = 2 })
    let steps = [plain, tall].map { $0.lines[1].baseline - $0.lines[0].baseline }
    #expect(abs(steps[1] - 2 * steps[0]) <= 1)
  }

  @Test func `right-to-left lines are aligned to the right`() throws {
    let text = try flow("שלום", width: 400)
    #expect(text.lines[0].isRightToLeft && (text.lines[0].runs.last?.ink.right ?? 0) > 380)
  }

  @Test func `runs return the mark of their style`() throws {
    var marked = TextStyle(font: dejaVu)
    marked.mark = 7
    let text = StyledText([
      StyledRun("plain ", style: TextStyle(font: dejaVu)), StyledRun("marked", style: marked),
    ])
    let flowed = try Typesetter().flow(text, by: FlowRules(width: 600, size: 1280))
    #expect(flowed.lines[0].runs.map(\.mark) == [0, 7])
  }
}
