import Markdown
import Testing

/// Texts that are made to consume much time or memory.
///
/// At this size, work that is quadratic in the number of bytes runs into the time limit.
@Suite(.timeLimit(.minutes(10)))
struct HostileTests {
  private static let size = 1 << 20
  private static let most = 1 << 20

  /// A text with a name for test reports.
  struct Hostile: CustomTestStringConvertible {
    var testDescription: String
    var text: String

    init(_ name: String, _ text: String) { (testDescription, self.text) = (name, text) }
  }

  private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  /// The texts; each is parsed within milliseconds.
  private static let texts = [
    Hostile("quotes", repeated(">", size)),
    Hostile("quotes below the bound", repeated(repeated(">", 500) + "a\n\n", size / 502)),
    Hostile("lists", repeated("- ", size / 4) + "a\n" + repeated("\n", size / 2)),
    Hostile("lists below the bound", repeated("- ", 250) + "a\n" + repeated("\n", size)),
    Hostile("numbers", repeated("1) ", size / 3)),
    Hostile("brackets", repeated("[", size)),
    Hostile("links in links", repeated("[", size / 5) + "a" + repeated("](b)", size / 5)),
    Hostile("pictures in pictures", repeated("![", size / 6) + "a" + repeated("](b)", size / 6)),
    Hostile("emphasis that never ends", repeated("*a ", size / 3)),
    Hostile("emphasis in emphasis", repeated("*a **a ", size / 14) + repeated("a** a* ", size / 14)),
    Hostile("strikes", repeated("~a ~~b ", size / 7)),
    Hostile("addresses", repeated("www.a.b ", size / 8)),
    Hostile("addresses of all kinds", repeated("http://a.b a@b.c ", size / 17)),
    Hostile("wide rows", repeated("|a", 20_000) + "\n" + repeated("|---", 20_000) + "\n" + repeated("|\n", 70_000)),
    Hostile("references", "[a]: " + repeated("x", size / 2) + "\n\n" + repeated("[a] ", size / 8)),
    Hostile("entities", repeated("&CounterClockwiseContourIntegral;&zz;", size / 37)),
    Hostile("NUL", repeated("\0", size)),
    Hostile("escapes", repeated("\\!", size / 2)),
    Hostile("headings", repeated("# a\n", size / 4)),
    Hostile("ticks", repeated("`a``", size / 4)),
    Hostile("tags", repeated("<a b='", size / 6)),
    Hostile("comments", repeated("a <!-- ", size / 7)),
  ]

  @Test(arguments: texts)
  func `No text takes quadratic time to parse, and no tree is deep`(hostile: Hostile) {
    let text = hostile.text
    let document = Document(text)
    let copy = Document(text)
    #expect(document == copy)
    #expect(depth(of: document.blocks) <= 100)
    #expect(document.plainText.utf8.count <= 6 << 20)
  }

  @Test func `Nesting deeper than 32 levels is flattened to that level without loss`() {
    let quotes = Document(Self.repeated("> ", 40) + "a\n\nb")
    #expect(quotes.plainText == "a\nb" && quotes.warnings == [.deep(levels: 32)])
    let lists = Document((0..<60).map { Self.repeated(" ", $0 * 2) + "- \($0)\n" }.joined())
    #expect(lists.plainText == (0..<60).map(String.init).joined(separator: "\n"))
    let spans = Document(Self.repeated("[*", 1) + Self.repeated("**a *a ", 30) + Self.repeated("b* b** ", 30))
    #expect(spans.plainText.count { $0 == "a" } == 60)
  }

  @Test func `A text of more than a megabyte is truncated after a line`() {
    let line = "Gate 17 is closed.\n"
    let count = Self.most / line.utf8.count
    let document = Document(Self.repeated(line, count + 5))
    let bytes = (count + 5) * line.utf8.count
    #expect(document.warnings == [.long(bytes: bytes, kept: count * line.utf8.count)])
    #expect(document.plainText.split(separator: ".").count == count)
    let single = Document(Self.repeated("a", Self.most - 1) + "ä")
    #expect(single.plainText == Self.repeated("a", Self.most - 1))
  }

  @Test func `Cut content causes a warning`() {
    #expect(Document("a\nb\n" + Self.repeated(" ", 600) + "c").warnings == [.indented(line: 3)])
    #expect(Document(Self.repeated("-", 2000)).blocks == [.rule])
    #expect(Document(Self.repeated("www.a.b ", Self.most / 8)).warnings == [.manyAddresses(Self.most / 8)])
    #expect(Document(Self.repeated("**a** ", Self.most / 6)).warnings == [.manyParts(1 << 18)])
    let references = "[a]: /" + Self.repeated("x", 1 << 19) + "\n\n" + Self.repeated("[a] ", 1000)
    #expect(Document(references).warnings == [.manyBytes(1 << 22)])
    for warning: Warning in [.long(bytes: 2, kept: 1), .indented(line: 3), .deep(levels: 32), .unfinished] {
      #expect(!warning.description.isEmpty)
    }
  }

  @Test func `A truncated table keeps its rows`() throws {
    let text = "|a|b|\n|---|---|\n" + Self.repeated("|*c*|`d`|\n", 100_000)
    guard case .table(let table) = try #require(Document(text).blocks.first) else {
      Issue.record("the text has no table")
      return
    }
    #expect(table.rows.count > 20_000 && table.rows.dropLast().allSatisfy { $0.count == 2 })
  }

  private func depth(of blocks: [Block]) -> Int {
    1
      + (blocks.map { block in
        switch block {
        case .quote(let blocks): depth(of: blocks)
        case .list(let list): 1 + (list.items.map { depth(of: $0.blocks) }.max() ?? 0)
        case .paragraph(let content): depth(of: content)
        case .heading(let heading): depth(of: heading.content)
        case .table(let table): ([table.header] + table.rows).joined().map { depth(of: $0) }.max() ?? 0
        case .code, .rule: 0
        }
      }.max() ?? 0)
  }

  private func depth(of content: [Inline]) -> Int {
    1
      + (content.map { inline in
        switch inline {
        case .emphasis(let content), .strong(let content), .strikethrough(let content): depth(of: content)
        case .link(let content, _, _): depth(of: content)
        case .text, .code, .image, .softBreak, .hardBreak: 0
        }
      }.max() ?? 0)
  }
}
