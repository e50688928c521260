/// How many columns of a terminal a text takes.
enum TextWidth {
  /// The columns of a text.
  static func columns(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + columns($1) } }

  /// The columns of a character: 2 for wide ones (UAX #11: W and F) and emoji, 0 for marks that stand alone.
  static func columns(_ character: Character) -> Int {
    // Nearly all text: no need to look anything up.
    if character.isASCII { return 1 }
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // A sign that is made an emoji (U+FE0F), or half a flag with the other half.
    if scalars.contains("\u{fe0f}") || scalars.count > 1 && regional.contains(first.value) { return 2 }
    return scalars.reduce(0) { max($0, columns($1)) }
  }

  /// The first `columns` columns of a text; a wide character that would stand half outside is left out.
  static func prefix(_ text: String, _ columns: Int) -> String {
    var left = columns
    return String(
      text.prefix { character in
        left -= Self.columns(character)
        return left >= 0
      })
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

  /// Unicode's EastAsianWidth.txt, classes W and F without emoji, with what is not assigned yet between them.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
