/// Computations of a text's width on a terminal.
enum TextWidth {
  /// Returns the width of a text in columns.
  static func columns(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + columns($1) } }

  /// Returns the width of a character: 2 for wide ones (UAX #11: W and F) and emoji, 0 for isolated marks.
  static func columns(_ character: Character) -> Int {
    // This avoids lookups for nearly all text.
    if character.isASCII { return 1 }
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // U+FE0F makes a symbol an emoji, and two regional indicators make a flag.
    if scalars.contains("\u{fe0f}") || scalars.count > 1 && regional.contains(first.value) { return 2 }
    return scalars.reduce(0) { max($0, columns($1)) }
  }

  /// Returns the first `columns` columns of a text, without a wide character that would cross the limit.
  static func prefix(_ text: String, _ columns: Int) -> String {
    var left = columns
    return String(
      text.prefix { character in
        left -= Self.columns(character)
        return left >= 0
      })
  }

  /// Wraps a text at spaces.
  ///
  /// A command in backquotes stays on one line if it fits. Words wider than a line are truncated, and so is text beyond
  /// the last line; "…" marks the truncation.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - width: The maximum width of a line in columns.
  ///   - most: The maximum number of lines.
  /// - Returns: The lines.
  static func wrapped(_ text: String, to width: Int, most: Int) -> [String] {
    var lines: [String] = []
    for word in words(text, to: width) {
      if let line = lines.last, columns(line) + 1 + columns(word) <= width {
        lines[lines.count - 1] = line + " " + word
      } else {
        lines.append(word)
      }
    }
    guard columns(text) > width, !lines.isEmpty else { return [text] }
    if lines.count > most { lines[most - 1] = prefix(lines[most - 1], width - 1) + "…" }
    return lines.prefix(most).map { cut($0, to: width) }
  }

  /// Returns the width of the longest word in columns; a command in backquotes is one word.
  static func longestWord(of text: String) -> Int { words(text, to: .max).map(columns).max() ?? 0 }

  /// Returns the text if it fits, otherwise its beginning with "…".
  static func cut(_ text: String, to width: Int) -> String {
    columns(text) <= width ? text : prefix(text, max(0, width - 1)) + "…"
  }

  /// Returns the words of a text; a command in backquotes is one word if it fits on a line.
  private static func words(_ text: String, to width: Int) -> [String] {
    var words = [""]
    var isQuoted = false
    for character in text {
      if character == "`" { isQuoted.toggle() }
      if character == " ", !isQuoted { words.append("") } else { words[words.count - 1].append(character) }
    }
    if isQuoted { words = text.split(separator: " ").map(String.init) }
    return words.flatMap { columns($0) <= width ? [$0] : $0.split(separator: " ").map(String.init) }
      .filter { !$0.isEmpty }
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return isWide(scalar.value) ? 2 : 1
    }
  }

  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    var (low, high) = (0, wide.count)
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value)
  }

  private static let regional: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF

  /// Classes W and F of Unicode's EastAsianWidth.txt without emoji, including the unassigned code points between them.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
