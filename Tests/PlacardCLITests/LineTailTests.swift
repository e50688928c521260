import SeededRandom
import Testing

@testable import CommandLineTool

@Suite struct LineTailTests {
  private static func tail(_ text: String, _ count: Int = 1, finishes: Bool = false) -> String {
    var tail = LineTail(count: count)
    tail.take(Array(text.utf8))
    if finishes { tail.finish() }
    return tail.text
  }

  @Test func `A line counts when it has its end, and at the end of all`() {
    #expect(Self.tail("one\ntwo") == "one")
    #expect(Self.tail("one\ntwo", finishes: true) == "two")
    #expect(Self.tail("one\r\ntwo\r\n") == "two")
    #expect(Self.tail("") == "" && Self.tail("", finishes: true) == "")
  }

  @Test func `The last so many lines are kept`() {
    #expect(Self.tail("1\n2\n3\n4\n", 3) == "2\n3\n4")
    #expect(Self.tail("1\n2\n", 3) == "1\n2")
  }

  @Test func `Blank lines take nobody's place, and stand between others`() {
    #expect(Self.tail("one\n\n \n") == "one")
    #expect(Self.tail("\n\none\n\ntwo\n\n", 3) == "one\n\ntwo")
    #expect(Self.tail("one\n\n\n\n\ntwo\n", 3) == "\n\ntwo")
  }

  @Test func `A line that is written over is its newest state`() {
    #expect(Self.tail("10%\r20%\r") == "20%")
    #expect(Self.tail("\r10%\r2") == "2")
    #expect(Self.tail("10%\r20%\ndone") == "20%")
    #expect(Self.tail("head\n10%\r20%", 2) == "head\n20%")
  }

  @Test func `Colours and cursors are left out`() {
    #expect(Self.tail("\u{1b}[1;31mred\u{1b}[0m\u{1b}]0;title\u{7} and\u{1b}(B more\n") == "red and more")
    #expect(Self.tail("a\u{1b}\n") == "a" && Self.tail("a\u{1b}[31\n") == "a")
  }

  @Test func `A line without an end is cut`() {
    #expect(Self.tail(String(repeating: "x", count: 200_000) + "\n").utf8.count == LineTail.longest)
  }

  @Test(arguments: [1, UInt64.random(in: 0 ... .max)])
  func `However a text is cut into parts, its lines are the same`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = ["a", "\n", "\r", "\r\n", " ", "\u{1b}[0m", "ü", "\n\n"]
    for _ in 0..<300 {
      let bytes = (0..<20).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
      var (whole, parts) = (LineTail(count: 3), LineTail(count: 3))
      whole.take(bytes)
      for byte in bytes { parts.take([byte]) }
      #expect(whole.text == parts.text)
    }
  }
}
