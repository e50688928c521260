/// What a display shows, and why.
public struct Shown: Hashable, Sendable {
  /// The scene.
  public var scene: Scene
  /// How far it is scrolled.
  public var place: Place
  /// Where it comes from.
  public var source: Source
  /// When its source was last posted or brought forward, in milliseconds since 1970; 0 for the fallback. It may be later
  /// than a clock that was set back.
  public var since: Int64

  /// Where a scene comes from.
  public enum Source: Hashable, Sendable {
    /// The message of this number.
    case message(Int)
    /// The session of this number.
    case session(Int)
    /// Nobody wants anything of this display.
    case fallback
  }
}

extension Store {
  /// What the display of this name shows, were it awake: of the messages for it, and its session with priority 0, the one
  /// of the highest priority; among equals the newest, and then the one with the larger number.
  ///
  /// - Parameters:
  ///   - display: A connector's name, with a monitor or without.
  ///   - fallback: What it shows where there is neither a message nor a session.
  public func shown(on display: String, otherwise fallback: Scene) -> Shown {
    let session = self.session(on: display)
    let top = allMessages.filter { isFor(display, session, $0) }.max { $0.isCovered(by: $1) }
    if let top, session.map({ (0, $0.raised, $0.id) < (top.priority, top.changed, top.id) }) ?? true {
      return Shown(scene: top.scene, place: .start, source: .message(top.id), since: top.changed)
    }
    guard let session else { return Shown(scene: fallback, place: .start, source: .fallback, since: 0) }
    return Shown(scene: session.scene, place: session.place, source: .session(session.id), since: session.raised)
  }

  /// Whether a message is for the display of this name.
  public func isFor(_ display: String, _ message: Message) -> Bool { isFor(display, session(on: display), message) }

  private func isFor(_ display: String, _ session: Session?, _ message: Message) -> Bool {
    switch message.target {
    case .all: true
    case .display(let name): message.seat.map { seat(on: display)?.id == $0 } ?? (name == display)
    case .role(let role): seat(on: display)?.role == role
    case .tag(let tag): session?.tag == tag || seat(on: display)?.tags.contains(tag) ?? false
    }
  }
}
