package import Geometry

/// A text with several styles, as used for Markdown and cards.
package struct StyledText: Hashable, Sendable {
  /// The runs, in reading order. A style starts at a Character: marks do not combine across runs.
  package var runs: [StyledRun]

  /// Creates a text from runs.
  package init(_ runs: [StyledRun]) { self.runs = runs }

  /// Creates a text in one style.
  package init(_ text: String, style: TextStyle = TextStyle()) { runs = [StyledRun(text, style: style)] }

  /// The number of Characters in all runs.
  package var count: Int { runs.reduce(0) { $0 + $1.text.count } }
}

/// A part of a text in one style.
package struct StyledRun: Hashable, Sendable {
  /// The text of the run.
  package var text: String
  /// The style of the run.
  package var style: TextStyle

  /// Creates a run in a style.
  package init(_ text: String, style: TextStyle = TextStyle()) {
    self.text = text
    self.style = style
  }
}

/// The appearance of text.
///
/// Weights and slants are never synthesized: the nearest installed font is used.
package struct TextStyle: Hashable, Sendable {
  /// A family, a fontconfig pattern, or the absolute path of a font file; nil for the default font.
  package var font: String?
  /// The OpenType weight: 400 is regular, 700 is bold; nil leaves it to `font`.
  package var weight: Int?
  /// Whether the text is italic or oblique.
  package var isItalic: Bool
  /// Whether all letters have the same width. `font` takes precedence.
  package var isMonospaced: Bool
  /// The color of the run; nil for the text color.
  package var color: Color?
  /// The size relative to the text's, from 1/16 to 16: 0.5 is half of it.
  package var scale: Double
  /// OpenType features, applied if the font supports them.
  package var features: TextFeatures
  /// The BCP 47 language, for shapes that differ by language; nil to infer it from the text.
  package var language: String?
  /// The BCP 47 language by whose rules words may be divided; nil to divide no words.
  package var hyphenation: String?
  /// A number that the caller assigns and that glyph runs return: runs with different marks are never merged.
  package var mark: Int32 = 0

  /// Creates a style with default values for omitted properties.
  package init(
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

/// OpenType features; a font without a feature leaves the letters unchanged.
package struct TextFeatures: OptionSet, Hashable, Sendable {
  /// The features, one bit each.
  package let rawValue: UInt8

  /// Creates a set of features from its bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Tabular figures (`tnum`), so that a clock or a price does not shift when its digits change.
  package static let tabularFigures = TextFeatures(rawValue: 1)
  /// Small capitals in place of lowercase letters (`smcp`); the text itself is unchanged.
  package static let smallCaps = TextFeatures(rawValue: 2)
}
