import Geometry
import Scenes
import Typesetting

extension LayoutContext {
  /// Lays out one message over the whole safe area.
  mutating func layOut(banner text: String) throws(TypesettingError) {
    let set = try materials.typesetter.set(StyledText(text, style: letters()), by: bannerRules)
    for run in set.runs {
      let moved = run.moved(x: safeArea.x, y: safeArea.y)
      items.append(.text(TextItem(run: moved, color: run.color ?? style.foreground)))
    }
    for warning in set.warnings { warn(warning) }
  }

  /// The rules for fitting the message into the safe area.
  ///
  /// Text below 1/90 of the short side (12 pixels at 1080 lines) or below 10 logical pixels is not legible. Words are
  /// broken instead of being set below 1/24 of the short side (45 pixels at 1080 lines).
  private var bannerRules: FitRules {
    let short = unitSide
    func length(_ share: Double?) -> Int? { share.map { Int(Double(short) * min(max($0, 0), 1) * 64) } }
    let legible = max(short * 64 / 90, Int(10 * 64 * max(logicalPixel, 0)))
    let largest = length(style.largest) ?? 8192 * 64
    let minimum = min(length(style.smallest) ?? legible, largest)
    var rules = FitRules(
      box: safeArea.size, minimum: minimum, wordBreak: max(minimum, short * 64 / 24), maximum: largest)
    rules.mostLines = style.mostLines ?? .max
    rules.lineHeight = style.lineHeight
    rules.alignment = TextAlignment(style.alignment)
    // Justified text is body text, whose lines are as long as possible.
    rules.isBalanced = style.alignment != .justify
    return rules
  }
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
