public import Geometry

/// Where lines stand between the edges.
public enum Alignment: String, Hashable, Sendable, CaseIterable {
  /// Where reading starts: at the left, or at the right for what is read to the left.
  case start
  /// In the middle.
  case center
  /// Where reading ends.
  case end
  /// From edge to edge, with wider gaps.
  case justify
}

/// How a scene looks.
public struct Style: Hashable, Sendable {
  /// The colour of the letters.
  public var foreground: Color
  /// The colour of the ground.
  public var background: Color
  /// The colour of what stands out: bars, rules, progress, headings' marks.
  public var accent = Color.amber
  /// A fontconfig family name or pattern; nil for the system's default sans-serif.
  public var font: String?
  /// What stays free of letters at each edge, as a share of that extent (0.03 is 3%).
  public var safeArea: Double
  /// By how many pixels what stands still moves each minute against burn-in, within the safe area's edges; 0 for not at
  /// all, 24 at most.
  public var burnInShift = 0
  /// The letters' weight as OpenType counts it, 400 regular, 700 bold; nil leaves it to `font`.
  public var weight: Int?
  /// Whether letters are slanted, where the font has such.
  public var isItalic = false
  /// Where lines stand.
  public var alignment = Alignment.center
  /// From one baseline to the next, beside what the font says.
  public var lineHeight = 1.0
  /// Most lines a banner may have; nil for as many as fit.
  public var mostLines: Int?
  /// The size of a banner's smallest letters, as a share of the display's shorter side; nil for what can just be read.
  public var smallest: Double?
  /// The size of a banner's largest letters, as a share of the display's shorter side; nil for as large as fits.
  public var largest: Double?
  /// Whether figures have one width each, where the font has such.
  public var hasTabularFigures = false
  /// Whether small letters are drawn as small capitals, where the font has such.
  public var hasSmallCaps = false

  /// White on dark blue, the default sans-serif, 3% free at each edge, unless told otherwise.
  public init(
    foreground: Color = .white, background: Color = .nightBlue, font: String? = nil, safeArea: Double = 0.03
  ) {
    self.foreground = foreground
    self.background = background
    self.font = font
    self.safeArea = safeArea
  }
}

/// What a scene, a monitor or a role wants otherwise than the style for all.
public struct StyleChanges: Hashable, Sendable {
  /// The colour of the letters.
  public var foreground: Color?
  /// The colour of the ground.
  public var background: Color?
  /// The colour of what stands out.
  public var accent: Color?
  /// A fontconfig family name or pattern.
  public var font: String?
  /// What stays free of letters at each edge, as a share of that extent.
  public var safeArea: Double?
  /// By how many pixels what stands still moves each minute against burn-in.
  public var burnInShift: Int?
  /// The letters' weight as OpenType counts it.
  public var weight: Int?
  /// Whether letters are slanted.
  public var isItalic: Bool?
  /// Where lines stand.
  public var alignment: Alignment?
  /// From one baseline to the next, beside what the font says.
  public var lineHeight: Double?

  /// No changes.
  public init() {}

  /// The style with these changes.
  public func applied(to style: Style) -> Style {
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
    return changed
  }
}
