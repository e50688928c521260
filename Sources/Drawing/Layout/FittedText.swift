import Geometry
import Scenes
import Typesetting

/// A text that was fitted into a box, with its runs relative to the box's top left corner.
struct FittedText {
  /// All inputs of the fit.
  struct Key: Equatable {
    var text: StyledText
    var rules: FitRules
  }

  /// The width of the box and the total height of the lines.
  var size: Size
  var runs: [GlyphRun]
  var warnings: [String]
  /// The text size in 64ths of a pixel per em.
  var letterSize: Int
  var isCut: Bool

  /// The ink bounds.
  var ink: Rect { runs.reduce(.empty) { $0.union($1.ink) } }
}

extension LayoutContext {
  /// Returns the text style of this layout's `Style`, with at least the given weight.
  func letters(weight: Int? = nil) -> TextStyle {
    var text = TextStyle(style)
    if let weight { text.weight = max(weight, style.weight ?? 0) }
    return text
  }

  /// Returns text in the layout's style.
  func plain(_ text: String) -> StyledText { StyledText(text, style: letters()) }
  /// Returns bold text in the layout's style.
  func bold(_ text: String) -> StyledText { StyledText(text, style: letters(weight: 700)) }

  /// Sets a text in the largest size that fits into a box, within a range of sizes, and truncates it at the smallest
  /// size.
  func fit(
    _ text: StyledText, _ box: Size, _ size: TextSize, _ alignment: TextAlignment = .start, mostLines: Int = .max
  ) throws(TypesettingError) -> FittedText {
    let smallest = pixels64(size.smallest)
    var rules = FitRules(box: box, minimum: smallest, wordBreak: smallest, maximum: pixels64(size.largest))
    rules.alignment = alignment
    rules.mostLines = mostLines
    rules.lineHeight = style.lineHeight
    // Titles and centered text are balanced, without a single word on the last line. Lines of body text are as long as
    // possible.
    rules.isBalanced = alignment == .center || mostLines <= LayoutRules.balancedLines
    let key = FittedText.Key(text: text, rules: rules)
    if let fitted = materials.fits[key] { return fitted }
    let set = try materials.typesetter.set(text, by: rules)
    let top = (rules.box.height - set.height) / 2
    let fitted = FittedText(
      size: Size(box.width, set.height), runs: set.runs.map { $0.moved(x: 0, y: -top) }, warnings: set.warnings,
      letterSize: set.size, isCut: set.cut != nil)
    if text.isShort { materials.fits[key] = fitted }
    return fitted
  }

  /// Draws a text with its top left corner at a position.
  mutating func draw(_ text: FittedText, x: Int, y: Int, _ color: Color? = nil) {
    let color = color ?? style.foreground
    for run in text.runs {
      items.append(.text(TextItem(run: run.moved(x: x, y: y), color: run.color ?? color)))
    }
    for warning in text.warnings { warn(warning) }
  }

  /// Converts 64ths of a pixel to units.
  func units(_ pixels64: Int) -> Double { Double(pixels64) * 1080 / Double(64 * max(1, unitSide)) }

  /// Converts units to 64ths of a pixel.
  func pixels64(_ units: Double) -> Int { Int((units * Double(unitSide) * 64 / 1080).rounded()) }
}

/// A vertical stack of elements, measured before it is positioned.
struct Stack {
  private enum Part {
    case text(FittedText, Color?)
    case fills([FillItem])
  }

  private var parts: [(top: Int, part: Part)] = []
  private(set) var height = 0
  /// The largest right edge of the ink of all texts.
  private(set) var inkWidth = 0

  /// Adds a text, with a gap above it unless it is the first element.
  mutating func add(_ text: FittedText, _ color: Color? = nil, gap: Int = 0) {
    if text.size.height > 0 { inkWidth = max(inkWidth, text.ink.right) }
    add(.text(text, color), text.size.height, gap)
  }

  /// Adds fills whose coordinates are relative to their top left corner.
  mutating func add(_ fills: [FillItem], height: Int, gap: Int = 0) { add(.fills(fills), height, gap) }

  private mutating func add(_ part: Part, _ height: Int, _ gap: Int) {
    guard height > 0 else { return }
    if !parts.isEmpty { self.height += gap }
    parts.append((self.height, part))
    self.height += height
  }

  /// Draws the stack at a position.
  func draw(on sheet: inout LayoutContext, x: Int, y: Int) {
    for (top, part) in parts {
      switch part {
      case .text(let text, let color): sheet.draw(text, x: x, y: y + top, color)
      case .fills(let fills):
        for fill in fills { sheet.fill(fill.rect.moved(x: x, y: y + top), fill.color, radius: fill.cornerRadius) }
      }
    }
  }
}

extension TextStyle {
  init(_ style: Style) {
    self.init(font: style.font, weight: style.weight, isItalic: style.isItalic)
    // Without kana or Hangul, only the language determines the form of a Han character.
    if let language = style.language, ["ja", "ko", "zh"].contains(language.prefix(2)) { self.language = language }
    hyphenation = style.language
    if style.hasTabularFigures { features.insert(.tabularFigures) }
    if style.hasSmallCaps { features.insert(.smallCaps) }
  }
}

extension StyledText {
  /// Whether the fit of the text may be cached: as many long ones would take too much memory.
  fileprivate var isShort: Bool { runs.reduce(0) { $0 + $1.text.utf8.count } <= 128 }
}

extension GlyphRun {
  func moved(x: Int, y: Int) -> GlyphRun {
    var moved = self
    moved.ink = ink.moved(x: x, y: y)
    for index in moved.glyphs.indices {
      moved.glyphs[index].x &+= Int32(truncatingIfNeeded: x &* 64)
      moved.glyphs[index].y &+= Int32(truncatingIfNeeded: y &* 64)
    }
    return moved
  }
}

extension String? {
  /// The text, or nil if it is empty.
  var orNothing: String? { self?.isEmpty == false ? self : nil }
}
