import CFriBidi

/// The embedding levels of a paragraph by UAX #9: even for what is read to the right, odd for what is read to the left.
struct BidiLevels {
  /// Of each code point.
  var levels: [UInt8]
  /// Of the paragraph: 1 where its first strong letter is read to the left.
  var base: UInt8

  /// Asks FriBidi, where anything of the paragraph can be read to the left. nil: all is level 0.
  init?(of scalars: [TextScalar]) {
    guard scalars.contains(where: BidiLevels.canTurn) else { return nil }
    self.init(of: scalars.map(\.value), direction: placard_bidi_auto)
  }

  /// Asks FriBidi; with the direction of the paragraph, which `scalars` alone tell otherwise.
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

  /// Whether a code point can begin a run to the left: letters of such scripts (all in these blocks), Arabic numbers,
  /// and the marks that ask for it.
  private static func canTurn(_ scalar: TextScalar) -> Bool {
    switch scalar.value {
    case 0..<0x590: false
    case 0x590...0x8FF, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFB1D...0xFDFF, 0xFE70...0xFEFF,
      0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }

  /// The places in the order from left to right of parts that stand on one line (rule L2).
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
