import CLinux

/// What the standard output is: a terminal, or a file or another program.
public struct FastPaper: Sendable {
  /// The terminal's columns; nil where it is none.
  public var columns: Int?
  /// Whether colors are seen, and wanted.
  public var hasColors: Bool

  /// An output with these columns and colors.
  public init(columns: Int? = nil, hasColors: Bool = false) {
    self.columns = columns
    self.hasColors = hasColors
  }

  /// The standard output, by the rules of the full program (`Console.paper`).
  ///
  /// - Parameter environment: Returns the value of a variable; nil if it is not set.
  static func standard(environment: (String) -> [UInt8]?) -> FastPaper {
    let columns = isatty(STDOUT_FILENO) == 1 ? Int(placard_columns(STDOUT_FILENO)) : 0
    guard columns > 0 else { return FastPaper() }
    let terminal = environment("TERM") ?? []
    let isWanted = (environment("NO_COLOR") ?? []).isEmpty && !terminal.isEmpty && !terminal.elementsEqual("dumb".utf8)
    return FastPaper(columns: columns, hasColors: isWanted)
  }

  /// A color of the terminal's own (ECMA-48, select graphic rendition), or another way to set a text off.
  enum Ink: Int {
    case strong = 1
    case faint = 2
    case bad = 31
    case good = 32
    case doubtful = 33
  }

  func paint(_ text: String, _ ink: Ink?) -> String {
    guard hasColors, let ink else { return text }
    return "\u{1b}[\(ink.rawValue)m" + text + "\u{1b}[0m"
  }
}
