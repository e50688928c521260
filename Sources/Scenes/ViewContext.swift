public import Geometry

/// What a scene's view depends on beside the scene: the moment, the display, the machine.
public struct ViewContext {
  /// The moment: milliseconds since the beginning of 1970 in UTC.
  public var now: Int64
  /// How scenes look that do not wish otherwise.
  public var style: Style
  /// The time zones.
  public var zones: ZoneShelf
  /// Where in its text the display was sent to.
  public var place: Place
  /// How many pages the text has there; 1 while nobody has laid it out.
  public var pages: Int
  /// When the scene came on the display, or was last sent to a place, in milliseconds as `now`: pages turn from then on.
  public var began: Int64
  /// What the display of a name shows, for its mirrors; nil where there is no such display.
  public var mirrored: (String) -> MirroredScene?
  /// What someone at the machine needs to know.
  public var controller: ControllerPanel
  /// Which display it is.
  public var identity: IdentityPanel
  /// The displays in whose mirrors the scene is seen, the outermost first.
  var mirrors: [String] = []

  /// A moment on a display of its own, unless told of more.
  public init(
    now: Int64, style: Style = Style(), zones: ZoneShelf, place: Place = .start, pages: Int = 1, began: Int64 = 0,
    controller: ControllerPanel = ControllerPanel(), identity: IdentityPanel = IdentityPanel(),
    mirrored: @escaping (String) -> MirroredScene? = { _ in nil }
  ) {
    self.now = now
    self.style = style
    self.zones = zones
    self.place = place
    self.pages = pages
    self.began = began
    self.mirrored = mirrored
    self.controller = controller
    self.identity = identity
  }
}

/// A display that another one mirrors: its scene is seen there as here, in the same moment.
public struct MirroredScene: Hashable, Sendable {
  /// What it shows, which may be a mirror itself.
  public var scene: Scene
  /// How scenes look there that do not wish otherwise.
  public var style: Style
  /// Where in its text it was sent to.
  public var place: Place
  /// How many pages the text has there.
  public var pages: Int
  /// When the scene came there, or was last sent to a place.
  public var began: Int64
  /// Its pixels as people see it, turned where it is turned.
  public var pixels: Size
  /// Its device pixels for each logical one.
  public var scale: Int
  /// Which display it is.
  public var identity: IdentityPanel

  /// A scene on a display of these measures.
  public init(
    _ scene: Scene, style: Style = Style(), place: Place = .start, pages: Int = 1, began: Int64 = 0, pixels: Size,
    scale: Int, identity: IdentityPanel = IdentityPanel()
  ) {
    self.scene = scene
    self.style = style
    self.place = place
    self.pages = pages
    self.began = began
    self.pixels = pixels
    self.scale = scale
    self.identity = identity
  }
}

extension ViewContext {
  /// The same moment on a display that is mirrored.
  func inMirror(of display: String, _ mirrored: MirroredScene) -> ViewContext {
    var context = self
    context.style = mirrored.style
    context.place = mirrored.place
    context.pages = mirrored.pages
    context.began = mirrored.began
    context.identity = mirrored.identity
    context.mirrors.append(display)
    return context
  }

  /// So far from 1970 that no sum of it and of what anybody waits for overflows.
  static func bounded(_ milliseconds: Int64) -> Int64 { min(max(milliseconds, -(1 << 60)), 1 << 60) }
}
