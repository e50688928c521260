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
    /// Rows of cells below the titles of their columns.
    case table(DataTable)
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
    /// The scene of the library entry with this name.
    case entry(String)
    /// Scenes one after the other.
    case playlist(Playlist)
    /// Scenes at certain times.
    case schedule(Schedule)
    /// Events, each of which is shown while it takes place.
    case calendar(EventCalendar)
    /// Several scenes on one display.
    case zones(Zones)
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

  /// The plain background.
  package static let blank = Scene(.blank)

  /// Creates a banner, a message that is as large as the safe area allows.
  package static func banner(_ text: String) -> Scene { Scene(.banner(text)) }
}

extension Scene {
  /// The scenes directly inside this one, each with the path of its field; not those of library entries.
  package var children: [(path: String, scene: Scene)] {
    switch content {
    case .countdown(let countdown): countdown.then.map { [("then", $0)] } ?? []
    case .playlist(let playlist): playlist.items.enumerated().map { ("items[\($0)].show", $1.show) }
    case .schedule(let schedule):
      schedule.rules.enumerated().map { ("rules[\($0)].show", $1.shown) }
        + (schedule.otherwise.map { [("otherwise", $0)] } ?? [])
    case .calendar(let calendar): calendar.otherwise.map { [("otherwise", $0)] } ?? []
    case .zones(let zones): [("main", zones.main)] + zones.zones.enumerated().map { ("zones[\($0)].show", $1.show) }
    default: []
    }
  }

  /// The scene and all scenes inside it, at any depth.
  package var tree: [Scene] { [self] + children.flatMap(\.scene.tree) }

  /// Returns the scene with all scenes inside it replaced.
  ///
  /// - Parameter change: Returns the replacement of a scene, whose own scenes are replaced already.
  /// - Returns: The changed scene.
  func mapped(_ change: (Scene) -> Scene) -> Scene {
    var scene = self
    switch content {
    case .countdown(var countdown):
      countdown.then = countdown.then?.mapped(change)
      scene.content = .countdown(countdown)
    case .playlist(var playlist):
      for index in playlist.items.indices { playlist.items[index].show = playlist.items[index].show.mapped(change) }
      scene.content = .playlist(playlist)
    case .schedule(var schedule):
      for index in schedule.rules.indices { schedule.rules[index].show = schedule.rules[index].show?.mapped(change) }
      schedule.otherwise = schedule.otherwise?.mapped(change)
      scene.content = .schedule(schedule)
    case .calendar(var calendar):
      calendar.otherwise = calendar.otherwise?.mapped(change)
      scene.content = .calendar(calendar)
    case .zones(var zones):
      zones.main = zones.main.mapped(change)
      for index in zones.zones.indices { zones.zones[index].show = zones.zones[index].show.mapped(change) }
      scene.content = .zones(zones)
    default: break
    }
    return change(scene)
  }
}
