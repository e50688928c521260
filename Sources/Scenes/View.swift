public import Geometry

/// What a display shows at a moment: a scene with the time, its style and all else that it depends on put in.
///
/// Equal views on equal displays are equal pictures, but for the files of pictures, and for how far what scrolls has come.
public struct View: Hashable, Sendable {
  /// What is seen.
  public var content: Content
  /// How it looks.
  public var style: Style
  /// How far it is from its usual place, as far as the safe area allows.
  public var shift = Shift.none

  /// The kinds of views.
  public indirect enum Content: Hashable, Sendable {
    /// One message, as large as the safe area allows; an empty one leaves the plain ground.
    case banner(String)
    /// A page of Markdown, at a place.
    case markdown(MarkdownText, Place)
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
    case clock(ClockFace)
    /// The time that is left.
    case countdown(CountdownFace)
    /// A text as a QR code.
    case qr(QRPanel)
    /// The plain ground.
    case blank
    /// A picture to set a display up with.
    case pattern(TestPattern)
    /// What another display shows, as a whole.
    case mirror(MirroredView)
    /// The controller screen; without displays and message the first screen.
    case controller(ControllerPanel)
    /// Which display this is.
    case identify(IdentityPanel)
  }

  /// A view from its parts.
  public init(_ content: Content, style: Style = Style()) {
    self.content = content
    self.style = style
  }

  /// A message as large as it can be.
  public init(banner text: String, style: Style = Style()) { self.init(.banner(text), style: style) }
}

/// A clock's letters.
public struct ClockFace: Hashable, Sendable {
  /// `14:05`.
  public var time: String
  /// `Saturday, 21 November 2026`; nil for none.
  public var date: String?
  /// A city; nil for none.
  public var caption: String?

  /// A face from its letters.
  public init(time: String, date: String? = nil, caption: String? = nil) {
    self.time = time
    self.date = date
    self.caption = caption
  }
}

/// A countdown's letters.
public struct CountdownFace: Hashable, Sendable {
  /// What is waited for; nil for nothing.
  public var title: String?
  /// `3 days 04:05:06`.
  public var remaining: String

  /// A face from its letters.
  public init(title: String? = nil, remaining: String) {
    self.title = title
    self.remaining = remaining
  }
}

/// What another display shows, and that display's measures.
public struct MirroredView: Hashable, Sendable {
  /// What it shows.
  public var view: View
  /// Its pixels as people see it, turned where it is turned.
  public var pixels: Size
  /// Its device pixels for each logical one.
  public var scale: Int

  /// A view on a display of these measures.
  public init(_ view: View, pixels: Size, scale: Int) {
    self.view = view
    self.pixels = pixels
    self.scale = scale
  }
}

/// What someone at the machine needs to know.
public struct ControllerPanel: Hashable, Sendable {
  /// A display in a few words.
  public struct Line: Hashable, Sendable {
    /// The connector's name.
    public var name: String
    /// `lit`, `asleep` or `dark`.
    public var state: String
    /// What it shows in a line, or why it shows nothing; nil for nothing to say.
    public var detail: String?

    /// A line from its parts.
    public init(name: String, state: String, detail: String? = nil) {
      self.name = name
      self.state = state
      self.detail = detail
    }
  }

  /// The host's name; nil where it has none.
  public var host: String?
  /// The web page's address for other machines; nil where they cannot reach it.
  public var address: String?
  /// The other displays.
  public var displays: [Line]
  /// The message that is shown now; nil for none.
  public var message: String?

  /// A panel from its parts.
  public init(host: String? = nil, address: String? = nil, displays: [Line] = [], message: String? = nil) {
    self.host = host
    self.address = address
    self.displays = displays
    self.message = message
  }

  /// The panel without the displays: what the first screen shows.
  var start: ControllerPanel { ControllerPanel(host: host, address: address) }
}
