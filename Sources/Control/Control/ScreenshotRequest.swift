/// A request for the frame that a display shows.
public struct ScreenshotRequest: Hashable, Sendable {
  /// The file format of the answer.
  public var format: PreviewRequest.Format
  /// Whether the frame keeps the rotation in which it is scanned out. Otherwise it is upright, as people see it.
  public var isAsScannedOut: Bool

  /// Creates a request for an upright PNG, unless the parameters specify something else.
  ///
  /// - Parameters:
  ///   - format: The file format of the answer.
  ///   - isAsScannedOut: Whether the frame keeps the rotation in which it is scanned out.
  public init(format: PreviewRequest.Format = .png, isAsScannedOut: Bool = false) {
    self.format = format
    self.isAsScannedOut = isAsScannedOut
  }
}
