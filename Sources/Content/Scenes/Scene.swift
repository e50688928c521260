/// A description of what to display, independent of hardware, fonts, pixels and time.
///
/// Combined with a `ViewContext`, which holds the current time and the display's state, it produces a `View`.
package struct Scene: Hashable, Sendable {
  /// The content to display.
  package var content: Content
  /// The scene's overrides of the inherited style.
  package var style = StyleChanges()

  /// The kinds of scenes.
  package indirect enum Content: Hashable, Sendable {
    /// One message, as large as the safe area allows; an empty text leaves the plain background.
    case banner(String)
    /// A page of Markdown.
    case markdown(MarkdownText)
    /// A line of text that scrolls forever.
    case ticker(Ticker)
    /// One card.
    case card(Card)
    /// Columns of cards.
    case board(Board)
    /// The item that is currently played, made or served.
    case now(NowPlaying)
    /// An image from a file.
    case image(ImagePanel)
    /// The time of day.
    case clock(Clock)
    /// The time left until a given moment.
    case countdown(Countdown)
    /// A text as a QR code.
    case qr(QRPanel)
    /// The plain background.
    case blank
    /// A test pattern for adjusting a display.
    case pattern(TestPattern)
    /// The entire content of the display with this name.
    case mirror(of: String)
    /// The first screen: the host, and how to send it a message.
    case start
    /// The controller screen: how to reach the host, and what each display shows.
    case controller
    /// The identify screen: the display's name, monitor and mode.
    case identify
  }

  /// Creates a scene.
  ///
  /// - Parameters:
  ///   - content: The content to display.
  ///   - style: The scene's overrides of the inherited style.
  package init(_ content: Content, style: StyleChanges = StyleChanges()) {
    self.content = content
    self.style = style
  }

  /// Creates a banner, a message that is as large as the safe area allows.
  package static func banner(_ text: String) -> Scene { Scene(.banner(text)) }
}
