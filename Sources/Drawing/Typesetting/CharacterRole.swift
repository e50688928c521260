/// The role of a Character in line layout.
enum CharacterRole {
  /// A visible character.
  case letter
  /// A space, hidden at the end of a line.
  case space
  /// A gap up to the next tab stop.
  case tab
  /// A position where a word may be broken with a hyphen.
  case softHyphen
  /// A mandatory line break (UAX #14: BK, CR, LF, NL); CR LF is one Character.
  case newline
  /// An invisible Character: a control character, or a directional mark on its own.
  case nothing

  init(_ character: Character) {
    let first = character.unicodeScalars[character.unicodeScalars.startIndex]
    switch first.value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: self = .newline
    case 0x09: self = .tab
    case 0x20: self = CharacterRole.isBare(character) ? .space : .letter
    case 0x21...0x7E: self = .letter
    case 0x00...0x1F, 0x7F...0x9F: self = .nothing
    case 0xAD: self = .softHyphen
    case 0x1680, 0x2000...0x2006, 0x2008...0x200A, 0x205F, 0x3000: self = .space
    // Interlinear annotation characters, which fonts draw as a box if at all.
    case 0xFFF9...0xFFFB: self = .nothing
    default: self = CharacterRole.isInvisible(character) ? .nothing : .letter
    }
  }

  /// Whether a line break here hides the Character.
  var isGap: Bool { self == .space || self == .tab }

  /// Whether the Character is shaped, even if it has only a width.
  var isShaped: Bool { self == .letter || isGap }

  /// Returns whether a space has no combining mark; with one, it is visible (UAX #14, LB10).
  private static func isBare(_ character: Character) -> Bool {
    character.unicodeScalars.dropFirst().allSatisfy { $0.properties.isDefaultIgnorableCodePoint }
  }

  private static func isInvisible(_ character: Character) -> Bool {
    character.unicodeScalars.allSatisfy { $0.properties.isDefaultIgnorableCodePoint }
  }
}

/// A code point, and the index of its Character in the message.
struct TextScalar {
  var value: UInt32
  var character: UInt32
  var piece: CharacterRole
  /// The index of its style in the message's list of styles.
  var style: UInt16 = 0
}
