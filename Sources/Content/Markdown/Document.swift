/// A Markdown text as a tree: CommonMark with GitHub's tables, task lists, strikethrough and bare links.
///
/// Any text is valid Markdown, so parsing never fails. Text of excessive size or nesting is truncated and reported in
/// `warnings`. The tree is at most 100 levels deep, so that recursion over it is safe.
package struct Document: Hashable, Sendable {
  /// The top-level blocks.
  package let blocks: [Block]
  /// The parts of the text that are missing from the tree or changed in it.
  package let warnings: [Warning]

  /// Parses a text.
  ///
  /// Raw HTML is not interpreted; it becomes plain text. Standalone HTML comments are removed.
  ///
  /// - Parameter text: Markdown of any size.
  package init(_ text: String) {
    let source = Source(text)
    let builder = TreeBuilder()
    builder.read(source)
    blocks = builder.finish()
    warnings = source.warnings + builder.warnings
  }

  /// The headings in document order, including those in quotes and lists.
  package var headings: [Heading] { blocks.flatMap(\.headings) }

  /// The text in document order without markup: one line per paragraph, item and row, with tabs between cells.
  package var plainText: String { blocks.plainText }
}
