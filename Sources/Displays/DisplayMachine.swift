/// What a display is, as a pure state machine around the one of its frames.
///
/// | state    | light    | darken | lose | a flip of the mode that is set | no flip in time |
/// |----------|----------|--------|------|--------------------------------|-----------------|
/// | dark     | lighting | dark   | lost | -                              | -               |
/// | lighting | lighting | dark   | lost | lit                            | stalled         |
/// | lit      | lighting | dark   | lost | -                              | stalled         |
/// | stalled  | lighting | dark   | lost | -                              | -               |
/// | lost     | -        | -      | -    | -                              | -               |
///
/// Only what is wished for is kept here; whether it is so follows from the frames. What is dark or lost paints nothing and
/// takes no flip, so that nothing is lit without a flip of the very mode that is set.
public struct DisplayMachine: Hashable, Sendable {
  /// When it paints and flips.
  public private(set) var frames: FrameMachine
  /// Dark or lost, with the reason; nil while it is to be lit.
  private var end: DisplayState?

  /// A display that is to be lit, and has no mode yet.
  public init(patience: FrameMachine.Patience = FrameMachine.Patience()) {
    frames = FrameMachine(patience: patience)
  }

  /// Where it stands.
  public var state: DisplayState {
    if let end { return end }
    if frames.isOnGlass { return .lit }
    return frames.isOverdue ? .stalled(reason: "no flip came in time; a mode is set anew") : .lighting
  }

  /// Modes are tried from now on: what was on the glass counts no more. What is lost stays so.
  public mutating func light(at now: UInt64) {
    if case .lost = end { return }
    end = nil
    _ = frames.handle(.switchedOff, at: now)
  }

  /// It is dark from now on. What is lost stays so.
  public mutating func darken(_ darkness: Darkness, because reason: String, at now: UInt64) {
    if case .lost = end { return }
    end = .dark(darkness, reason: reason)
    _ = frames.handle(.switchedOff, at: now)
  }

  /// The card is gone: nothing changes after that.
  public mutating func lose(because reason: String, at now: UInt64) {
    if case .lost = end { return }
    end = .lost(reason: reason)
    _ = frames.handle(.switchedOff, at: now)
  }

  /// Lets the frames take in an event. While it is dark or lost they only count scenes, and flips that were still to come.
  public mutating func handle(_ event: FrameMachine.Event, at now: UInt64) -> [FrameMachine.Action] {
    switch event {
    case .sceneChanged, .flipped, .presented: frames.handle(event, at: now)
    default: end == nil ? frames.handle(event, at: now) : []
    }
  }
}
