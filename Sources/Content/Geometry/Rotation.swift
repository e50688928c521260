/// A clockwise rotation of a frame on its way to a panel, which may be mounted in portrait orientation.
package enum Rotation: Int, Hashable, Sendable, CaseIterable {
  /// No rotation.
  case none = 0
  /// A rotation by 90 degrees: the top of the frame is at the panel's right edge.
  case quarter = 90
  /// A rotation by 180 degrees.
  case half = 180
  /// A rotation by 270 degrees: the top of the frame is at the panel's left edge.
  case threeQuarters = 270

  /// The rotation that reverses this one.
  package var inverse: Rotation {
    switch self {
    case .none, .half: self
    case .quarter: .threeQuarters
    case .threeQuarters: .quarter
    }
  }

  /// Returns the combination of two rotations.
  package static func + (one: Rotation, other: Rotation) -> Rotation {
    Rotation(rawValue: (one.rawValue + other.rawValue) % 360) ?? .none
  }

  /// Returns the size of a frame after the rotation.
  ///
  /// - Parameter size: The size of the frame.
  /// - Returns: The size, with width and height exchanged by quarter turns.
  package func turn(_ size: Size) -> Size {
    self == .quarter || self == .threeQuarters ? size.turned : size
  }

  /// Returns the position of a rectangle after the rotation of its frame.
  ///
  /// - Parameters:
  ///   - rect: A rectangle in the frame.
  ///   - size: The size of the frame before the rotation.
  /// - Returns: The rectangle in the rotated frame.
  package func turn(_ rect: Rect, in size: Size) -> Rect {
    switch self {
    case .none: rect
    case .quarter: Rect(x: size.height - rect.bottom, y: rect.x, width: rect.height, height: rect.width)
    case .half:
      Rect(x: size.width - rect.right, y: size.height - rect.bottom, width: rect.width, height: rect.height)
    case .threeQuarters: Rect(x: rect.y, y: size.width - rect.right, width: rect.height, height: rect.width)
    }
  }
}
