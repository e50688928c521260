package import Geometry

extension Scene {
  /// Returns warnings about text with a contrast below 4.5:1.
  ///
  /// - Parameter style: The scene's complete style.
  /// - Returns: One warning for each color, with its contrast ratio.
  func contrastWarnings(in style: Style) -> [String] {
    let texts = [(hasText ? "the text" : nil, style.foreground), (accentedText, style.accent)]
    return texts.compactMap { name, color in
      let ratio = color.contrast(with: style.background)
      guard let name, ratio < Color.leastContrast else { return nil }
      // Rounded down, so that 2.96 is not reported as 3.0.
      let tenths = Int(ratio * 10)
      return "\(name) \(color) on \(style.background) has a contrast of \(tenths / 10).\(tenths % 10):1 "
        + "and is hard to read; choose colors with at least 4.5:1"
    }
  }
}

extension Scene {
  /// Returns the field of the first text in exactly the color of its background.
  ///
  /// - Parameter style: The style that the scene's own changes are applied to; nil to compare only colors that the
  ///   scene itself sets.
  /// - Returns: The field's path and the color; nil if all text differs from its background.
  package func invisibleText(on style: Style?) -> (path: String, color: Color)? {
    for (path, scene) in children {
      if let inner = scene.invisibleText(on: style) { return ("\(path).\(inner.path)", inner.color) }
    }
    let own = self.style
    guard let background = own.background ?? style?.background else { return nil }
    if hasText, own.foreground ?? style?.foreground == background {
      return ("style.\(own.foreground == nil ? "background" : "foreground")", background)
    }
    if accentedText != nil, own.accent != nil || own.background != nil, own.accent ?? style?.accent == background {
      return ("style.\(own.accent == nil ? "background" : "accent")", background)
    }
    return nil
  }

  /// Whether the scene is a text of white space only, which leaves the plain background.
  package var isEmptyText: Bool {
    switch content {
    case .banner(let text): text.allSatisfy(\.isWhitespace)
    case .markdown(let text): text.text.allSatisfy(\.isWhitespace)
    default: false
    }
  }

  /// The name of the text that the scene draws in the accent color on the background; nil if there is none.
  private var accentedText: String? {
    switch content {
    case .board(let board): board.columns.contains { $0.title != nil } ? "the title of a column" : nil
    case .countdown: "the number of days"
    case .table(let table): table.columns.contains { $0.title != nil } ? "the title of a column" : nil
    case .markdown(let text): text.mayHaveAccent ? "the text of a link or table heading" : nil
    case .identify: "the address"
    case .banner, .ticker, .card, .now, .clock, .image, .qr, .blank, .pattern, .mirror, .entry, .playlist, .schedule,
      .calendar, .zones, .start, .controller:
      nil
    }
  }

  /// Whether the scene draws text in the foreground color on the background.
  var hasText: Bool {
    switch content {
    case .banner(let text): text.contains { !$0.isWhitespace }
    case .qr(let panel): panel.caption != nil
    case .image, .blank, .pattern, .mirror, .entry, .playlist, .schedule, .calendar, .zones: false
    case .markdown, .ticker, .card, .board, .table, .now, .clock, .countdown, .start, .controller, .identify: true
    }
  }
}

extension MarkdownText {
  /// Whether the text contains the characters of a link (`](`, `:/`) or of a table (`|`).
  fileprivate var mayHaveAccent: Bool {
    let marks = [(UInt8(ascii: "]"), UInt8(ascii: "(")), (UInt8(ascii: ":"), UInt8(ascii: "/"))]
    return text.utf8.contains(UInt8(ascii: "|"))
      || zip(text.utf8, text.utf8.dropFirst()).contains { pair in marks.contains { $0 == pair } }
  }
}

extension DocumentError {
  /// Creates an error that rejects text in exactly the color of its background.
  ///
  /// - Parameter text: The field's path and its color, as returned by `Scene.invisibleText(on:)`.
  package init(invisible text: (path: String, color: Color)) {
    let other = text.path.hasSuffix("background") ? "text" : "background"
    self.init(
      path: text.path,
      reason: "is \(text.color), the same color as the \(other), so the text would be "
        + "invisible; choose colors with a contrast of at least 4.5:1")
  }
}
