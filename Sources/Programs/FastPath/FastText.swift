/// Texts whose width on a terminal can be computed without Unicode tables.
enum FastText {
  /// Returns whether each character of a text is a single code point of one column.
  ///
  /// Accepted are printable ASCII, and letters and symbols from U+00A1 to U+024F except the soft hyphen. The dashes,
  /// quotes and dots from U+2010 to U+2027 are accepted as well.
  ///
  /// - Parameter text: The text in UTF-8.
  /// - Returns: False for any other character.
  static func isPlain(_ text: [UInt8]) -> Bool {
    var rest = text[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x20..<0x7F: continue
      case 0xC2: guard let next = rest.popFirst(), (0xA1...0xBF).contains(next), next != 0xAD else { return false }
      case 0xC3...0xC8: guard let next = rest.popFirst(), (0x80...0xBF).contains(next) else { return false }
      case 0xC9: guard let next = rest.popFirst(), (0x80...0x8F).contains(next) else { return false }
      case 0xE2:
        guard rest.popFirst() == 0x80, let next = rest.popFirst(), (0x90...0xA7).contains(next) else { return false }
      default: return false
      }
    }
    return true
  }

  /// Returns the width in columns of a text for which `isPlain(_:)` is true.
  static func columns(_ text: String) -> Int { text.utf8.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }

  /// Returns a number of spaces; none for a negative number.
  static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
