/// What a Character of a message is to the setting of lines.
enum TextPiece {
  /// Something to see.
  case letter
  /// A gap where a line may be broken.
  case space
  /// A mandatory line end (UAX #14: BK, CR, LF, NL); CR LF is one Character.
  case newline
  /// A control character, or a mark of text direction that stands alone: nothing to see.
  case nothing

  init(_ character: Character) {
    let first = character.unicodeScalars[character.unicodeScalars.startIndex]
    switch first.value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: self = .newline
    case 0x09, 0x20: self = .space
    case 0x21...0x7E: self = .letter
    case 0x00...0x1F, 0x7F...0x9F: self = .nothing
    case 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F, 0x3000: self = .space
    default: self = TextPiece.isInvisible(character) ? .nothing : .letter
    }
  }

  private static func isInvisible(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { $0.properties.isDefaultIgnorableCodePoint }
  }
}
