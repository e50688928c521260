import Geometry
import Markdown
import Typesetting

/// Inline content as a sequence of parts: texts, and images on lines of their own.
struct InlineText {
  /// The decorations of marked text.
  enum Decoration {
    /// A shaded background.
    case code
    /// A line through the text.
    case strike
  }

  enum Part {
    case text(StyledText)
    case image(source: String, alternative: String)
  }

  /// The default appearance of text.
  struct Look {
    var base: TextStyle
    var accent: Color
  }

  private(set) var parts: [Part] = []
  /// The decorations, in the order of their marks; marks are counted from 1.
  private(set) var decorations: [Decoration] = []
  private var runs: [StyledRun] = []
  private let look: Look
  /// Returns whether an image can be shown; otherwise its alternative text replaces it.
  private let canShow: (String) -> Bool

  init(_ content: [Inline], _ look: Look, canShow: @escaping (String) -> Bool) {
    self.look = look
    self.canShow = canShow
    for inline in content { add(inline, look.base) }
    endText()
  }

  private mutating func add(_ inline: Inline, _ style: TextStyle) {
    var changed = style
    switch inline {
    case .text(let text): runs.append(StyledRun(text, style: style))
    case .emphasis(let content):
      changed.isItalic = true
      add(content, changed)
    case .strong(let content):
      changed.weight = max(700, style.weight ?? 0)
      add(content, changed)
    case .strikethrough(let content):
      changed.mark = newMark(.strike)
      add(content, changed)
    case .code(let text):
      changed = changed.monospaced
      changed.mark = newMark(.code)
      runs.append(StyledRun(text, style: changed))
    case .link(let content, _, _):
      changed.color = look.accent
      add(content, changed)
    case .image(let source, let alternative, _):
      changed.isItalic = true
      add(picture: source, alternative, changed)
    case .softBreak: runs.append(StyledRun(" ", style: style))
    case .hardBreak: runs.append(StyledRun("\n", style: style))
    }
  }

  private mutating func add(_ content: [Inline], _ style: TextStyle) {
    for inline in content { add(inline, style) }
  }

  private mutating func add(picture source: String, _ alternative: String, _ style: TextStyle) {
    if canShow(source) {
      endText()
      parts.append(.image(source: source, alternative: alternative))
    } else if !alternative.isEmpty {
      runs.append(StyledRun(alternative, style: style))
    }
  }

  private mutating func newMark(_ decoration: Decoration) -> Int32 {
    decorations.append(decoration)
    return Int32(clamping: decorations.count)
  }

  private mutating func endText() {
    if runs.contains(where: { !$0.text.isEmpty }) { parts.append(.text(StyledText(runs))) }
    runs = []
  }
}

extension TextStyle {
  /// The style in the system's monospaced font, scaled down because that font looks larger than others.
  var monospaced: TextStyle {
    var style = self
    style.font = nil
    style.isMonospaced = true
    style.scale *= LayoutRules.Markdown.code
    return style
  }
}
