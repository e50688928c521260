/// The output style of a command: its width and its color support.
struct OutputStyle: Hashable, Sendable {
  /// The width in columns; nil if the output is not a terminal, so that nothing needs to be truncated.
  var columns: Int?
  /// Whether the output supports colors and the user allows them.
  var hasColors = false

  /// The style for a file or another program.
  static let plain = OutputStyle()

  /// Returns a text with a color or an attribute (ECMA-48, select graphic rendition), or unchanged without colors.
  func paint(_ text: String, _ color: TextColor?) -> String {
    guard hasColors, let color else { return text }
    return Self.colorStart(color) + text + Self.colorEnd
  }

  static func colorStart(_ color: TextColor) -> String { "\u{1b}[\(color.rawValue)m" }
  static let colorEnd = "\u{1b}[0m"
}

/// A text attribute, or one of the terminal's own 16 colors, which suit both dark and light backgrounds.
enum TextColor: String, Hashable, Sendable, CaseIterable {
  case strong = "1"
  case faint = "2"
  case bad = "31"
  case good = "32"
  case doubtful = "33"
}

extension Console {
  /// The output style.
  ///
  /// Colors require a terminal, a `TERM` other than `dumb`, and an empty or unset `NO_COLOR` (no-color.org).
  var style: OutputStyle {
    let isWanted = (environment("NO_COLOR") ?? "").isEmpty && !["", "dumb"].contains(environment("TERM") ?? "")
    return OutputStyle(columns: columns, hasColors: columns != nil && isWanted)
  }
}
