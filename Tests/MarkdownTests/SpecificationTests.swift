import Glibc
import JSON
import Markdown
import Testing

/// The examples of the CommonMark specification, as JSON from Debian's golang-github-yuin-goldmark-dev.
struct SpecificationTests {
  private struct Example: Decodable {
    var markdown: String
    var html: String
    var example: Int
    var section: String
  }

  private static let path = "/usr/share/gocode/src/github.com/yuin/goldmark/_test/spec.json"

  /// Sections with raw HTML, which the specification's HTML contains literally. It looks like tags made from Markdown,
  /// so in these sections and examples, of versions 0.30 and 0.31.2, everything that looks like a tag is removed on both
  /// sides.
  private static let rawHTML: (sections: Set<String>, examples: Set<Int>) = (
    ["HTML blocks", "Raw HTML"],
    [21, 31, 201, 344, 474, 475, 476, 477, 490, 491, 493, 494, 523, 524, 535, 536, 642, 643, 644, 645]
  )

  @Test(.enabled(if: unsafe access(path, R_OK) == 0, "golang-github-yuin-goldmark-dev is one of the tests' packages"))
  func `Each example of the specification has its words in order`() throws {
    let examples = try JSON.decode([Example].self, from: bytes(of: Self.path))
    #expect(examples.count > 600)
    // md4c 0.4.8 still parses a textarea's content as Markdown.
    for example in examples where example.example != 171 {
      let isRaw =
        Self.rawHTML.sections.contains(example.section) || Self.rawHTML.examples.contains(example.example)
      let (read, shown) = (Document(example.markdown).plainText, text(of: example.html))
      #expect(
        words(isRaw ? withoutTags(read) : read) == words(isRaw ? withoutTags(shown) : shown),
        "\(example.section), example \(example.example): \(example.markdown)")
    }
  }

  private func bytes(of path: String) throws -> [UInt8] {
    let file = unsafe try #require(fopen(path, "re"))
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = unsafe getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return bytes
  }

  /// Returns the visible text of HTML: without tags, with the alternatives of images and the four entities replaced.
  private func text(of html: String) -> String {
    var text = ""
    var rest = html[...]
    while let start = rest.firstIndex(of: "<") {
      text += rest[..<start]
      let tag = rest[start...].prefix { $0 != ">" }
      if tag.hasPrefix("<img"), let alternative = tag.split(separator: "alt=\"", maxSplits: 1).dropFirst().first {
        text += alternative.prefix { $0 != "\"" }
      }
      rest = rest[tag.endIndex...].dropFirst()
    }
    text += rest
    for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
      text = text.split(separator: entity, omittingEmptySubsequences: false).joined(separator: character)
    }
    return text
  }

  private func withoutTags(_ text: String) -> String {
    var isInside = false
    return String(
      text.filter { character in
        defer { if character == "<" { isInside = true } else if character == ">" { isInside = false } }
        return !isInside && character != "<"
      })
  }

  private func words(_ text: String) -> [Substring] { text.split { $0.isWhitespace } }
}
