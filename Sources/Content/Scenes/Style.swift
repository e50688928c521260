package import Geometry

/// The horizontal alignment of lines.
package enum Alignment: String, Hashable, Sendable, CaseIterable {
  /// The edge where reading starts: left, or right for right-to-left text.
  case start
  /// Centered.
  case center
  /// The edge where reading ends.
  case end
  /// Both edges, with wider gaps between words.
  case justify
}

/// The appearance of a scene.
package struct Style: Hashable, Sendable {
  /// The text color.
  package var foreground: Color
  /// The background color.
  package var background: Color
  /// The color of highlighted elements: bars, rules, progress and heading markers.
  package var accent = Color.amber
  /// A fontconfig family name or pattern; nil for the default font.
  package var font: String?
  /// The margin without text at each edge, as a fraction of the display's extent in that direction (0.03 is 3%).
  package var safeArea: Double
  /// The distance that static content moves each minute to prevent burn-in, in pixels.
  ///
  /// The range is 0 (disabled) to 24. The content stays within the safe area's margins.
  package var burnInShift = 0
  /// The font weight on OpenType's scale, 400 for regular and 700 for bold; nil leaves it to `font`.
  package var weight: Int?
  /// Whether text is italic or slanted, if the font supports it.
  package var isItalic = false
  /// The horizontal alignment of lines.
  package var alignment = Alignment.center
  /// The distance between baselines, as a multiple of the font's own line height.
  package var lineHeight = 1.0
  /// The maximum number of lines of a banner; nil for as many as fit.
  package var mostLines: Int?
  /// The smallest text size of a banner, as a fraction of the display's shorter side; nil for the legibility limit.
  package var smallest: Double?
  /// The largest text size of a banner, as a fraction of the display's shorter side; nil for as large as fits.
  package var largest: Double?
  /// Whether all digits have the same width, if the font supports it.
  package var hasTabularFigures = false
  /// Whether lowercase letters are drawn as small capitals, if the font supports it.
  package var hasSmallCaps = false
  /// The language of dates, times and numbers, and of letters that differ by language, as a BCP 47 tag such as `de`; nil
  /// for English.
  package var language: String?

  /// Creates a style; the default is white on dark blue in the default font with a 3% margin.
  package init(
    foreground: Color = .white, background: Color = .nightBlue, font: String? = nil, safeArea: Double = 0.03
  ) {
    self.foreground = foreground
    self.background = background
    self.font = font
    self.safeArea = safeArea
  }
}

/// The changes that a scene, a monitor or a role makes to the global style.
package struct StyleChanges: Hashable, Sendable {
  /// The text color.
  package var foreground: Color?
  /// The background color.
  package var background: Color?
  /// The color of highlighted elements.
  package var accent: Color?
  /// A fontconfig family name or pattern.
  package var font: String?
  /// The margin without text at each edge, as a fraction of the display's extent in that direction.
  package var safeArea: Double?
  /// The distance that static content moves each minute to prevent burn-in, in pixels.
  package var burnInShift: Int?
  /// The font weight on OpenType's scale.
  package var weight: Int?
  /// Whether text is italic or slanted.
  package var isItalic: Bool?
  /// The horizontal alignment of lines.
  package var alignment: Alignment?
  /// The distance between baselines, as a multiple of the font's own line height.
  package var lineHeight: Double?
  /// The language of dates, times and numbers, as a BCP 47 tag such as `de`.
  package var language: String?

  /// Creates an empty set of changes.
  package init() {}

  /// Returns the style with these changes applied.
  package func applied(to style: Style) -> Style {
    var changed = style
    changed.foreground = foreground ?? style.foreground
    changed.background = background ?? style.background
    changed.accent = accent ?? style.accent
    changed.font = font ?? style.font
    changed.safeArea = safeArea ?? style.safeArea
    changed.burnInShift = burnInShift ?? style.burnInShift
    changed.weight = weight ?? style.weight
    changed.isItalic = isItalic ?? style.isItalic
    changed.alignment = alignment ?? style.alignment
    changed.lineHeight = lineHeight ?? style.lineHeight
    changed.language = language ?? style.language
    return changed
  }
}
