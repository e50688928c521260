import Testing

@testable import Lab

struct JSONTests {
  @Test func `QEMU's greeting is read`() throws {
    let line =
      #"{"QMP": {"version": {"qemu": {"micro": 22, "minor": 2, "major": 7}, "package": "Debian \"1:7.2\""}, "#
      + #""capabilities": ["oob"]}}"#
    let greeting = try #require(JSON(parsing: line.utf8))
    #expect(greeting["QMP"]?["version"]?["qemu"]?["major"]?.integer == 7)
    #expect(greeting["QMP"]?["version"]?["package"]?.text == #"Debian "1:7.2""#)
    #expect(greeting["QMP"]?["capabilities"] == .array([.string("oob")]))
  }

  @Test func `A command is one line`() {
    let line = QMPClient.request("device_add", ["id": .string("card1"), "driver": .string("secondary-vga")])
    #expect(line == #"{"arguments":{"driver":"secondary-vga","id":"card1"},"execute":"device_add"}"# + "\n")
    #expect(QMPClient.request("cont", [:]) == #"{"execute":"cont"}"# + "\n")
  }

  @Test(arguments: [
    JSON.null, .bool(true), .bool(false), .integer(-3), .number(0.5), .string("a\"\\\n\u{1}ü😀"), .array([]),
    .array([.integer(1), .object([:])]), .object(["a": .null, "b": .array([.string("")])]),
  ])
  func `What is written is read again`(value: JSON) {
    #expect(JSON(parsing: value.encoded.utf8) == value)
  }

  @Test func `Escapes and surrogate pairs are read`() {
    #expect(JSON(parsing: #""\u00fc\ud83d\ude00\/\b\f\n\r\t""#.utf8) == .string("ü😀/\u{8}\u{c}\n\r\t"))
  }

  @Test(arguments: [
    "", "{", "[1,", #"{"a"}"#, #"{"a":}"#, "[1 2]", "nul", "1 2", #""\ud83d""#, #""\ud83dx""#, #""\u12"#, "\"\n\"", "-",
    "{,}", String(repeating: "[", count: 100),
  ])
  func `What is no JSON is refused`(text: String) {
    #expect(JSON(parsing: text.utf8) == nil)
  }

  @Test func `Lines are cut at line feeds`() {
    var lines = LineBuffer()
    lines.append(Array("one\r\ntw".utf8))
    #expect(lines.next() == Array("one".utf8))
    #expect(lines.next() == nil)
    lines.append(Array("o\n\nthree".utf8))
    #expect(lines.next() == Array("two".utf8))
    #expect(lines.next() == [])
    #expect(lines.next() == nil)
    #expect(lines.rest == Array("three".utf8))
  }
}
