import Geometry
import Glibc
import Testing
@testable import Typesetting

struct FontMemoryTests {
  /// Returns the path of a file that does not exist, in its own directory.
  private func freshPath() throws -> String {
    var template = Array("/tmp/placard-fonts.XXXXXX".utf8CString)
    try unsafe #require(mkdtemp(&template) != nil)
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) + "/fonts"
  }

  private let sans = FontFile(path: "/fonts/a b.ttf", index: 3, families: ["A B", "Ä"], variations: "wght=700")

  @Test func `remembered fonts are available at the next start`() throws {
    let path = try freshPath()
    var memory = FontCache(path: path)
    #expect(memory.file(for: "") == nil)
    memory.remember(sans, for: "")
    memory.remember(FontFile(path: "/fonts/c.otf", index: 0, families: ["C"]), for: "C:bold")
    let next = FontCache(path: path)
    #expect(next.file(for: "") == sans)
    #expect(next.file(for: "C:bold")?.families == ["C"])
    #expect(next.file(for: "D") == nil)
  }

  @Test func `only the newest requests are stored, and names that would break the file are not`() throws {
    let path = try freshPath()
    var memory = FontCache(path: path)
    for number in 0..<40 { memory.remember(sans, for: "font \(number)") }
    memory.remember(sans, for: "two\nlines")
    memory.remember(FontFile(path: "/x\ty", index: 0, families: ["T"]), for: "tab")
    memory.remember(FontFile(path: "/x", index: 0, families: ["T\r"]), for: "return")
    let next = FontCache(path: path)
    #expect(next.file(for: "font 39") != nil && next.file(for: "font 24") != nil && next.file(for: "font 23") == nil)
    #expect(next.file(for: "two\nlines") == nil && next.file(for: "tab") == nil && next.file(for: "return") == nil)
  }

  @Test(arguments: [
    "", "nonsense", "placard fonts 1\n\t/a\t0\t\tA", "placard fonts 2\n\ta.ttf\t0\t\tA",
    "placard fonts 2\n\t/a\t-1\t\tA", "placard fonts 2\n\t/a\tx\t\tA", "placard fonts 2\n\t/a", "placard fonts 2",
  ])
  func `a file with invalid content remembers nothing`(text: String) throws {
    let path = try freshPath()
    let file = unsafe try #require(fopen(path, "w"))
    unsafe fputs(text, file)
    unsafe fclose(file)
    #expect(FontCache(path: path).file(for: "") == nil)
  }

  @Test func `a remembered font is used immediately, and confirmed later`() throws {
    let path = try freshPath()
    let rules = FitRules(box: Size(640, 200), minimum: 12 * 64, wordBreak: 20 * 64)
    let first = try Typesetter(fontMemory: path).set("Hello", by: rules)
    let again = try Typesetter(fontMemory: path)
    let remembered = try again.set("Hello", by: rules)
    #expect(remembered == first)
    #expect(try !again.confirmFonts())
    #expect(try again.set("Hello", by: rules) == first)
  }

  @Test func `a font that has changed is noticed, and the file is corrected`() throws {
    let path = try freshPath()
    let rules = FitRules(box: Size(640, 200), minimum: 12 * 64, wordBreak: 20 * 64)
    let right = try Typesetter(fontMemory: path).set("Hello", by: rules)
    let file = try #require(FontCache(path: path).file(for: ""))
    let bold = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
    let isThere = unsafe access(bold, R_OK) == 0
    try #require(bold != file.path && isThere, "fonts-dejavu-core is one of the test packages")
    var memory = FontCache(path: path)
    memory.remember(FontFile(path: bold, index: 0, families: ["DejaVu Sans"]), for: "")
    let typesetter = try Typesetter(fontMemory: path)
    #expect(try typesetter.set("Hello", by: rules) != right)
    #expect(try typesetter.confirmFonts())
    #expect(try typesetter.set("Hello", by: rules).size == right.size)
    #expect(FontCache(path: path).file(for: "") == file)
  }

  @Test func `a remembered font that no longer exists is requested again`() throws {
    let path = try freshPath()
    var memory = FontCache(path: path)
    memory.remember(FontFile(path: "/nowhere/at-all.ttf", index: 0, families: ["X"]), for: "")
    let typesetter = try Typesetter(fontMemory: path)
    #expect(
      try typesetter.set("Hello", by: FitRules(box: Size(640, 200), minimum: 12 * 64, wordBreak: 20 * 64)).font != "X")
    #expect(try !typesetter.confirmFonts())
    #expect(FontCache(path: path).file(for: "")?.path != "/nowhere/at-all.ttf")
  }
}
