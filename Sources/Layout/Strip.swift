public import Geometry

/// A line that goes through a window of the display for ever: what is drawn on it, as if it stood still, and how it goes.
/// After its end comes its beginning.
public struct Strip: Hashable, Sendable {
  /// What of the display it goes through. Nothing else is drawn there.
  public var window: Rect
  /// What is drawn on it. Their places count from the strip's beginning and the window's top; nothing is drawn beside them.
  public var items: [DisplayItem]
  /// Pixels until it begins anew: a multiple of `grain`, and no less than the window's width.
  public var length: Int
  /// Whether it is read to the left, and goes to the right.
  public var isRightToLeft: Bool
  /// Pixels of the display that it goes in a second, about.
  public var speed: Int
  /// The colour between what is drawn.
  public var ground: Color

  /// The width of the parts that those who paint it may keep.
  public static let grain = 256

  /// A strip from its parts; the length is rounded up.
  public init(window: Rect, items: [DisplayItem], length: Int, isRightToLeft: Bool, speed: Int, ground: Color) {
    self.window = window
    self.items = items
    self.length = (max(length, window.width, 1) + Strip.grain - 1) / Strip.grain * Strip.grain
    self.isRightToLeft = isRightToLeft
    self.speed = speed
    self.ground = ground
  }

  /// The column at the window's left edge after so many pixels. Columns below 0 and from `length` on are those of the
  /// strip before and of the one after.
  public func column(after distance: Int) -> Int {
    isRightToLeft ? length - window.width - distance : distance
  }

  /// What is seen of it in a rectangle whose left edge is at a column; nothing is drawn outside.
  public func items(from column: Int, in window: Rect) -> [DisplayItem] {
    guard !window.isEmpty else { return [] }
    let rounds = column.floored(by: length)...(column + window.width - 1).floored(by: length)
    return rounds.flatMap { round in
      let left = round * length - column
      return items.compactMap { item -> DisplayItem? in
        let place = item.ink.moved(x: window.x + left, y: window.y)
        guard !place.intersection(window).isEmpty else { return nil }
        return item.moved(x: window.x + left, y: window.y).clipped(to: window)
      }
    }
  }

  /// The strip with its window at another place.
  func moved(x: Int, y: Int) -> Strip {
    var moved = self
    moved.window = window.moved(x: x, y: y)
    return moved
  }
}

extension DisplayList {
  /// What is seen when the strip has gone so many pixels: a list that stands still. Without a strip it is the same always.
  public func seen(after distance: Int) -> DisplayList {
    guard let strip else { return self }
    var seen = self
    seen.strip = nil
    // The strip's items are the last.
    let count = strip.items(from: strip.column(after: 0), in: strip.window).count
    seen.items.removeLast(min(count, items.count))
    seen.items += strip.items(from: strip.column(after: distance), in: strip.window)
    return seen
  }
}

extension Int {
  /// Divides towards minus infinity.
  fileprivate func floored(by divisor: Int) -> Int { self / divisor - (self % divisor < 0 ? 1 : 0) }
}
