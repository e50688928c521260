/// A Markdown text as a tree: CommonMark, and of GitHub's extensions tables, task lists, strikethrough and bare links.
///
/// Every text is Markdown, so reading never fails. What is hostile by its size or its nesting is cut, and `warnings`
/// say so. The tree is never deeper than 100 levels, so that it can be walked by recursion.
public struct Document: Hashable, Sendable {
  /// What stands below one another.
  public let blocks: [Block]
  /// What of the text is not in the tree as it was written, and why.
  public let warnings: [Warning]

  /// Reads a text. Raw HTML is not interpreted, but shown as it is written; comments that stand alone are left out.
  public init(_ text: String) {
    let source = Source(text)
    let builder = TreeBuilder()
    builder.read(source)
    blocks = builder.finish()
    warnings = source.warnings + builder.warnings
  }

  /// The headings in their order, those in quotes and lists among them.
  public var headings: [Heading] { blocks.flatMap(\.headings) }

  /// All text in its order without any marks: a line for each paragraph, item, and row; its cells are parted by tabs.
  public var plainText: String { blocks.plainText }
}
