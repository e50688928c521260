package import Geometry
import Locales

/// The inputs of a scene's view besides the scene itself: the time, the display and the host.
package struct ViewContext {
  /// The current time, in milliseconds since the beginning of 1970 in UTC.
  package var now: Int64
  /// The style that scenes inherit.
  package var style: Style
  /// The time zones.
  package var zones: ZoneCache
  /// The display's scroll position.
  package var place: Place
  /// The number of pages of the text on the display; 1 before its first layout.
  package var pages: Int
  /// The time that one pass of the ticker on the display takes, in milliseconds; nil if it is not known.
  package var pass: Int64?
  /// The time when the scene appeared or was last scrolled, in the unit of `now`; page turns are counted from it.
  package var began: Int64
  /// The steps of playlists and schedules that the display was at.
  package var progress: SceneProgress
  /// The steps of the content whose pages are counted in `pages`.
  package var pagedAt: [SceneStep]
  /// The numbers of pages of the texts in zones beside the main scene, by the steps that lead to them.
  package var zonePages: [[SceneStep]: Int] = [:]
  /// The items of playlists that are skipped.
  package var skipped: [SkippedStep] = []
  /// The scenes of the library entries, by name.
  package var library: [String: LibraryEntry]
  /// The live values, by name.
  package var values: [String: LiveValue] = [:]
  /// Returns the scene of the display with a name, for its mirrors; nil if the display does not exist.
  package var mirrored: (String) -> MirroredScene?
  /// The content of the controller screen.
  package var controller: ControllerPanel
  /// Returns the content of the identify screen.
  package var identity: () -> IdentityPanel
  /// The displays that mirror the scene, outermost first.
  var mirrors: [String] = []
  /// The steps that lead to the scene, outermost first.
  var steps: [SceneStep] = []
  /// The time for which a text without its own time shows each page, in seconds; nil if its pages do not turn.
  var secondsPerPage: Int?
  /// The library entries that lead to the scene, outermost first.
  var entries: [String] = []

  /// Creates a context for a display that is not mirrored.
  package init(
    now: Int64, style: Style = Style(), zones: ZoneCache, place: Place = .start, pages: Int = 1, began: Int64 = 0,
    progress: SceneProgress = SceneProgress(), pagedAt: [SceneStep] = [], library: [String: LibraryEntry] = [:],
    controller: ControllerPanel = ControllerPanel(),
    identity: @autoclosure @escaping () -> IdentityPanel = IdentityPanel(),
    mirrored: @escaping (String) -> MirroredScene? = { _ in nil }
  ) {
    self.now = now
    self.style = style
    self.zones = zones
    self.place = place
    self.pages = pages
    self.began = began
    self.progress = progress
    self.pagedAt = pagedAt
    self.library = library
    self.mirrored = mirrored
    self.controller = controller
    self.identity = identity
  }
}

/// The scene of a display that another display mirrors, resolved at the same time on both.
package struct MirroredScene: Hashable, Sendable {
  /// The scene that the display shows, which may itself be a mirror.
  package var scene: Scene
  /// The style that scenes inherit on the display.
  package var style: Style
  /// The display's scroll position.
  package var place: Place
  /// The number of pages of the text on the display.
  package var pages: Int
  /// The time when the scene appeared there or was last scrolled, in milliseconds since 1970.
  package var began: Int64
  /// The steps of playlists and schedules that the display was at.
  package var progress: SceneProgress
  /// The steps of the content whose pages are counted in `pages`.
  package var pagedAt: [SceneStep]
  /// The numbers of pages of the texts in zones beside the main scene, by the steps that lead to them.
  package var zonePages: [[SceneStep]: Int] = [:]
  /// The items of playlists that the display skips.
  package var skipped: [SkippedStep] = []
  /// The display's size in pixels, after rotation.
  package var pixels: Size
  /// The display's device pixels per logical pixel.
  package var scale: Int
  /// The content of the display's identify screen.
  package var identity: IdentityPanel

  /// Creates a mirrored scene from a scene and its display's state.
  package init(
    _ scene: Scene, style: Style = Style(), place: Place = .start, pages: Int = 1, began: Int64 = 0,
    progress: SceneProgress = SceneProgress(), pagedAt: [SceneStep] = [], pixels: Size, scale: Int,
    identity: IdentityPanel = IdentityPanel()
  ) {
    self.scene = scene
    self.style = style
    self.place = place
    self.pages = pages
    self.began = began
    self.progress = progress
    self.pagedAt = pagedAt
    self.pixels = pixels
    self.scale = scale
    self.identity = identity
  }
}

extension ViewContext {
  /// Returns the context of a mirrored display at the same point in time.
  func inMirror(of display: String, _ mirrored: MirroredScene) -> ViewContext {
    var context = self
    context.style = mirrored.style
    context.place = mirrored.place
    context.pages = mirrored.pages
    context.began = mirrored.began
    context.progress = mirrored.progress
    context.pagedAt = mirrored.pagedAt
    context.zonePages = mirrored.zonePages
    context.skipped = mirrored.skipped
    context.steps = []
    context.identity = { mirrored.identity }
    context.mirrors.append(display)
    return context
  }

  /// Returns the words of a scene with a style.
  func wording(_ style: StyleChanges) -> Wording {
    Wording(formats: zones.formats, language: (style.language ?? self.style.language).flatMap { Language($0) })
  }

  /// Returns a time clamped to ±2^60 ms, so that adding a duration to it does not overflow.
  static func bounded(_ milliseconds: Int64) -> Int64 { min(max(milliseconds, -(1 << 60)), 1 << 60) }
}
