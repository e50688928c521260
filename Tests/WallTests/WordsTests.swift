import FoundationEssentials
import Testing

/// Words and constructions that must not come back; CONTRIBUTING.md says where the vocabulary is.
struct WordsTests {
  /// The phrases, in lower case and without punctuation, and what to write instead.
  static let banned = [
    ("glass", "on screen, framebuffer or scanout, according to what is meant"),
    ("whoever", "the actor: the client, the caller, the kernel"), ("somebody", "the actor: the client, the caller"),
    ("nobody", "the actor, or what does not exist"), ("keeps up", "delays, blocks or holds up"),
    ("as where", "as if, like or when"), ("so many", "a limit or a number of"), ("be it", "either ... or"),
    ("taken back", "reverted"), ("take back", "revert"), ("takes back", "reverts"), ("on the air", "showing now"),
    ("tells", "reports, sends, logs or notifies"), ("told", "reported, sent, logged or notified"),
    ("colour", "color"), ("colours", "colors"), ("centre", "center"), ("for ever", "without end, or never ends"),
    ("could not be had", "what failed, with the error"), ("is no", "is not a"), ("are no", "are not"),
    ("keeper", "persistence"), ("leftovers", "orphaned CRTCs"), ("controller sleeps", "host suspend"),
  ]

  /// Phrases that contain a banned one and are right.
  static let allowed = [
    "there is no", "there are no", "is no longer", "are no longer", "tells apart", "user nobody", "fs is no",
  ]

  /// Starts of docstrings: a type or property begins with a noun phrase, a function with a verb in the third person.
  static let starts = ["What ", "Whoever ", "Where ", "Who ", "That ", "Whether there "]

  /// The first words of the banned phrases.
  private static let firsts = Set(banned.map { Array($0.0.utf8.prefix { $0 != UInt8(ascii: " ") }) })

  /// References to what a reader of the repository does not have.
  static let references = ["DESIGN.md", "field notes", "field-notes", "see the issue", "../shared"]

  /// Returns whether a file is exempt: the words of rendered samples are content, and the files of these tests list the words.
  private static func isExempt(_ path: String) -> Bool {
    ["Sources/Lab/placard-bench/Text", "Tests/WallTests/WordsTests.swift", "Tests/WallTests/IdentifierTests.swift"]
      .contains { path.hasPrefix($0) }
  }

  static let files = (Repository.sources + Repository.tests).filter { !isExempt($0.path) }

  @Test(arguments: files)
  func `comments, texts and test names use the vocabulary`(file: Repository.File) {
    for (number, line) in file.lines.enumerated() {
      for prose in Self.prose(in: line) {
        if prose.contains(", too.") || prose.hasSuffix(", too") {
          Issue.record("\(file.path):\(number + 1): \", too\" at the end: begin with \"also\", or leave it out")
        }
        guard Self.mayBeBanned(prose) else { continue }
        var words = Self.words(of: prose)
        for phrase in Self.allowed { words = words.replacing(" \(phrase) ", with: " ") }
        for (phrase, instead) in Self.banned where words.contains(" \(phrase) ") {
          Issue.record("\(file.path):\(number + 1): \"\(phrase)\": write \(instead)")
        }
      }
      for reference in Self.references where line.contains(reference) {
        Issue.record("\(file.path):\(number + 1): \"\(reference)\" is not in the repository")
      }
    }
  }

  @Test(arguments: files)
  func `docstrings begin with a noun phrase or a verb, and their sentences have at most 30 words`(
    file: Repository.File
  ) {
    for (number, paragraph) in Self.paragraphs(of: file) {
      for start in Self.starts where paragraph.hasPrefix(start) {
        Issue.record("\(file.path):\(number): \"\(start)\" begins a docstring with a relative clause")
      }
      for sentence in paragraph.split(separator: ". ") {
        let count = sentence.split(separator: " ").count
        if count > 30 { Issue.record("\(file.path):\(number): a sentence of \(count) words; write two") }
      }
    }
  }

  @Test func `the check finds what it looks for`() {
    #expect(Self.words(of: "It IS no-one's, `glass`") == " it is no one s glass ")
    #expect(Self.mayBeBanned("a GLASS.") && Self.mayBeBanned("(on") && !Self.mayBeBanned("glasses"))
    #expect(Self.prose(in: #"  /// A comment."#) == ["A comment."])
    #expect(Self.prose(in: #"  let a = "one" + "two" // c"#) == ["one", "two"])
    #expect(Self.prose(in: "  @Test func `a name`() {") == ["a name"])
  }

  /// The parts of a line that people read: a comment, the string literals, or the name of a test.
  private static func prose(in line: Substring) -> [String] {
    let text = line.drop { $0 == " " }
    if text.hasPrefix("//") { return [String(text.drop { $0 == "/" }.drop { $0 == " " })] }
    let quoted = text.split(separator: "\"", omittingEmptySubsequences: false)
    let names = text.split(separator: "`", omittingEmptySubsequences: false)
    let isName = text.contains("func `") && names.count > 1
    return (isName ? [String(names[1])] : []) + quoted.indices.filter { $0 % 2 == 1 }.map { String(quoted[$0]) }
  }

  /// Returns whether a text has the first word of a banned phrase: a fast check, which most texts end.
  private static func mayBeBanned(_ text: String) -> Bool {
    let bytes = text.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
    let words = bytes.split {
      !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0)
    }
    return words.contains { firsts.contains(Array($0)) }
  }

  /// The words in lower case, separated and surrounded by spaces.
  private static func words(of text: String) -> String {
    " " + text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ") + " "
  }

  /// The first paragraph of each docstring with the number of its first line. Tables and lists are left out.
  private static func paragraphs(of file: Repository.File) -> [(Int, String)] {
    var found: [(Int, String)] = []
    var (isFirst, start, lines) = (true, 0, [Substring]())
    func end() {
      if !lines.isEmpty { found.append((start, lines.joined(separator: " "))) }
      lines = []
    }
    for (number, line) in file.lines.enumerated() {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("///") else {
        end()
        isFirst = true
        continue
      }
      let words = text.dropFirst(3).drop { $0 == " " }
      if words.isEmpty || words.hasPrefix("- ") || words.hasPrefix("|") || words.hasPrefix("```") {
        end()
        isFirst = false
      } else if isFirst {
        if lines.isEmpty { start = number + 1 }
        lines.append(words)
      }
    }
    end()
    return found
  }
}
