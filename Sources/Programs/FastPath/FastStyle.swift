import CLinux

/// The output style: the width of the terminal and its color support.
package struct FastStyle: Sendable {
  /// The width of the terminal in columns; nil if the output is not a terminal.
  package var columns: Int?
  /// Whether the output supports colors and the user allows them.
  package var hasColors: Bool

  /// Creates an output style.
  package init(columns: Int? = nil, hasColors: Bool = false) {
    self.columns = columns
    self.hasColors = hasColors
  }

  /// Returns the style of standard output, by the rules of the full program (`Console.style`).
  ///
  /// - Parameter environment: Returns the value of a variable; nil if it is not set.
  /// - Returns: A style without width and colors if standard output is not a terminal.
  static func standard(environment: (String) -> [UInt8]?) -> FastStyle {
    let columns = isatty(STDOUT_FILENO) == 1 ? Int(placard_columns(STDOUT_FILENO)) : 0
    guard columns > 0 else { return FastStyle() }
    let terminal = environment("TERM") ?? []
    let isWanted = (environment("NO_COLOR") ?? []).isEmpty && !terminal.isEmpty && !terminal.elementsEqual("dumb".utf8)
    return FastStyle(columns: columns, hasColors: isWanted)
  }

  /// A color of the terminal's palette, or another text attribute (ECMA-48, select graphic rendition).
  enum TextColor: Int {
    case strong = 1
    case faint = 2
    case bad = 31
    case good = 32
    case doubtful = 33
  }

  func paint(_ text: String, _ color: TextColor?) -> String {
    guard hasColors, let color else { return text }
    return "\u{1b}[\(color.rawValue)m" + text + "\u{1b}[0m"
  }
}
