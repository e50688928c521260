import Geometry
import Scenes

extension Rect {
  /// Returns the rectangle reduced by the same distance at each edge.
  func inset(by all: Int) -> Rect { inset(by: Insets(top: all, left: all, bottom: all, right: all)) }

  /// Returns the rectangle at another position.
  func moved(x: Int = 0, y: Int = 0) -> Rect { Rect(x: self.x + x, y: self.y + y, width: width, height: height) }

  /// Cuts off and returns the upper part; this rectangle becomes the rest below the gap.
  mutating func removeTop(_ height: Int, gap: Int = 0) -> Rect {
    let part = Rect(x: x, y: y, width: width, height: min(max(0, height), max(0, self.height)))
    let taken = min(part.height + gap, max(0, self.height))
    self = Rect(x: x, y: y + taken, width: width, height: max(0, self.height - taken))
    return part
  }

  /// Cuts off and returns the lower part; this rectangle becomes the rest above the gap.
  mutating func removeBottom(_ height: Int, gap: Int = 0) -> Rect {
    let part = min(max(0, height), max(0, self.height))
    let result = Rect(x: x, y: bottom - part, width: width, height: part)
    self.height = max(0, self.height - part - gap)
    return result
  }

  /// Cuts off and returns the left part; this rectangle becomes the rest to the right of the gap.
  mutating func removeLeft(_ width: Int, gap: Int = 0) -> Rect {
    let part = Rect(x: x, y: y, width: min(max(0, width), max(0, self.width)), height: height)
    let taken = min(part.width + gap, max(0, self.width))
    self = Rect(x: x + taken, y: y, width: max(0, self.width - taken), height: height)
    return part
  }

  /// Returns a rectangle with a given size, centered in this one.
  func middle(_ size: Size) -> Rect {
    Rect(x: x + (width - size.width) / 2, y: y + (height - size.height) / 2, width: size.width, height: size.height)
  }

  /// Returns rectangles with given extents, placed side by side or stacked, and separated by a gap.
  func divided(_ extents: [Int], gap: Int, isStacked: Bool) -> [Rect] {
    var start = isStacked ? y : x
    return extents.map { extent in
      defer { start += extent + gap }
      return isStacked
        ? Rect(x: x, y: start, width: width, height: extent) : Rect(x: start, y: y, width: extent, height: height)
    }
  }
}

extension Size {
  /// Returns the frame of an image of this size in a box.
  func frame(in box: Rect, _ fit: ImagePanel.Fit) -> Rect {
    guard width > 0, height > 0, fit != .stretch else { return box }
    let (across, down) = (Double(box.width) / Double(width), Double(box.height) / Double(height))
    let factor = fit == .fit ? min(across, down) : max(across, down)
    return box.middle(Size(max(1, rounded(width, factor)), max(1, rounded(height, factor))))
  }

  private func rounded(_ extent: Int, _ factor: Double) -> Int { Int((Double(extent) * factor).rounded()) }
}

/// Divides a length among several requests: small requests are met in full, and the others share the rest equally.
func fairShares(of total: Int, for wants: [Int]) -> [Int] {
  var shares = wants
  var (left, count) = (max(0, total), wants.count)
  for index in wants.indices.sorted(by: { wants[$0] < wants[$1] }) {
    shares[index] = min(wants[index], left / max(1, count))
    left -= shares[index]
    count -= 1
  }
  return shares
}
