import Geometry
import Layout

/// What the items of a list lie on, as far as it is plain: how letters are mixed depends on it (see `Contrast`).
///
/// Only a fill that is behind all of an item counts, so that whatever changes the ground of an item also paints anew all
/// that the item covers.
struct Grounds {
  private let background: Color
  private var fills: [FillItem] = []

  /// The ground of a list's first item.
  init(_ background: Color) { self.background = background }

  /// Goes on to what is drawn after this item.
  mutating func add(_ item: DisplayItem) {
    if case .fill(let fill) = item { fills.append(fill) }
  }

  /// The colour behind ink that is drawn next.
  func color(behind ink: Rect) -> Color { fills.last { $0.ink.contains(ink) }?.color ?? background }
}
