import Markdown
public import Scenes

extension MarkdownText {
  /// The anchors of the text's headings in their order, `first-steps`: the names that `Place.heading` accepts.
  public var anchors: [String] { Document(text).headings.map(\.anchor) }
}
