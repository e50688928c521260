public import Geometry

extension Style {
  /// A warning that text in this style is hard to read, with the contrast ratio; nil if the ratio is at least 3:1.
  var contrastWarning: String? {
    let ratio = foreground.contrast(with: background)
    guard ratio < Color.leastContrast else { return nil }
    // Rounded down, so that 2.96 is not reported as 3.0.
    let tenths = Int(ratio * 10)
    return "the text \(foreground) on \(background) has a contrast of \(tenths / 10).\(tenths % 10):1 "
      + "and is hard to read; choose colors with at least 3:1"
  }
}

extension Scene {
  /// Returns the field of the first text in exactly the color of its background.
  ///
  /// - Parameter style: The style that the scene's own changes are applied to; nil to compare only colors that the
  ///   scene itself sets.
  /// - Returns: The field's path and the color; nil if all text differs from its background.
  public func invisibleText(on style: Style?) -> (path: String, color: Color)? {
    if case .countdown(let countdown) = content, let then = countdown.then?.invisibleText(on: style) {
      return ("then.\(then.path)", then.color)
    }
    guard hasText, let foreground = self.style.foreground ?? style?.foreground,
      foreground == self.style.background ?? style?.background
    else { return nil }
    return ("style.\(self.style.foreground == nil ? "background" : "foreground")", foreground)
  }

  /// Whether the scene is a text of white space only, which leaves the plain background.
  public var isEmptyText: Bool {
    switch content {
    case .banner(let text): text.allSatisfy(\.isWhitespace)
    case .markdown(let text): text.text.allSatisfy(\.isWhitespace)
    default: false
    }
  }

  /// Whether the scene draws text in the foreground color on the background.
  var hasText: Bool {
    switch content {
    case .banner(let text): text.contains { !$0.isWhitespace }
    case .qr(let panel): panel.caption != nil
    case .image, .blank, .pattern, .mirror: false
    case .markdown, .ticker, .card, .board, .now, .clock, .countdown, .start, .controller, .identify: true
    }
  }
}

extension DocumentError {
  /// Creates an error that rejects text in exactly the color of its background.
  ///
  /// - Parameter text: The field's path and its color, as returned by `Scene.invisibleText(on:)`.
  public init(invisible text: (path: String, color: Color)) {
    let isForeground = text.path.hasSuffix("foreground")
    self.init(
      path: text.path,
      reason: "is \(text.color), the same color as the \(isForeground ? "background" : "text"), so the text would be "
        + "invisible; choose colors with a contrast of at least 3:1")
  }
}
