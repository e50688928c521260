import Markdown
package import Scenes

extension MarkdownText {
  /// The anchors of the headings in document order, such as `first-steps`, which `Place.heading` accepts.
  package var anchors: [String] { Document(text).headings.map(\.anchor) }
}
