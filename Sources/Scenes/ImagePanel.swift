/// A picture over the whole display.
public struct ImagePanel: Hashable, Sendable {
  /// The absolute path of a PNG or JPEG file on the service's machine.
  public var path: String
  /// What becomes of its proportions.
  public var fit: Fit

  /// How a picture meets a display of another shape.
  public enum Fit: String, Hashable, Sendable, CaseIterable {
    /// All of it, with the ground at two edges.
    case fit
    /// The whole display, with two edges of the picture cut.
    case fill
    /// The whole display and all of it, distorted.
    case stretch
  }

  /// A picture by its file.
  public init(path: String, fit: Fit = .fit) {
    self.path = path
    self.fit = fit
  }
}

/// A text as a QR code.
public struct QRPanel: Hashable, Sendable {
  /// What a reader gets.
  public var text: String
  /// What people read beside it; nil for nothing.
  public var caption: String?

  /// A code of this text.
  public init(text: String, caption: String? = nil) {
    self.text = text
    self.caption = caption
  }
}

/// Pictures to set a display up with.
public enum TestPattern: String, Hashable, Sendable, CaseIterable {
  /// Bars of the eight full colours.
  case bars
  /// Squares, the middle, the edges and the safe area, with the size in pixels.
  case grid
  /// From black to white, and through each primary colour.
  case gradient
}
