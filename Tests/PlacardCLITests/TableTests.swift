import Testing

@testable import CommandLineTool

@Suite struct TableTests {
  private let table = Table(
    head: ["A", "WIDE"], rows: [["x", String(repeating: "w", count: 40)], ["longer cell", "y"]])

  @Test func `Without a terminal, nothing is truncated`() {
    #expect(table.lines(OutputStyle(columns: nil))[1] == "x            " + String(repeating: "w", count: 40))
  }

  @Test func `At every width, lines fit or have their minimum width`() {
    for columns in 1...60 {
      let widths = table.lines(OutputStyle(columns: columns)).map(\.count)
      #expect(widths.allSatisfy { $0 <= max(columns, 4 + 2 + 4) }, "\(columns) columns: \(widths)")
    }
  }

  @Test func `Optional columns are omitted before cells are truncated, and whole columns are never truncated`() {
    let table = Table(
      head: ["NAME", "SCALE", "SINCE", "TEXT"], rows: [["HDMI-A-1", "2", "2026-11-21 17:01:38", "a long message"]],
      optional: ["SCALE", "SINCE"], whole: ["NAME", "SINCE"])
    #expect(table.lines(OutputStyle(columns: 80))[0].contains("SCALE"))
    #expect(table.lines(OutputStyle(columns: 46))[1] == "HDMI-A-1  2026-11-21 17:01:38  a long message")
    #expect(table.lines(OutputStyle(columns: 40))[1] == "HDMI-A-1  a long message")
    #expect(table.lines(OutputStyle(columns: 20))[1] == "HDMI-A-1  a long me…")
    #expect(table.lines(OutputStyle(columns: 5))[1].hasPrefix("HDMI-A-1  "))
  }

  @Test func `A wrapped cell continues on the next lines, and commands are not split`() {
    let table = Table(
      head: ["NAME", "SHOWS"],
      rows: [["Virtual-1", "asleep; `placard wake Virtual-1` enables it"], ["Virtual-2", "one two"]],
      whole: ["NAME"], wrapped: ["SHOWS"])
    #expect(
      table.lines(OutputStyle(columns: 40)) == [
        "NAME       SHOWS", "Virtual-1  asleep;", "           `placard wake Virtual-1`", "           enables it",
        "Virtual-2  one two",
      ])
    #expect(table.lines(OutputStyle(columns: nil))[1] == "Virtual-1  asleep; `placard wake Virtual-1` enables it")
  }

  @Test(arguments: [
    ("", 5, [""]), ("one two", 7, ["one two"]), ("one two", 6, ["one", "two"]), ("abcdefgh", 4, ["abc…"]),
    ("a b c d", 1, ["a", "…"]), ("`one two` three", 9, ["`one two`", "three"]), ("`one two", 4, ["`one", "two"]),
    ("one two three", 5, ["one", "two…"]), ("温度 中文", 4, ["温度", "中文"]), ("one  two", 20, ["one  two"]),
  ])
  func `Texts are wrapped at spaces`(text: String, width: Int, lines: [String]) {
    #expect(TextWidth.wrapped(text, to: width, most: 2) == lines)
  }

  @Test func `Truncated text ends with an ellipsis`() {
    #expect(
      table.lines(OutputStyle(columns: 25)) == ["A            WIDE", "x            wwwwwwwwwww…", "longer cell  y"])
    #expect(table.lines(OutputStyle(columns: 20)) == ["A          WIDE", "x          wwwwwwww…", "longer c…  y"])
  }

  @Test func `Names and commands in a list are wrapped, but never truncated`() {
    let table = Table(
      head: ["ID", "UNTIL", "SEEN ON"],
      rows: [["7", "`placard ack 7` or 08:53:19", "Virtual-1, Virtual-64, eDP-1, DP-1, DP-2, DP-3"]],
      wrapped: ["UNTIL", "SEEN ON"], lists: ["UNTIL", "SEEN ON"])
    let lines = table.lines(OutputStyle(columns: 30))
    #expect(
      lines == [
        "ID  UNTIL            SEEN ON", "7   `placard ack 7`  Virtual-1,", "    or 08:53:19      Virtual-64,",
        "                     eDP-1,", "                     DP-1, DP-2,", "                     DP-3",
      ])
  }

  @Test(arguments: [
    (0.0, "0.0"), (12.34, "12.3"), (12.35, "12.4"), (0.04, "0.0"), (-1.26, "-1.3"), (999.96, "1000.0"),
    (.infinity, "-"), (.nan, "-"), (1e300, "-"),
  ])
  func `Milliseconds have one decimal place`(number: Double, text: String) { #expect(Tenths.text(number) == text) }
}

@Suite struct OutputStyleTests {
  private let table = Table(
    head: ["A", "WIDE"], rows: [["温度", "中文字符"], ["😀", "e\u{301}te\u{301}"]], colors: [0: { $0 == "😀" ? .good : nil }])

  @Test func `Wide characters take two columns, and combining marks take none`() {
    #expect(table.lines(.plain) == ["A     WIDE", "温度  中文字符", "😀    e\u{301}te\u{301}"])
    #expect(table.lines(OutputStyle(columns: 13))[1] == "温度  中文字…")
    #expect(table.lines(OutputStyle(columns: 12))[1] == "温度  中文…")
  }

  @Test(arguments: [
    ("a", 1), ("é", 1), ("e\u{301}", 1), ("中", 2), ("ｱ", 1), ("Ａ", 2), ("한", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤\u{fe0f}", 2),
    ("❤", 1),
    ("\u{200b}", 0), ("…", 1), ("─", 1), ("ก็", 1), ("\u{e0001}", 0),
  ])
  func `Characters have the same width as in a terminal`(text: String, columns: Int) {
    #expect(TextWidth.columns(text) == columns)
  }

  @Test func `Colors are used only on terminals, and do not widen a column`() {
    let lines = table.lines(OutputStyle(columns: 80, hasColors: true))
    #expect(lines[0] == "\u{1b}[1mA\u{1b}[0m     \u{1b}[1mWIDE\u{1b}[0m")
    #expect(lines[2] == "\u{1b}[32m😀\u{1b}[0m    e\u{301}te\u{301}")
  }

  @Test(
    "Colors are used only on terminals, unless NO_COLOR is set",
    arguments: [
      (80, ["TERM": "xterm"], true), (nil, ["TERM": "xterm"], false), (80, ["TERM": "dumb"], false), (80, [:], false),
      (80, ["TERM": "xterm", "NO_COLOR": "1"], false), (80, ["TERM": "xterm", "NO_COLOR": ""], true),
    ] as [(Int?, [String: String], Bool)])
  func colors(columns: Int?, environment: [String: String], expected: Bool) {
    #expect(MemoryConsole(columns: columns, environment: environment).style.hasColors == expected)
  }

  @Test func `Bidirectional controls are removed, and line breaks become spaces`() {
    #expect(Table.printable("a\u{202e}b\u{2066}c\u{2028}d\u{1b}e") == "abc d e")
    #expect(Table.printable("👨‍👩‍👧") == "👨‍👩‍👧")
  }
}
