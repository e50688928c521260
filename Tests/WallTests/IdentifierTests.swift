import Testing

/// Words in identifiers for which the vocabulary has a term.
struct IdentifierTests {
  /// The words, in lower case, and what to write instead.
  static let replaced = [
    "glass": "scanout, frame or flip target", "keeper": "persistence", "desk": "managed card",
    "seat": "monitor profile", "shelf": "cache", "glance": "read-only snapshot", "hope": "retry budget",
    "faded": "EDID lost", "witness": "observer", "told": "reported, logged or sent", "news": "events or updates",
    "paper": "output style", "possessions": "resource usage", "deed": "operation", "ward": "fixture",
    "rig": "harness",
  ]

  static let files = (Repository.sources + Repository.tests).filter { file in
    // Texts of several lines that are rendered, and the words below.
    !file.path.hasPrefix("Sources/Lab/placard-bench/Text") && file.path != "Tests/WallTests/IdentifierTests.swift"
  }

  @Test(arguments: files)
  func `identifiers use the vocabulary`(file: Repository.File) {
    for (number, line) in file.lines.enumerated() {
      for word in Self.words(inCode: line) {
        guard let instead = Self.replaced[word] else { continue }
        Issue.record("\(file.path):\(number + 1): \"\(word)\" in an identifier: write \(instead)")
      }
    }
  }

  @Test func `identifiers are split into words, and comments and texts are skipped`() {
    #expect(
      Self.words(inCode: #"let isOnGlass = "desk", URLKeeper2 // seat"#) == [
        "let", "is", "on", "glass", "url", "keeper",
      ])
    #expect(Self.words(inCode: "  @Test func `a desk`() { freedesktop }") == ["test", "func", "freedesktop"])
  }

  /// The words of the identifiers in a line, in lower case.
  private static func words(inCode line: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    var quote: Unicode.Scalar?
    var last: Unicode.Scalar = " "
    let scalars = Array(line.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      defer { last = scalar }
      if let open = quote {
        if scalar == open, last != "\\" { quote = nil }
        continue
      }
      let next = index + 1 < scalars.count ? scalars[index + 1] : " "
      let isStart = isUpper(scalar) && (isLower(last) || (isUpper(last) && isLower(next)))
      if isStart || !(isUpper(scalar) || isLower(scalar)) {
        if !word.isEmpty { words.append(word.lowercased()) }
        word = ""
      }
      if scalar == "/" && next == "/" { break }
      if scalar == "\"" || scalar == "`" {
        quote = scalar
      } else if isUpper(scalar) || isLower(scalar) {
        word.unicodeScalars.append(scalar)
      }
    }
    return word.isEmpty ? words : words + [word.lowercased()]
  }

  private static func isUpper(_ scalar: Unicode.Scalar) -> Bool { ("A"..."Z").contains(scalar) }

  private static func isLower(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z").contains(scalar) }
}
