/// Takes a message apart into paragraphs: what stands between two mandatory line ends, or a part of it that is as long
/// as can be dealt with at once.
struct MessageReader {
  /// A paragraph, or the next part of one.
  struct Paragraph {
    var scalars: [TextScalar] = []
    /// Line ends before it; 0 continues the one before.
    var newlines = 0
  }

  /// The styles of the message's parts; a code point knows its place here.
  private(set) var styles: [TextStyle] = []
  /// Characters that were cut short because they hold more marks than a text can (UAX #15, stream-safe text).
  private(set) var overlongCharacters = 0

  private let runs: [StyledRun]
  private var run = 0
  private var place: String.Index?
  private var character: UInt32 = 0
  private var newlines = 0
  private var numbers: [TextStyle: UInt16] = [:]
  private var number: UInt16 = 0

  /// More marks than any script stacks on one letter (UAX #15: 30 non-starters).
  private static let longestCharacter = 32
  /// From here on a paragraph ends at the next gap, and at twice as many code points anywhere. Shaping and bidi take more
  /// than linear time of what is longer, and no display shows that much in letters that could be read.
  private static let longestParagraph = 4096
  /// More styles than anything has that is read on a display.
  private static let mostStyles = 4096

  init(_ text: StyledText) { runs = text.runs }

  /// The next paragraph; nil at the end.
  mutating func next() -> Paragraph? {
    var paragraph = Paragraph()
    while let character = nextCharacter() {
      let piece = TextPiece(character)
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

  private mutating func add(_ character: Character, _ piece: TextPiece, to paragraph: inout Paragraph) {
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
