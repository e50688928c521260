import Glibc
import SystemFiles
import Testing

struct SystemFilesTests {
  @Test func `The first line of a file ends before its line feed, even after a carriage return`() throws {
    var path = Array("/tmp/placard-line-XXXXXX".utf8CString)
    let file = unsafe mkstemp(&path)
    try #require(file >= 0)
    defer {
      close(file)
      unsafe unlink(path)
    }
    let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #expect(SystemFiles().line(name)?.isEmpty == true)
    let bytes = Array("one\r\ntwo\n".utf8)
    #expect(unsafe write(file, bytes, bytes.count) == bytes.count)
    #expect(SystemFiles().line(name) == "one\r")
    #expect(SystemFiles().bytes(name, atMost: 3) == Array("one".utf8))
  }

  @Test func `A missing file has no line`() {
    #expect(SystemFiles(root: "/nothing").line("/there") == nil)
  }
}
