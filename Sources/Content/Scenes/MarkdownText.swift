/// A Markdown text, and how a long text is presented.
package struct MarkdownText: Hashable, Sendable {
  /// The source: CommonMark with tables, task lists, strikethrough and bare links.
  package var text: String
  /// The absolute path of the folder that relative image names resolve against; nil for none.
  package var folder: String?
  /// The size of body text in logical units, where the display's short side is 1080; nil for the default.
  package var size: Double?
  /// How a text that is longer than the display moves.
  package var flow: Flow
  /// The time until the next page, in seconds, wrapping around after the last one; 0 to stay on a page.
  ///
  /// If it is nil, pages turn after `usualSecondsPerPage` until a client scrolls, and a column does not move.
  package var secondsPerPage: Int?

  /// The time until the next page by default, in seconds.
  package static let usualSecondsPerPage = 20

  /// The ways in which a long text moves.
  package enum Flow: String, Hashable, Sendable, CaseIterable {
    /// Page by page, without cutting a line.
    case pages
    /// To any position, with an animation if the distance is short.
    case scroll
  }

  /// Creates a text from its parts.
  package init(
    _ text: String, folder: String? = nil, size: Double? = nil, flow: Flow = .pages, secondsPerPage: Int? = nil
  ) {
    self.text = text
    self.folder = folder
    self.size = size
    self.flow = flow
    self.secondsPerPage = secondsPerPage
  }
}

/// A position in a text that is longer than the display, independent of the display's size.
package enum Place: Hashable, Sendable {
  /// A fraction of the text, from 0 at the beginning to 1 at the end.
  case share(Double)
  /// The heading with this anchor, such as `first-steps`, at the top if enough text follows it.
  case heading(String)

  /// The beginning.
  package static let start = Place.share(0)

  /// Returns the position of a page, counted from 0: the first page is at 0 and the last at 1.
  package static func page(_ page: Int, of pages: Int) -> Place { .share(Double(page) / Double(max(1, pages - 1))) }

  /// Returns the page at a share of the text, where each page covers an equal part of 0...1.
  ///
  /// - Parameters:
  ///   - share: The position; values outside of 0...1 are clamped.
  ///   - pages: The number of pages.
  /// - Returns: The page, counted from 0.
  package static func page(at share: Double, of pages: Int) -> Int {
    // NaN fails the comparison and is treated as 0.
    share > 0 ? min(max(0, pages - 1), Int(min(share, 1) * Double(pages) + 1e-6)) : 0
  }
}
