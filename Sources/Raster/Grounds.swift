import Geometry
import Layout
import Typesetting

/// What the items of a list lie on, as far as it is plain: how letters are mixed depends on it (see `Contrast`).
///
/// Only a fill that is behind all of an item counts, so that whatever changes the ground of an item also paints anew all
/// that the item covers. What is cut counts as if it were not, unless the fill is behind all that its clip lets through:
/// letters look the same wherever the edge of a window, or of a part of a strip, goes through them.
struct Grounds {
  private let background: Color
  private var fills: [FillItem] = []

  /// The ground of a list's first item.
  init(_ background: Color) { self.background = background }

  /// Goes on to what is drawn after this item.
  mutating func add(_ item: DisplayItem) {
    if case .fill(let fill) = item { fills.append(fill) }
  }

  /// The colour behind an item that is drawn next.
  func color(behind item: DisplayItem) -> Color {
    let (ink, uncut, clip) = (item.ink, item.uncut, item.clip)
    let fill = fills.last { fill in
      fill.ink.contains(ink) && (fill.rect.contains(uncut) || clip.map(fill.rect.contains) ?? false)
    }
    return fill?.color ?? background
  }
}

extension DisplayItem {
  /// Where it would draw, were it not cut.
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
