import SeededRandom
import Testing

@testable import CommandLineTool

@Suite struct LineTailTests {
  private static func tail(_ text: String, _ count: Int = 1, finishes: Bool = false) -> String {
    var tail = LineTail(count: count)
    tail.append(Array(text.utf8))
    if finishes { tail.finish() }
    return tail.text
  }

  @Test func `A line counts after its line feed, or at the end of the input`() {
    #expect(Self.tail("one\ntwo") == "one")
    #expect(Self.tail("one\ntwo", finishes: true) == "two")
    #expect(Self.tail("one\r\ntwo\r\n") == "two")
    #expect(Self.tail("") == "" && Self.tail("", finishes: true) == "")
  }

  @Test func `Only the last lines are kept, up to the count`() {
    #expect(Self.tail("1\n2\n3\n4\n", 3) == "2\n3\n4")
    #expect(Self.tail("1\n2\n", 3) == "1\n2")
  }

  @Test func `Blank lines do not count at the end, but are kept between other lines`() {
    #expect(Self.tail("one\n\n \n") == "one")
    #expect(Self.tail("\n\none\n\ntwo\n\n", 3) == "one\n\ntwo")
    #expect(Self.tail("one\n\n\n\n\ntwo\n", 3) == "\n\ntwo")
  }

  @Test func `A line that is overwritten after a carriage return has its newest state`() {
    #expect(Self.tail("10%\r20%\r") == "20%")
    #expect(Self.tail("\r10%\r2") == "2")
    #expect(Self.tail("10%\r20%\ndone") == "20%")
    #expect(Self.tail("head\n10%\r20%", 2) == "head\n20%")
  }

  @Test func `Color and cursor sequences are removed`() {
    #expect(Self.tail("\u{1b}[1;31mred\u{1b}[0m\u{1b}]0;title\u{7} and\u{1b}(B more\n") == "red and more")
    #expect(Self.tail("a\u{1b}\n") == "a" && Self.tail("a\u{1b}[31\n") == "a")
  }

  @Test func `A line that is too long is truncated`() {
    #expect(Self.tail(String(repeating: "x", count: 200_000) + "\n").utf8.count == LineTail.longest)
  }

  @Test(arguments: [1, UInt64.random(in: 0 ... .max)])
  func `The lines do not depend on how the text is split into parts`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = ["a", "\n", "\r", "\r\n", " ", "\u{1b}[0m", "ü", "\n\n"]
    for _ in 0..<300 {
      let bytes = (0..<20).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
      var (whole, parts) = (LineTail(count: 3), LineTail(count: 3))
      whole.append(bytes)
      for byte in bytes { parts.append([byte]) }
      #expect(whole.text == parts.text)
    }
  }
}
