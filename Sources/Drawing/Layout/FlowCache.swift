import Geometry
import Scenes

/// A cache of the most recently used Markdown columns, so that turning a page or scrolling needs no new layout.
struct FlowCache {
  /// All inputs of a column's layout, except for the contents of its image files.
  struct Key: Hashable {
    var text: String
    var folder: String?
    var flow: MarkdownText.Flow
    /// The requested size of body letters, in units; nil for the usual one, which grows to fill a page.
    var size: Double?
    var area: Size
    var style: Style
    var breakpoint: Breakpoint
    var unitSide: Int
  }

  /// The maximum number of entries, about the number of displays that show Markdown at the same time.
  private static let most = 4
  private var entries: [(key: Key, flow: MarkdownFlow)] = []

  subscript(key: Key) -> MarkdownFlow? {
    mutating get {
      guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
      entries.append(entries.remove(at: place))
      return entries.last?.flow
    }
    set {
      entries.removeAll { $0.key == key }
      if let newValue { entries.append((key, newValue)) }
      if entries.count > FlowCache.most { entries.removeFirst() }
    }
  }
}
