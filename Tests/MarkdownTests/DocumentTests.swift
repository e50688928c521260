import Testing

@testable import Markdown

struct DocumentTests {
  @Test func `A text becomes blocks and inline elements`() {
    let document = Document(
      """
      # Evacuation *plan*

      Leave by the **nearest** exit,
      then meet at `P4`.  \n[Map](https://example.org/map "All floors")

      > Keep calm.

      ---
      """)
    #expect(
      document.blocks == [
        heading(1, "evacuation-plan", [.text("Evacuation "), .emphasis([.text("plan")])]),
        .paragraph([
          .text("Leave by the "), .strong([.text("nearest")]), .text(" exit,"), .softBreak, .text("then meet at "),
          .code("P4"), .text("."), .hardBreak,
          .link([.text("Map")], destination: "https://example.org/map", title: "All floors"),
        ]),
        .quote([.paragraph([.text("Keep calm.")])]), .rule,
      ])
    #expect(document.warnings.isEmpty)
    #expect(document.plainText == "Evacuation plan\nLeave by the nearest exit, then meet at P4.\nMap\nKeep calm.")
  }

  @Test func `Lists have a start, a spacing and tasks`() throws {
    let list = try #require(lists(in: "7. a\n8. b\n   - [x] c\n   - [ ] d\n").first)
    #expect(list.start == 7 && list.isTight && list.items.count == 2)
    #expect(list.items[0].blocks == [.paragraph([.text("a")])])
    let tasks = try #require(lists(in: list.items[1].blocks).first)
    #expect(tasks.start == nil && tasks.items.map(\.isDone) == [true, false])
    #expect(list.items[1].isDone == nil)
    let loose = try #require(lists(in: "- a\n\n- b\n").first)
    #expect(!loose.isTight && loose.items.count == 2)
    #expect(lists(in: "-\n- a").first?.items.first?.blocks == [])
  }

  @Test func `A tight item's text ends where its next block begins`() {
    let list = lists(in: "- a *b*\n  > c\n\n  ```\n  d\n  ```").first
    let first: [Block]? = list?.items.first?.blocks
    #expect(
      first == [
        .paragraph([.text("a "), .emphasis([.text("b")])]), .quote([.paragraph([.text("c")])]),
        .code("d\n", language: nil),
      ])
  }

  @Test func `Code keeps its lines, spaces and fence language`() {
    let document = Document("```swift x\nlet a  = 1\n\n  b\t& &amp;\n```\n\n    old\n")
    #expect(
      document.blocks == [
        .code("let a  = 1\n\n  b\t& &amp;\n", language: "swift"), .code("old\n", language: nil),
      ])
  }

  @Test func `A table has aligned columns, a header, and rows of equal length`() throws {
    let text = "| a | *b* | c | d |\n|---|:--|:-:|--:|\n| 1 | 2 \\| 3 | `x` |\n|5|6|7|8|9|\n"
    guard case .table(let table) = try #require(Document(text).blocks.first) else {
      Issue.record("the text has no table")
      return
    }
    #expect(table.columns == [.natural, .left, .center, .right])
    #expect(table.header == [[.text("a")], [.emphasis([.text("b")])], [.text("c")], [.text("d")]])
    #expect(
      table.rows == [
        [[.text("1")], [.text("2 | 3")], [.code("x")], []],
        [[.text("5")], [.text("6")], [.text("7")], [.text("8")]],
      ])
    #expect(Document(text).plainText == "a\tb\tc\td\n1\t2 | 3\tx\t\n5\t6\t7\t8")
  }

  @Test func `Images have a source and an alternative text`() {
    #expect(
      Document("![Our *new* ![logo](b.png)](a.png 'T &amp; U')").blocks == [
        .paragraph([.image(source: "a.png", alternative: "Our new logo", title: "T & U")])
      ])
  }

  @Test func `Bare addresses are links, and tildes strike through`() {
    #expect(
      Document("~~old~~ www.example.org and a@example.org").blocks == [
        .paragraph([
          .strikethrough([.text("old")]), .text(" "),
          .link([.text("www.example.org")], destination: "http://www.example.org", title: nil), .text(" and "),
          .link([.text("a@example.org")], destination: "mailto:a@example.org", title: nil),
        ])
      ])
  }

  @Test func `HTML is kept as literal text, and comments are dropped`() {
    #expect(Document("a <b>c</b> &lt;").blocks == [.paragraph([.text("a <b>c</b> <")])])
    #expect(
      Document("<div>\n*a*\n</div>\n").blocks == [
        .paragraph([.text("<div>"), .hardBreak, .text("*a*"), .hardBreak, .text("</div>")])
      ])
    #expect(Document("<!-- for\nnobody -->\n\na <!-- b --> c\n").blocks == [.paragraph([.text("a  c")])])
    #expect(Document("- <b\n  c> d").plainText == "<b c> d")
  }

  @Test func `NUL and invalid characters become U+FFFD`() {
    #expect(Document("a\0b &#0; &#xD800; &#x110000;").plainText == "a\u{FFFD}b \u{FFFD} \u{FFFD} \u{FFFD}")
    #expect(Document("`a\0`\n\n    \0").plainText == "a\u{FFFD}\n\u{FFFD}")
  }

  @Test(arguments: [
    ("&auml;&#228;&#xe4;&#XE4;", "ääää"), ("&AElig;&zwnj;&zwj;&Aacute;", "Æ\u{200C}\u{200D}Á"),
    ("&NotEqualTilde;", "\u{2242}\u{338}"), ("&nosuch; &a; &auml", "&nosuch; &a; &auml"), ("&Tab;x", "\tx"),
    ("&ClockwiseContourIntegral;", "∲"), ("&nbsp;", "\u{A0}"),
  ])
  func `A character reference becomes its HTML character`(text: String, character: String) {
    #expect(Document("x\(text)").plainText == "x\(character)")
  }

  @Test func `Headings have unique anchors in GitHub's format`() {
    let text = """
      # What's new?
      # What's new?
      > ## Größe & _Maße_ (1.5 m)

      - ### What's new-1
      - # whats-new

      snake_case `code`
      =
      # 日本語 …
      #
      #
      """
    #expect(
      Document(text).headings.map(\.anchor) == [
        "whats-new", "whats-new-1", "größe--maße-15-m", "whats-new-1-1", "whats-new-2", "snake_case-code", "日本語-",
        "", "-1",
      ])
  }

  private func heading(_ level: Int, _ anchor: String, _ content: [Inline]) -> Block {
    .heading(Heading(level: level, anchor: anchor, content: content))
  }

  private func lists(in text: String) -> [List] { lists(in: Document(text).blocks) }

  private func lists(in blocks: [Block]) -> [List] {
    blocks.compactMap { if case .list(let list) = $0 { list } else { nil } }
  }
}
