import JSON

/// A scene that was opened on a display.
///
/// It lasts until it is closed or replaced, and is kept while its monitor is unplugged.
package struct Session: Hashable, Sendable, Identifiable {
  /// The session's number.
  ///
  /// Sessions and messages share one increasing sequence, which continues across restarts. A number is never reused,
  /// and a larger number is newer.
  package let id: Int
  /// The scene that the session shows.
  package internal(set) var scene: Scene { didSet { if scene != oldValue { bytes = scene.document.encoded.count } } }
  /// The size of the scene in bytes of JSON.
  private(set) var bytes: Int
  /// The client's name for the session: opening the same tag on the same display reuses the session.
  package let tag: String?
  /// The scroll position.
  package internal(set) var place: Place
  /// The time when the session was opened, in milliseconds since 1970.
  package let opened: Int64
  /// The time when the session was last brought forward, in milliseconds since 1970.
  ///
  /// It is later than all previously raised sessions and posted messages, even if the clock was set back in between.
  package internal(set) var raised: Int64

  init(id: Int, scene: Scene, tag: String?, place: Place = .start, opened: Int64, raised: Int64) {
    self.id = id
    self.scene = scene
    self.tag = tag
    self.place = place
    self.opened = opened
    self.raised = raised
    bytes = scene.document.encoded.count
  }

  /// Returns whether opening this scene under this tag reuses this session.
  func isMeant(by scene: Scene, tag: String?) -> Bool {
    tag == self.tag && (tag != nil || scene == self.scene)
  }

  /// Brings the session forward with a scene, and keeps the scroll position if the scene is unchanged.
  mutating func bringForward(_ scene: Scene, at time: Int64) {
    if scene != self.scene { place = .start }
    self.scene = scene
    raised = time
  }
}

/// A session that has no monitor yet.
package struct Reservation: Hashable, Sendable {
  /// The display whose next monitor gets the session; nil for the first monitor on any display.
  package let display: String?
  /// The waiting session.
  package internal(set) var session: Session
}
