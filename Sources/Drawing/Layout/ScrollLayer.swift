package import Geometry
import Primitives

/// A scroll layer: content that moves behind a window of the display and repeats after its end.
///
/// It is either a line that scrolls by itself, or a column that is scrolled on request. It holds the items at their
/// static positions, and describes their motion.
package struct ScrollLayer: Hashable, Sendable {
  /// The scroll directions.
  package enum Direction: Hashable, Sendable {
    /// To the left, as for a line of left-to-right text.
    case left
    /// To the right, as for a line of right-to-left text.
    case right
    /// Upward, as for a column of text.
    case up
  }

  /// The window of the display that shows the layer; nothing else is drawn there.
  package var window: Rect
  /// The items of the layer.
  ///
  /// Their coordinates are relative to the layer's beginning along the scroll axis, and to `edge` across it. Parts
  /// outside of the window are not visible.
  package var items: [DisplayItem]
  /// The origin of the items across the scroll axis, in pixels from the window's top, or from its left edge for a
  /// column.
  package var edge: Int
  /// The distance after which the layer repeats, in pixels.
  ///
  /// It is a multiple of `tileExtent`, and at least the window's extent along the scroll axis.
  package var length: Int
  /// The scroll direction.
  package var direction: Direction
  /// The approximate speed in display pixels per second; nil for a layer that does not scroll by itself.
  package var speed: Int?
  /// The background color of the layer.
  package var ground: Color
  /// The scroll offset in the list that contains the layer, in pixels.
  package var distance: Int

  /// The size of a cacheable tile along the scroll axis, in pixels.
  package static let tileExtent = 256

  /// Creates a layer from its parts; the length is rounded up to a multiple of `tileExtent`.
  package init(
    window: Rect, items: [DisplayItem], edge: Int = 0, length: Int, direction: Direction, speed: Int? = nil,
    ground: Color,
    distance: Int = 0
  ) {
    let seen = direction == .up ? window.height : window.width
    self.window = window
    self.items = items
    self.edge = edge
    self.length = (max(length, seen, 1) + ScrollLayer.tileExtent - 1) / ScrollLayer.tileExtent * ScrollLayer.tileExtent
    self.direction = direction
    self.speed = speed
    self.ground = ground
    self.distance = distance
  }

  /// The window's extent along the scroll axis.
  package var seen: Int { along(window) }

  /// Returns the layer's column at the window's left edge, or its row at the top, after scrolling a distance in pixels.
  ///
  /// - Parameter distance: The scroll offset, in pixels.
  /// - Returns: The column or row. Values below 0 or from `length` on are in the previous or next repetition.
  package func start(after distance: Int) -> Int { direction == .right ? length - window.width - distance : distance }

  /// Returns the items that are visible in a rectangle, clipped to it.
  ///
  /// - Parameters:
  ///   - start: The layer's column at the rectangle's left edge, or its row at the top.
  ///   - window: The rectangle on the display.
  /// - Returns: The items at their positions on the display.
  package func items(from start: Int, in window: Rect) -> [DisplayItem] {
    guard !window.isEmpty else { return [] }
    let rounds = floorDivide(start, length)...floorDivide(start + along(window) - 1, length)
    return rounds.flatMap { round in
      let begin = round * length - start
      let (x, y) = direction == .up ? (window.x + edge, window.y + begin) : (window.x + begin, window.y + edge)
      return items.compactMap { item -> DisplayItem? in
        guard !item.ink.moved(x: x, y: y).intersection(window).isEmpty else { return nil }
        return item.moved(x: x, y: y).clipped(to: window)
      }
    }
  }

  private func along(_ rect: Rect) -> Int { direction == .up ? rect.height : rect.width }

  /// Returns the layer with its window at another position.
  func moved(x: Int, y: Int) -> ScrollLayer {
    var moved = self
    moved.window = window.moved(x: x, y: y)
    return moved
  }
}

extension DisplayList {
  /// Returns a static list of what is visible after scrolling a distance in pixels; a list without a layer is
  /// unchanged.
  package func seen(after distance: Int) -> DisplayList {
    var seen = moved(to: distance)
    seen.strip = nil
    return seen
  }

  /// Returns the list after scrolling its layer to a distance in pixels.
  ///
  /// Lists that differ only in their scroll offsets are equal after both are moved to the same distance.
  ///
  /// - Parameter distance: The scroll offset, in pixels.
  /// - Returns: The list; unchanged if it has no layer.
  package func moved(to distance: Int) -> DisplayList {
    guard let strip, strip.distance != distance else { return self }
    var moved = bare
    moved.strip = strip
    moved.strip?.distance = distance
    moved.items += strip.items(from: strip.start(after: distance), in: strip.window)
    return moved
  }

  /// The list without its scroll layer, whose window is left to be filled by copying tiles.
  package var bare: DisplayList {
    guard let strip else { return self }
    var bare = self
    bare.strip = nil
    // The layer's visible items are at the end.
    let count = strip.items(from: strip.start(after: strip.distance), in: strip.window).count
    bare.items.removeLast(min(count, items.count))
    return bare
  }
}
