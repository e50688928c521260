import CFriBidi

/// The embedding levels of a paragraph (UAX #9): even for left-to-right text, odd for right-to-left text.
struct BidiLevels {
  /// The level of each code point.
  var levels: [UInt8]
  /// The level of the paragraph: 1 if its first strong character is right-to-left.
  var base: UInt8

  /// Computes the levels with FriBidi, or returns nil if no code point can start a right-to-left run.
  init?(of scalars: [TextScalar]) {
    guard scalars.contains(where: BidiLevels.canStartRightToLeftRun) else { return nil }
    self.init(of: scalars.map(\.value), direction: placard_bidi_auto)
  }

  /// Computes the levels with FriBidi for a paragraph of a given direction, or returns nil if FriBidi fails.
  init?(of text: [UInt32], direction: FriBidiParType) {
    var types = [FriBidiCharType](repeating: FriBidiCharType(rawValue: 0), count: text.count)
    var brackets = [FriBidiBracketType](repeating: 0, count: text.count)
    var levels = [FriBidiLevel](repeating: 0, count: text.count)
    var direction = direction
    let count = FriBidiStrIndex(text.count)
    unsafe fribidi_get_bidi_types(text, count, &types)
    unsafe fribidi_get_bracket_types(text, count, types, &brackets)
    guard unsafe fribidi_get_par_embedding_levels_ex(types, brackets, count, &direction, &levels) != 0 else {
      return nil
    }
    self.levels = levels.map { UInt8(clamping: $0) }
    base = direction == placard_bidi_rtl ? 1 : 0
  }

  /// Returns whether a code point can start a right-to-left run.
  ///
  /// These are the letters of right-to-left scripts (all in the blocks below), Arabic numbers, and the directional
  /// formatting characters.
  ///
  /// - Parameter scalar: The code point.
  /// - Returns: Whether bidi resolution is needed for a paragraph that contains it.
  private static func canStartRightToLeftRun(_ scalar: TextScalar) -> Bool {
    switch scalar.value {
    case 0..<0x590: false
    case 0x590...0x8FF, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFB1D...0xFDFF, 0xFE70...0xFEFF,
      0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }

  /// Returns the indices of the parts of one line in left-to-right order (UAX #9, rule L2).
  static func visualOrder(of levels: [UInt8]) -> [Int] {
    var order = Array(levels.indices)
    guard let highest = levels.max(), highest > 0 else { return order }
    let lowestOdd = levels.lazy.filter { $0 & 1 == 1 }.min() ?? highest + 1
    guard lowestOdd <= highest else { return order }
    for level in (lowestOdd...highest).reversed() {
      var start = 0
      while start < levels.count {
        guard levels[order[start]] >= level else {
          start += 1
          continue
        }
        var end = start
        while end < levels.count, levels[order[end]] >= level { end += 1 }
        order[start..<end].reverse()
        start = end
      }
    }
    return order
  }
}
