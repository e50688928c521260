/// What stands within a line.
public enum Inline: Hashable, Sendable {
  /// Letters; never empty, and never two of them side by side.
  case text(String)
  /// Usually italic.
  case emphasis([Inline])
  /// Usually bold.
  case strong([Inline])
  /// No longer true.
  case strikethrough([Inline])
  /// Code within a line.
  case code(String)
  /// A link. The destination is what was written, neither checked nor completed; of a bare address with its scheme.
  case link([Inline], destination: String, title: String?)
  /// A picture to be fetched from `source`, and the words that may stand in its place.
  case image(source: String, alternative: String, title: String?)
  /// A line end in the text, which is as good as a space.
  case softBreak
  /// A line end that is meant.
  case hardBreak
}

extension Inline {
  /// Its text without any marks; of a picture its alternative. Breaks are a space and a line end.
  public var plainText: String {
    switch self {
    case .text(let text), .code(let text): text
    case .emphasis(let content), .strong(let content), .strikethrough(let content): content.plainText
    case .link(let content, _, _): content.plainText
    case .image(_, let alternative, _): alternative
    case .softBreak: " "
    case .hardBreak: "\n"
    }
  }
}

extension [Inline] {
  /// The text of all of them.
  public var plainText: String { lazy.map(\.plainText).joined() }
}
