/// An inline element.
package enum Inline: Hashable, Sendable {
  /// Text, which is never empty and never adjacent to another text.
  case text(String)
  /// Emphasis, usually italic.
  case emphasis([Inline])
  /// Strong emphasis, usually bold.
  case strong([Inline])
  /// Text that is struck through.
  case strikethrough([Inline])
  /// A code span.
  case code(String)
  /// A link, with its destination as written, neither checked nor completed; bare addresses include their scheme.
  case link([Inline], destination: String, title: String?)
  /// An image at `source`, and the text that may replace it.
  case image(source: String, alternative: String, title: String?)
  /// A line break in the source, equivalent to a space.
  case softBreak
  /// An explicit line break.
  case hardBreak
}

extension Inline {
  /// The text without markup: the alternative text of an image, a space for a soft break, and a newline for a hard
  /// break.
  package var plainText: String {
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
  /// The text of all elements.
  package var plainText: String { lazy.map(\.plainText).joined() }
}
