import FoundationEssentials
import Testing

/// Checks that Tests/EDGE-CASES.md has its 40 rows, and that every test that it names exists.
struct EdgeCaseTableTests {
  @Test func `Every test that the table of edge cases names exists`() throws {
    let names = try Self.names(in: Repository.text("Tests/EDGE-CASES.md"))
    #expect(names.count > 60)
    let tests = try Self.tests()
    for name in names.subtracting(tests).sorted() { Issue.record("no test has the name `\(name)`") }
  }

  @Test func `The table has 40 rows, each with the visible result and a test or a reason in both columns`() throws {
    let text = try Repository.text("Tests/EDGE-CASES.md")
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| #") }
    let cells = rows.map { $0.split(separator: "|").map { $0.drop { $0 == " " } } }
    #expect(cells.map { $0.first.flatMap { Int($0.prefix { $0 != " " }) } } == Array(1...40))
    for row in cells { #expect(row.count == 5 && row.allSatisfy { $0.count > 1 }, "\(row.first ?? "")") }
  }

  /// Returns the texts between backticks that contain a space, across line ends. Other texts between backticks are not
  /// tests.
  private static func names(in text: String) -> Set<String> {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    let quoted = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0].split(whereSeparator: \.isWhitespace) }
    return Set(quoted.map { $0.joined(separator: " ") }.filter { $0.contains(" ") && !$0.hasPrefix("placard ") })
  }

  /// Returns the names of all Swift tests.
  private static func tests() throws -> Set<String> {
    let folder = "\(Repository.root)/Tests"
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
    var names: Set<String> = []
    for file in files {
      let text = try Repository.text("Tests/\(file)")
      for start in text.ranges(of: "func `") { names.insert(String(text[start.upperBound...].prefix { $0 != "`" })) }
    }
    return names
  }
}
