/// A paragraph that is ready to be shaped: what nobody sees is taken out, after it has had its say about breaks and
/// directions.
struct ReadyParagraph {
  private(set) var scalars: [TextScalar] = []
  private(set) var codePoints: [UInt32] = []
  private(set) var levels: [UInt8] = []
  /// Whether a line may begin with a code point.
  private(set) var breaks: [Bool] = []
  /// Whether a hyphen is shown where a line ends before a code point.
  private(set) var hyphens: [Bool] = []
  let newlines: Int
  let isRightToLeft: Bool
  let isBidi: Bool

  init(_ paragraph: MessageReader.Paragraph, breaks allBreaks: [Bool]) {
    let bidi = BidiLevels(of: paragraph.scalars)
    newlines = paragraph.newlines
    isRightToLeft = bidi?.base == 1
    isBidi = bidi?.levels.contains { $0 > 0 } ?? false
    var (mayBreak, isSoft) = (false, false)
    for (place, scalar) in paragraph.scalars.enumerated() {
      mayBreak = mayBreak || allBreaks[place]
      guard scalar.piece.isShaped else {
        isSoft = isSoft || scalar.piece == .softHyphen
        continue
      }
      scalars.append(scalar)
      codePoints.append(scalar.piece == .tab ? 0x20 : scalar.value)
      // Rule L1: a tab has the paragraph's own direction.
      levels.append(scalar.piece == .tab ? bidi?.base ?? 0 : bidi?.levels[place] ?? 0)
      breaks.append(mayBreak)
      hyphens.append(isSoft && mayBreak && !scalar.piece.isGap)
      (mayBreak, isSoft) = (false, false)
    }
  }

  /// The place in the message of a code point's Character.
  func character(at place: UInt32) -> UInt32 { scalars[Int(place)].character }

  /// The places of each Character, in turn.
  var characters: [Range<Int>] {
    var starts = scalars.indices.filter { $0 == 0 || scalars[$0].character != scalars[$0 - 1].character }
    starts.append(scalars.count)
    return zip(starts, starts.dropFirst()).map { $0..<$1 }
  }
}
