/// A rectangle of whole pixels.
///
/// The origin is at the top left; `right` and `bottom` are exclusive.
package struct Rect: Hashable, Sendable {
  /// The left edge.
  package var x: Int
  /// The top edge.
  package var y: Int
  /// The width.
  package var width: Int
  /// The height.
  package var height: Int

  /// Creates a rectangle from its top left corner and its size.
  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates a rectangle of this size at the origin.
  package init(_ size: Size) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  /// The empty rectangle at the origin.
  package static let empty = Rect(x: 0, y: 0, width: 0, height: 0)

  /// The first column beyond the right edge.
  package var right: Int { x + width }
  /// The first row beyond the bottom edge.
  package var bottom: Int { y + height }
  /// True if the rectangle contains no pixels.
  package var isEmpty: Bool { width <= 0 || height <= 0 }
  /// The width and height.
  package var size: Size { Size(width, height) }

  /// Returns the common area of two rectangles.
  ///
  /// - Parameter other: The other rectangle.
  /// - Returns: The intersection; empty if the rectangles do not overlap.
  package func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let overlap = Rect(x: left, y: top, width: min(right, other.right) - left, height: min(bottom, other.bottom) - top)
    return overlap.isEmpty ? .empty : overlap
  }

  /// Returns the smallest rectangle that contains both rectangles.
  ///
  /// Empty rectangles are ignored.
  ///
  /// - Parameter other: The other rectangle.
  /// - Returns: The bounding rectangle.
  package func union(_ other: Rect) -> Rect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return Rect(x: left, y: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
  }

  /// Returns true if the other rectangle lies completely inside this one, or is empty.
  package func contains(_ other: Rect) -> Bool {
    other.isEmpty || (other.x >= x && other.y >= y && other.right <= right && other.bottom <= bottom)
  }

  /// Returns the rectangle without the insets.
  ///
  /// - Parameter insets: The distances from the edges.
  /// - Returns: The inner rectangle; empty if the insets leave no pixels.
  package func inset(by insets: Insets) -> Rect {
    let inner = Rect(
      x: x + insets.left, y: y + insets.top, width: width - insets.left - insets.right,
      height: height - insets.top - insets.bottom)
    return inner.isEmpty ? .empty : inner
  }
}

/// The inward distances from the four edges of a rectangle.
package struct Insets: Hashable, Sendable {
  /// The distance from the top edge.
  package var top: Int
  /// The distance from the left edge.
  package var left: Int
  /// The distance from the bottom edge.
  package var bottom: Int
  /// The distance from the right edge.
  package var right: Int

  /// Creates insets.
  package init(top: Int, left: Int, bottom: Int, right: Int) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }
}
