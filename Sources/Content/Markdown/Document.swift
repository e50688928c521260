/// A Markdown text as a tree: CommonMark with GitHub's tables, task lists, strikethrough and bare links.
///
/// Any text is valid Markdown, so parsing never fails. Text of excessive size or nesting is truncated and reported in
/// `warnings`. The tree is at most 100 levels deep, so that recursion over it is safe.
public struct Document: Hashable, Sendable {
  /// The top-level blocks.
  public let blocks: [Block]
  /// The parts of the text that are missing from the tree or changed in it.
  public let warnings: [Warning]

  /// Parses a text.
  ///
  /// Raw HTML is not interpreted; it becomes plain text. Standalone HTML comments are removed.
  ///
  /// - Parameter text: Markdown of any size.
  public init(_ text: String) {
    let source = Source(text)
    let builder = TreeBuilder()
    builder.read(source)
    blocks = builder.finish()
    warnings = source.warnings + builder.warnings
  }

  /// The headings in document order, including those in quotes and lists.
  public var headings: [Heading] { blocks.flatMap(\.headings) }

  /// The text in document order without markup: one line per paragraph, item and row, with tabs between cells.
  public var plainText: String { blocks.plainText }
}
