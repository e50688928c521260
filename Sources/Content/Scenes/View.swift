package import Geometry

/// The content of a display at one point in time: a scene with its time, style and other inputs resolved.
///
/// Equal views on equal displays produce equal frames, except for the contents of image files and for scroll positions.
package struct View: Hashable, Sendable {
  /// The content to draw.
  package var content: Content
  /// The style to draw it in.
  package var style: Style
  /// The offset from the normal position, limited by the safe area.
  package var shift = Shift.none
  /// The item of a playlist with cross-fades that the view belongs to; nil for another view.
  package var fade: Fade?

  /// The kinds of views.
  package indirect enum Content: Hashable, Sendable {
    /// One message, as large as the safe area allows; an empty text leaves the plain background.
    case banner(String)
    /// A page of Markdown at a position.
    case markdown(MarkdownText, Place)
    /// A line of text that scrolls forever.
    case ticker(Ticker)
    /// One card.
    case card(Card)
    /// Columns of cards.
    case board(Board)
    /// Rows of cells below the titles of their columns.
    case table(TableView)
    /// The item that is currently played, made or served.
    case now(NowPlaying)
    /// An image from a file.
    case image(ImagePanel)
    /// The time of day.
    case clock(ClockFace)
    /// The time left of a countdown.
    case countdown(CountdownFace)
    /// A text as a QR code.
    case qr(QRPanel)
    /// The plain background.
    case blank
    /// A test pattern for adjusting a display.
    case pattern(TestPattern)
    /// The entire content of another display.
    case mirror(MirroredView)
    /// Several views on one display.
    case zones(ZonedView)
    /// The controller screen; without displays and a message, the first screen.
    case controller(ControllerPanel)
    /// The identify screen.
    case identify(IdentityPanel)
  }

  /// Creates a view from its parts.
  package init(_ content: Content, style: Style = Style()) {
    self.content = content
    self.style = style
  }

  /// Creates a view of a message that is as large as the safe area allows.
  package init(banner text: String, style: Style = Style()) { self.init(.banner(text), style: style) }
}

/// An item of a playlist that replaces another one by a cross-fade.
///
/// A view replaces one of another item by a cross-fade, and one of the same item, such as the time a second before, by a
/// cut. So does a view without an item, such as a message.
package struct Fade: Hashable, Sendable {
  /// The steps that lead to the item, the outermost first.
  package var item: [SceneStep]
  /// The time of the cross-fade, in milliseconds.
  package var milliseconds: Int

  /// Creates the cross-fade of an item.
  package init(to item: [SceneStep], milliseconds: Int) {
    self.item = item
    self.milliseconds = milliseconds
  }
}

/// The formatted texts of a clock.
package struct ClockFace: Hashable, Sendable {
  /// The time, such as `14:05`.
  package var time: String
  /// The date, such as `Saturday, 21 November 2026`; nil for none.
  package var date: String?
  /// The caption, such as a city; nil for none.
  package var caption: String?

  /// Creates a clock face from its texts.
  package init(time: String, date: String? = nil, caption: String? = nil) {
    self.time = time
    self.date = date
    self.caption = caption
  }
}

/// The formatted texts of a countdown.
package struct CountdownFace: Hashable, Sendable {
  /// The event that the countdown leads to; nil for none.
  package var title: String?
  /// The remaining time, such as `3 days 04:05:06`.
  package var remaining: String

  /// Creates a countdown face from its texts.
  package init(title: String? = nil, remaining: String) {
    self.title = title
    self.remaining = remaining
  }
}

/// The view of another display, and that display's metrics.
package struct MirroredView: Hashable, Sendable {
  /// The view that the display shows.
  package var view: View
  /// The display's size in pixels, after rotation.
  package var pixels: Size
  /// The display's device pixels per logical pixel.
  package var scale: Int

  /// Creates a mirrored view from a view and its display's metrics.
  package init(_ view: View, pixels: Size, scale: Int) {
    self.view = view
    self.pixels = pixels
    self.scale = scale
  }
}

/// The content of the controller screen.
package struct ControllerPanel: Hashable, Sendable {
  /// A line about one display.
  package struct Line: Hashable, Sendable {
    /// The connector's name.
    package var name: String
    /// The state: `lit`, `lighting`, `asleep`, `dark`, `disconnected`, `stalled` or `lost`.
    package var state: String
    /// The content of the display, or the reason why it shows nothing, in one line; nil for none.
    package var detail: String?

    /// Creates a line from its parts.
    package init(name: String, state: String, detail: String? = nil) {
      self.name = name
      self.state = state
      self.detail = detail
    }
  }

  /// The host's name; nil if it has none.
  package var host: String?
  /// The address of the web page for other machines; nil if they cannot reach it.
  package var address: String?
  /// The other displays.
  package var displays: [Line]
  /// The topmost message that the other displays are showing; nil for none.
  package var message: String?

  /// Creates a panel from its parts.
  package init(host: String? = nil, address: String? = nil, displays: [Line] = [], message: String? = nil) {
    self.host = host
    self.address = address
    self.displays = displays
    self.message = message
  }

  /// The panel for the first screen, without displays and message.
  var start: ControllerPanel { ControllerPanel(host: host, address: address) }
}
