import Geometry
import Scenes
import Typesetting

extension LayoutContext {
  /// Lays out one message over the whole safe area.
  mutating func layOut(banner text: String) throws(TypesettingError) {
    let words = StyledText(text, style: letters())
    var rules = bannerRules
    var set = try materials.typesetter.set(words, by: rules)
    set = try keptLines(of: text, words, set, rules)
    // Centered lines are hard to read from one to the next if there are many.
    if set.lineCount > LayoutRules.Banner.centeredLines, rules.alignment == .center {
      (rules.alignment, rules.isBalanced) = (.start, false)
      rules.maximum = set.size
      set = try keptLines(of: text, words, materials.typesetter.set(words, by: rules), rules)
    }
    let large = try filled(words, set, rules)
    for run in large?.runs ?? set.runs {
      let moved = run.moved(x: safeArea.x, y: safeArea.y)
      items.append(.text(TextItem(run: moved, color: run.color ?? style.foreground)))
    }
    for warning in (large ?? set).warnings { warn(warning) }
  }

  /// Returns the message in the lines of its text, if it must not be much smaller for that; otherwise as it is.
  private func keptLines(
    of text: String, _ words: StyledText, _ set: TypesetText, _ rules: FitRules
  ) throws(TypesettingError) -> TypesetText {
    let lines = text.split(whereSeparator: \.isNewline).count
    guard lines > 1, set.lineCount > lines, set.cut == nil, lines <= rules.mostLines else { return set }
    var strict = rules
    strict.mostLines = lines
    let kept = try materials.typesetter.set(words, by: strict)
    let isLarge = Double(kept.size) >= LayoutRules.Banner.keptSize * Double(set.size)
    return kept.cut == nil && kept.lineCount == lines && isLarge ? kept : set
  }

  /// Returns a centered message of one line so large that its ink fills the area; nil if it is not larger then.
  ///
  /// There is no room for accents, descenders and gaps beside letters that the message does not have.
  private func filled(
    _ words: StyledText, _ set: TypesetText, _ rules: FitRules
  ) throws(TypesettingError) -> TypesetText? {
    guard set.lineCount == 1, set.cut == nil, set.size < rules.maximum, rules.alignment == .center else { return nil }
    let ink = set.inkBounds
    guard ink.size.area > 0 else { return nil }
    // Four pixels, because ink covers whole pixels, and grows with the letters except for its rounding.
    let share = min(
      Double(rules.box.width - 4) / Double(ink.width), Double(rules.box.height - 4) / Double(ink.height))
    guard share > LayoutRules.Banner.leastGain else { return nil }
    var wide = rules
    wide.box = Size(min(2 * rules.box.width, 16384), min(2 * rules.box.height, 16384))
    wide.mostLines = 1
    wide.maximum = min(Int(Double(set.size) * share) & ~15, rules.maximum)
    var filled = try materials.typesetter.set(words, by: wide)
    let bounds = filled.inkBounds
    guard filled.lineCount == 1, bounds.width <= rules.box.width, bounds.height <= rules.box.height else { return nil }
    let (x, y) = (
      (rules.box.width - bounds.width) / 2 - bounds.x, (rules.box.height - bounds.height) / 2 - bounds.y
    )
    filled.runs = filled.runs.map { $0.moved(x: x, y: y) }
    return filled
  }

  /// The rules for fitting the message into the safe area.
  ///
  /// Text below the legibility limit or below 10 logical pixels is not set. Words are broken instead of being set below
  /// 1/24 of the short side (45 pixels at 1080 lines), and divided with hyphens instead of being set below 1/12.
  private var bannerRules: FitRules {
    let short = unitSide
    func length(_ share: Double?) -> Int? { share.map { Int(Double(short) * min(max($0, 0), 1) * 64) } }
    let legible = max(pixels64(LayoutRules.smallestText), Int(10 * 64 * max(logicalPixel, 0)))
    let largest = length(style.largest) ?? 8192 * 64
    let minimum = min(length(style.smallest) ?? legible, largest)
    var rules = FitRules(
      box: safeArea.size, minimum: minimum, wordBreak: max(minimum, short * 64 / 24), maximum: largest)
    rules.division = max(minimum, short * 64 / 12)
    rules.mostLines = style.mostLines ?? .max
    rules.lineHeight = style.lineHeight
    rules.alignment = TextAlignment(style.alignment)
    // Justified text is body text, whose lines are as long as possible.
    rules.isBalanced = style.alignment != .justify
    return rules
  }
}

extension TypesetText {
  /// The bounds of all ink.
  fileprivate var inkBounds: Rect { runs.reduce(.empty) { $0.union($1.ink) } }
}

extension TextAlignment {
  init(_ alignment: Alignment) {
    self =
      switch alignment {
      case .start: .start
      case .center: .center
      case .end: .end
      case .justify: .justify
      }
  }
}
