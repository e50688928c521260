public import Geometry

/// What one display shows, as a value: no hardware, no fonts, no pixels.
public enum Scene: Hashable, Sendable {
  /// One message, as large as the safe area allows.
  case banner(Banner)
}

/// One message on a plain ground.
public struct Banner: Hashable, Sendable {
  /// The message; an empty one leaves the plain background.
  public var text: String
  /// How it looks.
  public var style: BannerStyle

  /// A banner of this text.
  public init(text: String, style: BannerStyle = BannerStyle()) {
    self.text = text
    self.style = style
  }
}

/// How a banner looks.
public struct BannerStyle: Hashable, Sendable {
  /// The colour of the letters.
  public var foreground: Color
  /// The colour of the ground.
  public var background: Color
  /// A fontconfig family name or pattern; nil for the system's default sans-serif.
  public var font: String?
  /// What stays free of letters at each edge, as a share of that extent (0.03 is 3%).
  public var safeArea: Double

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
