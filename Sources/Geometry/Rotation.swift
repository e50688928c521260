/// How far a picture is turned clockwise on its way to a panel: what hangs upright on the wall is not always wide.
public enum Rotation: Int, Hashable, Sendable, CaseIterable {
  /// As the panel is.
  case none = 0
  /// A quarter turn: the top of the picture is at the panel's right edge.
  case quarter = 90
  /// Upside down.
  case half = 180
  /// Three quarters: the top of the picture is at the panel's left edge.
  case threeQuarters = 270

  /// The turn that undoes this one.
  public var inverse: Rotation {
    switch self {
    case .none, .half: self
    case .quarter: .threeQuarters
    case .threeQuarters: .quarter
    }
  }

  /// One turn after the other.
  public static func + (one: Rotation, other: Rotation) -> Rotation {
    Rotation(rawValue: (one.rawValue + other.rawValue) % 360) ?? .none
  }

  /// A picture's size after the turn.
  public func turn(_ size: Size) -> Size {
    self == .quarter || self == .threeQuarters ? size.turned : size
  }

  /// Where a rectangle of a picture of this size is after the turn.
  public func turn(_ rect: Rect, in size: Size) -> Rect {
    switch self {
    case .none: rect
    case .quarter: Rect(x: size.height - rect.bottom, y: rect.x, width: rect.height, height: rect.width)
    case .half:
      Rect(x: size.width - rect.right, y: size.height - rect.bottom, width: rect.width, height: rect.height)
    case .threeQuarters: Rect(x: rect.y, y: size.width - rect.right, width: rect.height, height: rect.width)
    }
  }
}
