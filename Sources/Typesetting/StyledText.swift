public import Geometry

/// A text whose parts may look differently: what Markdown and cards stand on.
public struct StyledText: Hashable, Sendable {
  /// The parts, in the order in which they are read. A style begins with a Character: marks do not join across.
  public var runs: [StyledRun]

  /// A text of these parts.
  public init(_ runs: [StyledRun]) { self.runs = runs }

  /// A text in one style.
  public init(_ text: String, style: TextStyle = TextStyle()) { runs = [StyledRun(text, style: style)] }

  /// How many Characters all parts have.
  public var count: Int { runs.reduce(0) { $0 + $1.text.count } }
}

/// A part of a text in one style.
public struct StyledRun: Hashable, Sendable {
  /// What it says.
  public var text: String
  /// How it looks.
  public var style: TextStyle

  /// A part in a style.
  public init(_ text: String, style: TextStyle = TextStyle()) {
    self.text = text
    self.style = style
  }
}

/// How letters look. Nothing is faked: where no font is as bold or slanted as asked for, the nearest one is taken.
public struct TextStyle: Hashable, Sendable {
  /// A family, a fontconfig pattern or the absolute path of a file; nil for the default sans-serif.
  public var font: String?
  /// The weight as OpenType counts it: 400 is regular, 700 bold; nil leaves it to `font`.
  public var weight: Int?
  /// Slanted or cursive.
  public var isItalic: Bool
  /// Letters of one width each; a `font` goes before it.
  public var isMonospaced: Bool
  /// The letters' own colour; nil for the one of all the text.
  public var color: Color?
  /// The size beside the text's: 1 is the same, 0.5 half of it. From 1/16 to 16.
  public var scale: Double
  /// What the font is asked to do where it can.
  public var features: TextFeatures
  /// The language as BCP 47 names it, for shapes that differ by language; nil: what the letters tell.
  public var language: String?
  /// A number of the caller's own, with which the letters' runs come back: two parts of one look stay two.
  public var mark: Int32 = 0

  /// A plain style, unless told otherwise.
  public init(
    font: String? = nil, weight: Int? = nil, isItalic: Bool = false, isMonospaced: Bool = false, color: Color? = nil,
    scale: Double = 1, features: TextFeatures = [], language: String? = nil
  ) {
    self.font = font
    self.weight = weight
    self.isItalic = isItalic
    self.isMonospaced = isMonospaced
    self.color = color
    self.scale = scale
    self.features = features
    self.language = language
  }
}

/// Features of OpenType fonts; a font without one leaves its letters as they are.
public struct TextFeatures: OptionSet, Hashable, Sendable {
  /// One bit a feature.
  public let rawValue: UInt8

  /// Features by their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Figures of one width each (`tnum`): a clock or a price does not jump.
  public static let tabularFigures = TextFeatures(rawValue: 1)
  /// Small letters as small capitals (`smcp`); the text itself stays as it is.
  public static let smallCaps = TextFeatures(rawValue: 2)
}
