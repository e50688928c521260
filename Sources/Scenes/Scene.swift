/// What somebody wants to be seen, as it is written down: no hardware, no fonts, no pixels, no time.
///
/// With the time and what else it depends on it becomes a `View`.
public struct Scene: Hashable, Sendable {
  /// What is to be seen.
  public var content: Content
  /// How it looks, where it has a wish.
  public var style = StyleChanges()

  /// The kinds of scenes.
  public indirect enum Content: Hashable, Sendable {
    /// One message, as large as the safe area allows; an empty one leaves the plain ground.
    case banner(String)
    /// A page of Markdown.
    case markdown(MarkdownText)
    /// A line that scrolls for ever.
    case ticker(Ticker)
    /// One card.
    case card(Card)
    /// Columns of cards.
    case board(Board)
    /// What is played, made or served now.
    case now(NowPlaying)
    /// A picture from a file.
    case image(ImagePanel)
    /// The time of day.
    case clock(Clock)
    /// The time that is left until a moment.
    case countdown(Countdown)
    /// A text as a QR code.
    case qr(QRPanel)
    /// The plain ground.
    case blank
    /// A picture to set a display up with.
    case pattern(TestPattern)
    /// What the display of this name shows, as a whole.
    case mirror(of: String)
    /// The first screen: the host, and how to send it a message.
    case start
    /// What someone at the machine needs to know: how to reach it, and what it shows where.
    case controller
    /// Which display this is: its name, monitor and mode.
    case identify
  }

  /// A scene of this content.
  public init(_ content: Content, style: StyleChanges = StyleChanges()) {
    self.content = content
    self.style = style
  }

  /// A message as large as it can be.
  public static func banner(_ text: String) -> Scene { Scene(.banner(text)) }
}
