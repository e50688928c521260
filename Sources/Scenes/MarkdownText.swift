/// A text in Markdown, and how a long one is read.
public struct MarkdownText: Hashable, Sendable {
  /// CommonMark with tables, task lists, strikethrough and bare links.
  public var text: String
  /// The absolute path of the folder that pictures' names count from; nil where it has none.
  public var folder: String?
  /// The size of plain text in logical units (the display's short side has 1080); nil for the usual one.
  public var size: Double?
  /// How what is longer than the display is read.
  public var flow: Flow
  /// After how many seconds the next page comes, and the first after the last; nil for a page that stays.
  public var secondsPerPage: Int?

  /// How a long text moves.
  public enum Flow: String, Hashable, Sendable, CaseIterable {
    /// Page by page: no line is cut.
    case pages
    /// To any place, which it glides to where that is not far.
    case scroll
  }

  /// A text from its parts.
  public init(
    _ text: String, folder: String? = nil, size: Double? = nil, flow: Flow = .pages, secondsPerPage: Int? = nil
  ) {
    self.text = text
    self.folder = folder
    self.size = size
    self.flow = flow
    self.secondsPerPage = secondsPerPage
  }
}

/// A place in a text that is longer than its display: the same place on displays of any size.
public enum Place: Hashable, Sendable {
  /// 0 is the beginning, 1 the end.
  case share(Double)
  /// The heading of this anchor (`first-steps`), at the top as far as there is text enough below it.
  case heading(String)

  /// The beginning.
  public static let start = Place.share(0)

  /// Page `page` of `pages`, counted from 0: the first begins at 0, the last at 1.
  public static func page(_ page: Int, of pages: Int) -> Place { .share(Double(page) / Double(max(1, pages - 1))) }

  /// Which of so many pages a share is on: each has an equal part of 0...1.
  public static func page(at share: Double, of pages: Int) -> Int {
    // What is no number is not larger than zero either.
    share > 0 ? min(max(0, pages - 1), Int(min(share, 1) * Double(pages) + 1e-6)) : 0
  }
}
