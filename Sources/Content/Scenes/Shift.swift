import Primitives

/// The offset of a frame's content from its normal position, in pixels of the display.
package struct Shift: Hashable, Sendable {
  /// The offset to the right.
  package var x: Int
  /// The offset downward.
  package var y: Int

  /// Creates an offset in pixels.
  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// No offset.
  package static let none = Shift(x: 0, y: 0)

  /// The allowed step per minute, in pixels; a larger step would be a visible jump.
  package static let steps = 0...24

  /// Returns the offset that reduces burn-in at a point in time.
  ///
  /// Each minute, the content moves by one step to the right, left, up or down. It traverses a grid of 7 by 7 positions
  /// row by row and returns the same way. The cycle takes 96 minutes, so that no edge stays on the same pixels.
  ///
  /// - Parameters:
  ///   - step: The distance between two positions, in pixels; clamped to `steps`.
  ///   - now: The time, in milliseconds since 1970.
  /// - Returns: The offset, at most three steps in each direction.
  static func againstBurnIn(step: Int, at now: Int64) -> Shift {
    let step = min(max(step, steps.lowerBound), steps.upperBound)
    let minute = Int(floorModulo(floorDivide(ViewContext.bounded(now), minuteLength), 96))
    let place = minute <= 48 ? minute : 96 - minute
    let (row, rest) = (place / 7, place % 7)
    return Shift(x: ((row % 2 == 0 ? rest : 6 - rest) - 3) * step, y: (row - 3) * step)
  }

  /// Returns the time of the next move, in milliseconds since 1970.
  static func nextMove(after now: Int64) -> Int64 {
    (floorDivide(ViewContext.bounded(now), minuteLength) + 1) * minuteLength
  }

  private static let minuteLength: Int64 = 60_000
}

extension ResolvedScene {
  /// Returns the moment with static content moved against burn-in, if its style requests that.
  func movedAgainstBurnIn(at now: Int64) -> ResolvedScene {
    let step = view.style.burnInShift
    guard step > 0, view.content.burnsIn else { return self }
    var moved = self
    moved.view.shift = .againstBurnIn(step: step, at: now)
    moved.nextChange = min(nextChange ?? .max, Shift.nextMove(after: now))
    return moved
  }
}

extension View.Content {
  /// Whether the content is static and may burn in.
  ///
  /// Scrolling text moves anyway, the plain background has no edges, and a test pattern has to show the display's true
  /// edges. A mirror moves along with the mirrored content, if that moves.
  fileprivate var burnsIn: Bool {
    switch self {
    case .ticker, .blank, .pattern: false
    // The views of its zones move.
    case .zones: false
    case .mirror(let mirrored): mirrored.view.shift == .none && mirrored.view.content.burnsIn
    default: true
    }
  }
}
