/// The permission of one output's render thread to present frames, with its pending calls and flips, as a pure state machine.
///
/// Three threads send events: the control loop, the output's render thread, and the thread that reads the card's flip
/// events. `SharedFramePermit` serializes them. Each event is one transition, so no thread acts on a part of another
/// thread's change.
///
/// A frame can be presented at the moment in which the control loop starts another generation. Nothing is lost by that:
/// a CRTC that is off rejects the frame, and the first frame of a modeset is painted by the same render thread, after
/// its call.
package struct FramePermit: Hashable, Sendable {
  /// An event of one of the three threads.
  package enum Event: Hashable, Sendable {
    /// Control loop: the state of the output's frames changed. An animation may continue unless a newer scene is
    /// waiting that was not offered to the render thread.
    case changed(generation: Int, mayStep: Bool)
    /// Render thread: a frame of the newest scene is about to be presented.
    case presenting(generation: Int)
    /// Control loop: the results of all present calls for new scenes were handled.
    case handled
    /// Render thread: from now on it answers flips itself, because the frame that it presents next is animated.
    case following(generation: Int)
    /// Render thread: it is about to render the next frame of an animation.
    case rendering(generation: Int)
    /// Render thread: the next frame of an animation is about to be presented.
    case stepping(generation: Int)
    /// Render thread: the present call of an animation frame has returned.
    case stepped
    /// Flip reader: a flip arrived while the render thread answers flips.
    case flipped(generation: Int)
    /// Control loop: the result of a flip was reported to it.
    case reported
  }

  /// The sender's next action after an event.
  package enum Answer: Hashable, Sendable {
    /// It continues.
    case proceed
    /// It stops: the generation is outdated, or a newer scene is waiting.
    case stop
    /// The flip belongs to the control loop.
    case controlLoop
    /// The flip belongs to the render thread.
    case renderThread
    /// The flip belongs to no request and is ignored.
    case ignore
  }

  private var generation = 0
  private var mayStep = false
  /// True from just before a present call for a new scene until the control loop has handled its result. A flip that
  /// arrives meanwhile is handled after the result.
  package private(set) var isResultPending = false
  /// True from just before a present call of an animation frame until the call returns.
  package private(set) var isStepping = false
  /// True while a flip is pending that the render thread answers. At most one is.
  private var isFlipPending = false
  /// The number of flips that were read for the render thread, and not yet reported to the control loop.
  package private(set) var unreportedFlips = 0

  /// Creates a permit that allows no generation but 0.
  package init() {}

  /// True while the control loop keeps flip events. One of them can belong to a frame whose result is pending: an
  /// animation frame is reported after its call, together with the flip before it.
  package var holdsFlips: Bool { isResultPending || unreportedFlips > 0 }

  /// Returns true if frames of the generation may be presented.
  package func allows(_ generation: Int) -> Bool { generation == self.generation }

  /// Handles an event.
  package mutating func handle(_ event: Event) -> Answer {
    switch event {
    case .changed(let generation, let mayStep): (self.generation, self.mayStep) = (generation, mayStep)
    case .handled: isResultPending = false
    case .stepped: isStepping = false
    case .reported: unreportedFlips -= 1
    case .flipped(let generation): return owner(ofFlipIn: generation)
    case .presenting(let generation):
      guard allows(generation) else { return .stop }
      (isResultPending, isFlipPending) = (true, true)
    case .following(let generation):
      guard allows(generation) else { return .stop }
      isFlipPending = false
    case .rendering(let generation):
      return allows(generation) && mayStep ? .proceed : .stop
    case .stepping(let generation):
      guard allows(generation) else { return .stop }
      (isStepping, isFlipPending) = (true, true)
    }
    return .proceed
  }

  /// After a modeset, a flip can be the modeset's, so it belongs to the control loop.
  private mutating func owner(ofFlipIn generation: Int) -> Answer {
    guard allows(generation) else {
      unreportedFlips += 1
      return .controlLoop
    }
    guard isFlipPending else { return .ignore }
    isFlipPending = false
    unreportedFlips += 1
    return .renderThread
  }
}
