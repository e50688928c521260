public import Geometry

/// What goes through a window of the display: a line that goes by itself for ever, or a column that goes where it is
/// sent. What is drawn on it, as if it stood still, and how it goes. After its end comes its beginning.
public struct Strip: Hashable, Sendable {
  /// Which way it goes.
  public enum Way: Hashable, Sendable {
    /// As a line that is read to the right.
    case left
    /// As a line that is read to the left.
    case right
    /// As a column that is read downwards.
    case up
  }

  /// What of the display it goes through. Nothing else is drawn there.
  public var window: Rect
  /// What is drawn on it. Their places count along it from its beginning, and across it from `edge`; what is beside the
  /// window is not seen.
  public var items: [DisplayItem]
  /// Where items' places count from across the strip: pixels from the window's top, or from its left edge for a column.
  public var edge: Int
  /// Pixels until it begins anew: a multiple of `grain`, and no less than the window's extent along it.
  public var length: Int
  /// Which way it goes.
  public var way: Way
  /// Pixels of the display that it goes in a second, about; nil where it goes nowhere by itself.
  public var speed: Int?
  /// The colour between what is drawn.
  public var ground: Color
  /// How many pixels it has gone in the list that shows it.
  public var distance: Int

  /// The extent along it of the parts that those who paint it may keep.
  public static let grain = 256

  /// A strip from its parts; the length is rounded up.
  public init(
    window: Rect, items: [DisplayItem], edge: Int = 0, length: Int, way: Way, speed: Int? = nil, ground: Color,
    distance: Int = 0
  ) {
    let seen = way == .up ? window.height : window.width
    self.window = window
    self.items = items
    self.edge = edge
    self.length = (max(length, seen, 1) + Strip.grain - 1) / Strip.grain * Strip.grain
    self.way = way
    self.speed = speed
    self.ground = ground
    self.distance = distance
  }

  /// The window's extent along it.
  public var seen: Int { along(window) }

  /// The column at the window's left edge after so many pixels, or the row at its top. Those below 0 and from `length` on
  /// are of the strip before and of the one after.
  public func start(after distance: Int) -> Int { way == .right ? length - window.width - distance : distance }

  /// What is seen of it in a rectangle whose left edge is at a column, or whose top is at a row; nothing is drawn outside.
  public func items(from start: Int, in window: Rect) -> [DisplayItem] {
    guard !window.isEmpty else { return [] }
    let rounds = start.floored(by: length)...(start + along(window) - 1).floored(by: length)
    return rounds.flatMap { round in
      let begin = round * length - start
      let (x, y) = way == .up ? (window.x + edge, window.y + begin) : (window.x + begin, window.y + edge)
      return items.compactMap { item -> DisplayItem? in
        guard !item.ink.moved(x: x, y: y).intersection(window).isEmpty else { return nil }
        return item.moved(x: x, y: y).clipped(to: window)
      }
    }
  }

  private func along(_ rect: Rect) -> Int { way == .up ? rect.height : rect.width }

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
    var seen = moved(to: distance)
    seen.strip = nil
    return seen
  }

  /// The list whose strip has gone so many pixels. Where it is at its beginning in both, lists are equal that are the same
  /// but for how far their strips have gone.
  public func moved(to distance: Int) -> DisplayList {
    guard let strip, strip.distance != distance else { return self }
    var moved = bare
    moved.strip = strip
    moved.strip?.distance = distance
    moved.items += strip.items(from: strip.start(after: distance), in: strip.window)
    return moved
  }

  /// The list without its strip, whose window is left to those who copy it there.
  public var bare: DisplayList {
    guard let strip else { return self }
    var bare = self
    bare.strip = nil
    // The strip's items are the last.
    let count = strip.items(from: strip.start(after: strip.distance), in: strip.window).count
    bare.items.removeLast(min(count, items.count))
    return bare
  }
}

extension Int {
  /// Divides towards minus infinity.
  fileprivate func floored(by divisor: Int) -> Int { self / divisor - (self % divisor < 0 ? 1 : 0) }
}
