/// The scene that a display shows, and its source.
package struct Shown: Hashable, Sendable {
  /// The scene.
  package var scene: Scene
  /// The scroll position.
  package var place: Place
  /// The source of the scene.
  package var source: Source
  /// The time when the source was last posted or brought forward, in milliseconds since 1970; 0 for the fallback.
  ///
  /// It may be in the future if the clock was set back.
  package var since: Int64

  /// The source of a scene.
  package enum Source: Hashable, Sendable {
    /// The message with this number.
    case message(Int)
    /// The session with this number.
    case session(Int)
    /// The fallback: the display has neither a message nor a session.
    case fallback
  }
}

extension SessionModel {
  /// Returns the scene that a display shows while it is awake.
  ///
  /// The candidates are the display's messages, and its session with priority 0. The highest priority wins, then the
  /// newest, then the larger number.
  ///
  /// - Parameters:
  ///   - display: A connector's name, with or without a monitor.
  ///   - fallback: The scene to show if there is neither a message nor a session.
  /// - Returns: The scene, its scroll position and its source.
  package func shown(on display: String, otherwise fallback: Scene) -> Shown {
    let session = self.session(on: display)
    let top = allMessages.filter { isFor(display, session, $0) }.max { $0.isCovered(by: $1) }
    if let top, session.map({ (0, $0.raised, $0.id) < (top.priority, top.changed, top.id) }) ?? true {
      return Shown(scene: top.scene, place: .start, source: .message(top.id), since: top.changed)
    }
    guard let session else { return Shown(scene: fallback, place: .start, source: .fallback, since: 0) }
    return Shown(scene: session.scene, place: session.place, source: .session(session.id), since: session.raised)
  }

  /// Returns whether a message targets the display with this name.
  package func isFor(_ display: String, _ message: Message) -> Bool { isFor(display, session(on: display), message) }

  private func isFor(_ display: String, _ session: Session?, _ message: Message) -> Bool {
    switch message.target {
    case .all: true
    case .display(let name): message.profile.map { profile(on: display)?.id == $0 } ?? (name == display)
    case .role(let role): profile(on: display)?.role == role
    case .tag(let tag): session?.tag == tag || profile(on: display)?.tags.contains(tag) ?? false
    }
  }
}
