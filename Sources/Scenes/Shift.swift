/// How far a display's picture is from its usual place: pixels of the display, to the right and down.
public struct Shift: Hashable, Sendable {
  /// To the right.
  public var x: Int
  /// Down.
  public var y: Int

  /// A shift by so many pixels.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// The usual place.
  public static let none = Shift(x: 0, y: 0)

  /// What a picture may be asked to move by in a minute: more would be seen as a jump.
  public static let steps = 0...24

  /// Where a picture is against burn-in: each minute it moves by one step of so many pixels, right, left, up or down, over
  /// a square of 7 by 7 places in rows, there and back in 96 minutes, so that no pixel has the same edge for ever.
  ///
  /// - Parameter now: milliseconds since 1970.
  static func againstBurnIn(step: Int, at now: Int64) -> Shift {
    let step = min(max(step, steps.lowerBound), steps.upperBound)
    let minute = Int(floorDivide(ViewContext.bounded(now), minuteLength) % 96 + 96) % 96
    let place = minute <= 48 ? minute : 96 - minute
    let (row, rest) = (place / 7, place % 7)
    return Shift(x: ((row % 2 == 0 ? rest : 6 - rest) - 3) * step, y: (row - 3) * step)
  }

  /// When the picture moves next, in milliseconds since 1970.
  static func nextMove(after now: Int64) -> Int64 {
    (floorDivide(ViewContext.bounded(now), minuteLength) + 1) * minuteLength
  }

  private static let minuteLength: Int64 = 60_000
}

extension SceneMoment {
  /// The moment of what stands still, moved against burn-in where its style asks for that.
  func movedAgainstBurnIn(at now: Int64) -> SceneMoment {
    let step = view.style.burnInShift
    guard step > 0, view.content.burnsIn else { return self }
    var moved = self
    moved.view.shift = .againstBurnIn(step: step, at: now)
    moved.nextChange = min(nextChange ?? .max, Shift.nextMove(after: now))
    return moved
  }
}

extension View.Content {
  /// Whether its letters stand where they are: a line that scrolls moves anyway, plain ground has no edges, by a test
  /// picture a display's edges are looked for, and a mirror moves with what it shows, if that moves.
  fileprivate var burnsIn: Bool {
    switch self {
    case .ticker, .blank, .pattern: false
    case .mirror(let mirrored): mirrored.view.shift == .none && mirrored.view.content.burnsIn
    default: true
    }
  }
}
