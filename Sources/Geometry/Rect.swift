/// A rectangle of whole pixels: origin top left, x to the right, y downwards; right and bottom are exclusive.
public struct Rect: Hashable, Sendable {
  /// The left edge.
  public var x: Int
  /// The top edge.
  public var y: Int
  /// The extent to the right.
  public var width: Int
  /// The extent downwards.
  public var height: Int

  /// A rectangle from its top left corner and extents.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The rectangle of this size at the origin.
  public init(_ size: Size) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  /// A rectangle that holds nothing.
  public static let empty = Rect(x: 0, y: 0, width: 0, height: 0)

  /// The first column that is outside, to the right.
  public var right: Int { x + width }
  /// The first row that is outside, below.
  public var bottom: Int { y + height }
  /// Whether there is no pixel inside.
  public var isEmpty: Bool { width <= 0 || height <= 0 }
  /// Its extents.
  public var size: Size { Size(width, height) }

  /// What lies in both rectangles; empty where they do not meet.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    let overlap = Rect(x: left, y: top, width: min(right, other.right) - left, height: min(bottom, other.bottom) - top)
    return overlap.isEmpty ? .empty : overlap
  }

  /// The smallest rectangle that holds both; an empty one adds nothing.
  public func union(_ other: Rect) -> Rect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return Rect(x: left, y: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
  }

  /// Whether the other rectangle lies inside this one altogether.
  public func contains(_ other: Rect) -> Bool {
    other.isEmpty || (other.x >= x && other.y >= y && other.right <= right && other.bottom <= bottom)
  }

  /// This rectangle without the insets; empty where they leave nothing.
  public func inset(by insets: Insets) -> Rect {
    let inner = Rect(
      x: x + insets.left, y: y + insets.top, width: width - insets.left - insets.right,
      height: height - insets.top - insets.bottom)
    return inner.isEmpty ? .empty : inner
  }
}

/// Distances from the four edges, inwards.
public struct Insets: Hashable, Sendable {
  /// From the top edge, downwards.
  public var top: Int
  /// From the left edge, to the right.
  public var left: Int
  /// From the bottom edge, upwards.
  public var bottom: Int
  /// From the right edge, to the left.
  public var right: Int

  /// Insets of each edge.
  public init(top: Int, left: Int, bottom: Int, right: Int) {
    self.top = top
    self.left = left
    self.bottom = bottom
    self.right = right
  }
}
