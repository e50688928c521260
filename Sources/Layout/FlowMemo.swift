import Geometry
import Scenes

/// The newest few texts of Markdown as columns: who turns a page or scrolls lays nothing out.
struct FlowMemo {
  /// All that a column depends on, but for its pictures' files.
  struct Key: Hashable {
    var text: String
    var folder: String?
    var flow: MarkdownText.Flow
    var em: Double
    var width: Int
    var height: Int
    var style: Style
    var breakpoint: Breakpoint
    var size: Size
  }

  /// Displays that show texts at a time, about.
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
      if entries.count > FlowMemo.most { entries.removeFirst() }
    }
  }
}
