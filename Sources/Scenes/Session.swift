import JSON

/// A scene that somebody opened on a display: it lasts until it is closed or another takes its place, also while its
/// monitor is unplugged.
public struct Session: Hashable, Sendable, Identifiable {
  /// Sessions and messages count up together, also over restarts: a number names one thing, and the larger is the later.
  public let id: Int
  /// What it shows.
  public internal(set) var scene: Scene { didSet { if scene != oldValue { bytes = scene.document.encoded.count } } }
  /// What its scene takes in bytes, as JSON.
  private(set) var bytes: Int
  /// What whoever opened it calls it: the same tag on the same display is the same session.
  public let tag: String?
  /// How far it is scrolled.
  public internal(set) var place: Place
  /// When it was opened, in milliseconds since 1970.
  public let opened: Int64
  /// When it was last brought forward, in milliseconds since 1970; later than all that was raised or posted before, even
  /// where the clock was set back between.
  public internal(set) var raised: Int64

  init(id: Int, scene: Scene, tag: String?, place: Place = .start, opened: Int64, raised: Int64) {
    self.id = id
    self.scene = scene
    self.tag = tag
    self.place = place
    self.opened = opened
    self.raised = raised
    bytes = scene.document.encoded.count
  }

  /// Whether opening this scene under this tag means this session.
  func isMeant(by scene: Scene, tag: String?) -> Bool {
    tag == self.tag && (tag != nil || scene == self.scene)
  }

  /// A scene that did not change stays where it was scrolled to.
  mutating func bringForward(_ scene: Scene, at time: Int64) {
    if scene != self.scene { place = .start }
    self.scene = scene
    raised = time
  }
}

/// A session that has no monitor yet.
public struct Reservation: Hashable, Sendable {
  /// The display whose next monitor gets it; nil for the first monitor anywhere.
  public let display: String?
  /// The session.
  public internal(set) var session: Session
}
