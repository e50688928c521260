import Geometry
import Layout
import Typesetting

/// The plain background color behind each item of a list, on which the blending of letters depends (see `Contrast`).
///
/// Only a fill that lies behind the whole item counts, so a change of an item's background also repaints everything
/// that the item covers. A clipped item is treated as if it were not clipped, unless the fill lies behind everything
/// that its clip shows. Letters therefore look the same wherever the edge of a window, or of a tile, cuts them.
struct Backgrounds {
  private let background: Color
  private var fills: [FillItem] = []

  /// Creates the backgrounds for the first item of a list.
  init(_ background: Color) { self.background = background }

  /// Adds an item that is drawn, before the next one is looked up.
  mutating func add(_ item: DisplayItem) {
    if case .fill(let fill) = item { fills.append(fill) }
  }

  /// Returns the background color of the item drawn next.
  func color(behind item: DisplayItem) -> Color {
    let (ink, uncut, clip) = (item.ink, item.uncut, item.clip)
    let fill = fills.last { fill in
      fill.ink.contains(ink) && (fill.rect.contains(uncut) || clip.map(fill.rect.contains) ?? false)
    }
    return fill?.color ?? background
  }
}

extension DisplayItem {
  /// The rectangle that the item would cover without a clip.
  fileprivate var uncut: Rect {
    switch self {
    case .text(let item): item.run.ink
    case .fill(let item): item.rect
    case .gradient(let item): item.rect
    case .picture(let item): item.frame
    }
  }

  fileprivate var clip: Rect? {
    switch self {
    case .text(let item): item.clip
    case .fill(let item): item.clip
    case .gradient(let item): item.clip
    case .picture(let item): item.clip
    }
  }
}
