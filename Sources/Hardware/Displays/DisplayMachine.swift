/// The state of a display, as a pure state machine around its `FrameMachine`.
///
/// | state    | light    | darken | lose | a flip of the current mode     | no flip in time |
/// |----------|----------|--------|------|--------------------------------|-----------------|
/// | dark     | lighting | dark   | lost | -                              | -               |
/// | lighting | lighting | dark   | lost | lit                            | stalled         |
/// | lit      | lighting | dark   | lost | -                              | stalled         |
/// | stalled  | lighting | dark   | lost | -                              | -               |
/// | lost     | -        | -      | -    | -                              | -               |
///
/// This type stores only the requested state; the actual one is derived from the frames. A dark or lost display renders
/// nothing and ignores flips, so a display becomes lit only by a flip of its current mode.
package struct DisplayMachine: Hashable, Sendable {
  /// The state of rendering and flips.
  package private(set) var frames: FrameMachine
  /// The dark or lost state with its reason; nil while the display is to be lit.
  private var end: DisplayState?

  /// Creates a display that is to be lit and has no mode yet.
  package init(patience: FrameMachine.Patience = FrameMachine.Patience()) {
    frames = FrameMachine(patience: patience)
  }

  /// The current state of the display.
  package var state: DisplayState {
    if let end { return end }
    if frames.isOnGlass { return .lit }
    return frames.isOverdue ? .stalled(reason: "no flip came in time; setting a mode again") : .lighting
  }

  /// Starts mode setting and discards the presented version, unless the display is lost.
  package mutating func light(at now: UInt64) {
    if case .lost = end { return }
    end = nil
    _ = frames.handle(.switchedOff, at: now)
  }

  /// Makes the display dark, unless it is lost.
  ///
  /// - Parameters:
  ///   - darkness: The category of the reason.
  ///   - reason: The reason, as a sentence.
  ///   - now: The current time in nanoseconds of CLOCK_MONOTONIC.
  package mutating func darken(_ darkness: Darkness, because reason: String, at now: UInt64) {
    if case .lost = end { return }
    end = .dark(darkness, reason: reason)
    _ = frames.handle(.switchedOff, at: now)
  }

  /// Marks the display as lost, which is final.
  package mutating func lose(because reason: String, at now: UInt64) {
    if case .lost = end { return }
    end = .lost(reason: reason)
    _ = frames.handle(.switchedOff, at: now)
  }

  /// Handles an event of the frames.
  ///
  /// While the display is dark or lost, only scene versions and outstanding flips are counted.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - now: The current time in nanoseconds of CLOCK_MONOTONIC.
  /// - Returns: The actions to carry out.
  package mutating func handle(_ event: FrameMachine.Event, at now: UInt64) -> [FrameMachine.Action] {
    switch event {
    case .sceneChanged, .flipped, .presented: frames.handle(event, at: now)
    default: end == nil ? frames.handle(event, at: now) : []
    }
  }
}
