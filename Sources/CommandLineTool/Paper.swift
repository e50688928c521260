/// What a command's output is written on: how wide it is, and whether it takes colours.
struct Paper: Hashable, Sendable {
  /// Columns; nil where it is no terminal, and nothing needs to be cut.
  var columns: Int?
  /// Whether colours are seen, and wanted.
  var hasColours = false

  /// No terminal: a file, or another program.
  static let plain = Paper()

  /// A text in an ink (ECMA-48, select graphic rendition); the text as it is where there are no colours.
  func paint(_ text: String, _ ink: Ink?) -> String {
    guard hasColours, let ink else { return text }
    return Self.inkStart(ink) + text + Self.inkEnd
  }

  static func inkStart(_ ink: Ink) -> String { "\u{1b}[\(ink.rawValue)m" }
  static let inkEnd = "\u{1b}[0m"
}

/// What a text is set off by. The terminal's own sixteen colours: they suit its ground, dark or bright.
enum Ink: String, Hashable, Sendable, CaseIterable {
  case strong = "1"
  case faint = "2"
  case bad = "31"
  case good = "32"
  case doubtful = "33"
}

extension Console {
  /// Colours are for terminals only, and for nobody who says no (no-color.org, and terminals that know none).
  var paper: Paper {
    let isWanted = (environment("NO_COLOR") ?? "").isEmpty && !["", "dumb"].contains(environment("TERM") ?? "")
    return Paper(columns: columns, hasColours: columns != nil && isWanted)
  }
}
