/// Splits a message into paragraphs.
///
/// A paragraph is the text between two mandatory line breaks, or a part of it of bounded length.
struct MessageReader {
  /// A paragraph, or the next part of a long one.
  struct Paragraph {
    var scalars: [TextScalar] = []
    /// The line breaks before it; 0 means that it continues the previous part.
    var newlines = 0
  }

  /// The styles of the message's runs. Each code point holds an index into this array.
  private(set) var styles: [TextStyle] = []
  /// The number of Characters truncated to 32 code points (UAX #15, stream-safe text).
  private(set) var overlongCharacters = 0

  private let runs: [StyledRun]
  private var run = 0
  private var place: String.Index?
  private var character: UInt32 = 0
  private var newlines = 0
  private var numbers: [TextStyle: UInt16] = [:]
  private var number: UInt16 = 0

  /// The most code points of a Character, more than any script stacks on one letter (UAX #15: 30 non-starters).
  private static let longestCharacter = 32
  /// The code point count after which a paragraph ends at the next gap, and at twice that count anywhere.
  ///
  /// Shaping and bidi take more than linear time, and no display shows that much legible text.
  private static let longestParagraph = 4096
  /// The style limit, more than any readable text has.
  private static let mostStyles = 4096

  init(_ text: StyledText) { runs = text.runs }

  /// Returns the next paragraph, or nil at the end.
  mutating func next() -> Paragraph? {
    var paragraph = Paragraph()
    while let character = nextCharacter() {
      let piece = CharacterRole(character)
      if piece == .newline {
        newlines += 1
        if !paragraph.scalars.isEmpty { return paragraph }
      } else {
        if paragraph.scalars.isEmpty { (paragraph.newlines, newlines) = (newlines, 0) }
        add(character, piece, to: &paragraph)
        let count = paragraph.scalars.count
        let isLong = count >= MessageReader.longestParagraph
        if isLong && piece.isGap || count >= 2 * MessageReader.longestParagraph { return paragraph }
      }
    }
    return paragraph.scalars.isEmpty ? nil : paragraph
  }

  private mutating func nextCharacter() -> Character? {
    while run < runs.count {
      let text = runs[run].text
      let index = place ?? text.startIndex
      if index < text.endIndex {
        if place == nil { noteStyle() }
        place = text.index(after: index)
        character &+= 1
        return text[index]
      }
      run += 1
      place = nil
    }
    return nil
  }

  private mutating func noteStyle() {
    let style = runs[run].style
    if let known = numbers[style] { return number = known }
    guard styles.count < MessageReader.mostStyles else { return }
    number = UInt16(styles.count)
    numbers[style] = number
    styles.append(style)
  }

  private mutating func add(_ character: Character, _ piece: CharacterRole, to paragraph: inout Paragraph) {
    for (place, scalar) in character.unicodeScalars.enumerated() {
      guard place < MessageReader.longestCharacter else {
        overlongCharacters += 1
        return
      }
      paragraph.scalars.append(
        TextScalar(value: scalar.value, character: self.character &- 1, piece: piece, style: number))
    }
  }
}
