/// A paragraph ready to be shaped, without invisible code points.
///
/// Invisible code points are removed only after they have determined line breaks and directions.
struct PreparedParagraph {
  private(set) var scalars: [TextScalar] = []
  private(set) var codePoints: [UInt32] = []
  private(set) var levels: [UInt8] = []
  /// Whether a line may start at each code point.
  private(set) var breaks: [Bool] = []
  /// Whether a hyphen is shown if a line ends before each code point.
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
      // UAX #9, rule L1: a tab has the paragraph's embedding level.
      levels.append(scalar.piece == .tab ? bidi?.base ?? 0 : bidi?.levels[place] ?? 0)
      breaks.append(mayBreak)
      hyphens.append(isSoft && mayBreak && !scalar.piece.isGap)
      (mayBreak, isSoft) = (false, false)
    }
  }

  /// Returns the index in the message of a code point's Character.
  func character(at place: UInt32) -> UInt32 { scalars[Int(place)].character }

  /// The range of each Character, in order.
  var characters: [Range<Int>] {
    var starts = scalars.indices.filter { $0 == 0 || scalars[$0].character != scalars[$0 - 1].character }
    starts.append(scalars.count)
    return zip(starts, starts.dropFirst()).map { $0..<$1 }
  }
}
