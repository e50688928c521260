import JSON
import Testing

@testable import Lab

struct QMPTests {
  @Test func `QEMU's greeting is read`() throws {
    let line =
      #"{"QMP": {"version": {"qemu": {"micro": 22, "minor": 2, "major": 7}, "package": "Debian \"1:7.2\""}, "#
      + #""capabilities": ["oob"]}}"#
    let greeting = try JSONValue(parsing: line.utf8)
    #expect(greeting["QMP"]?["version"]?["qemu"]?["major"]?.integer == 7)
    #expect(greeting["QMP"]?["version"]?["package"]?.text == #"Debian "1:7.2""#)
    #expect(greeting["QMP"]?["capabilities"] == .array([.string("oob")]))
  }

  @Test func `a command is one line`() {
    let line = QMPClient.request("device_add", ["id": .string("card1"), "driver": .string("secondary-vga")])
    #expect(line == #"{"arguments":{"driver":"secondary-vga","id":"card1"},"execute":"device_add"}"# + "\n")
    #expect(QMPClient.request("cont", [:]) == #"{"execute":"cont"}"# + "\n")
  }

  @Test func `lines are split at line feeds`() {
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
