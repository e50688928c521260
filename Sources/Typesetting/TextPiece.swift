/// What a Character of a message is to the setting of lines.
enum TextPiece {
  /// Something to see.
  case letter
  /// A gap; lines that break at it do not show it.
  case space
  /// A gap up to the next stop.
  case tab
  /// A place where a word may be broken, with a hyphen.
  case softHyphen
  /// A mandatory line end (UAX #14: BK, CR, LF, NL); CR LF is one Character.
  case newline
  /// A control character, or a mark of text direction that stands alone: nothing to see.
  case nothing

  init(_ character: Character) {
    let first = character.unicodeScalars[character.unicodeScalars.startIndex]
    switch first.value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: self = .newline
    case 0x09: self = .tab
    case 0x20: self = TextPiece.isBare(character) ? .space : .letter
    case 0x21...0x7E: self = .letter
    case 0x00...0x1F, 0x7F...0x9F: self = .nothing
    case 0xAD: self = .softHyphen
    case 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F, 0x3000: self = .space
    // Annotations of lines, which no font draws but as a box.
    case 0xFFF9...0xFFFB: self = .nothing
    default: self = TextPiece.isInvisible(character) ? .nothing : .letter
    }
  }

  /// Whether a line may end here without showing it.
  var isGap: Bool { self == .space || self == .tab }

  /// Whether a font draws something for it, be it nothing but a width.
  var isShaped: Bool { self == .letter || isGap }

  /// Whether nothing stands on a space: with a mark it is something to see (UAX #14, LB10).
  private static func isBare(_ character: Character) -> Bool {
    character.unicodeScalars.dropFirst().allSatisfy { $0.properties.isDefaultIgnorableCodePoint }
  }

  private static func isInvisible(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { $0.properties.isDefaultIgnorableCodePoint }
  }
}

/// A code point, and the place of its Character in the message.
struct TextScalar {
  var value: UInt32
  var character: UInt32
  var piece: TextPiece
  /// The place of its style in the message's list of styles.
  var style: UInt16 = 0
}
