/// The rendering and flip state of one output, as a pure state machine.
///
/// Times are nanoseconds of CLOCK_MONOTONIC.
///
/// | state          | sceneChanged | unchanged      | presented | busy    | failed | flipped        | stepped | deadline | modeset |
/// |----------------|--------------|----------------|-----------|---------|--------|----------------|---------|----------|---------|
/// | dark           | dirty        | -              | -         | -       | -      | -              | -       | -        | waiting |
/// | idle           | painting     | -              | -         | -       | -      | -              | -       | -        | waiting |
/// | painting       | dirty        | idle, painting | waiting   | blocked | dark   | -              | -       | dark     | waiting |
/// | blocked        | dirty        | -              | -         | -       | dark   | retry          | -       | retry    | waiting |
/// | waitingForFlip | dirty        | -              | -         | -       | dark   | idle, painting | waiting | dark     | waiting |
///
/// *Dirty* is not a state. It means that the newest scene is neither presented nor in flight. An output that becomes
/// free while dirty renders the newest scene and skips the ones in between. At most one flip is pending.
///
/// A modeset starts a new generation and discards the pending flip, which may be lost. Results of older generations are
/// dropped. After a modeset, only the flip that carries its number counts: the flip of an earlier frame may arrive
/// during the commit, which waits for it.
///
/// The render thread presents the frame, so the flip event can precede the result of the call. It is handled after that
/// result. During an animation the render thread can answer a flip with the next frame at once (`stepped`), unless the
/// output is dirty and the newest scene was not offered to it. The output then continues to wait for a flip.
///
/// A call that takes ten times the flip timeout counts as a missing flip. So does a card that stays busy for the flip
/// timeout.
package struct FrameMachine: Hashable, Sendable {
  /// The state of the output.
  package enum State: Hashable, Sendable {
    /// No mode is set, or the card rejected a frame: only a modeset helps.
    case dark
    /// The newest scene is presented.
    case idle
    /// A render thread renders this version or presents it, and the result of its call is pending.
    case rendering(version: Int, since: UInt64)
    /// The card was busy: the rendered frame is presented again at the next flip or deadline.
    case blocked(version: Int, since: UInt64)
    /// The card accepted the frame, and its flip is pending.
    case waitingForFlip(version: Int, since: UInt64)
  }

  /// An event of the output.
  package enum Event: Hashable, Sendable {
    /// There is a new scene.
    case sceneChanged
    /// The render thread found no difference from the presented frame.
    case unchanged(generation: Int)
    /// The card accepted the frame of this generation; a flip follows.
    case presented(generation: Int)
    /// The card rejected the frame of this generation with EBUSY.
    case busy(generation: Int)
    /// The card rejected the frame with another error: refused, not master or gone.
    case failed
    /// A frame was presented at this time; 0 if the driver does not report one. `modeset` is the number of the modeset
    /// whose first frame it is; 0 if it is a later frame.
    case flipped(time: UInt64, modeset: UInt32 = 0)
    /// The frame was presented at this time, and the render thread has already queued the next animation frame.
    /// `version` is the scene version of that frame; nil for that of the presented one.
    case stepped(time: UInt64, generation: Int, version: Int? = nil)
    /// A mode was set with a first frame of this scene version; a flip with this number follows.
    ///
    /// `submitted` is the time just before the commit.
    case modeset(version: Int, number: UInt32, submitted: UInt64)
    /// The output was disabled or removed.
    case switchedOff
    /// The time of `deadline` was reached.
    case deadlinePassed
  }

  /// An action that the caller must carry out.
  package enum Action: Hashable, Sendable {
    /// Render and present the newest scene, then send `unchanged`, `presented` or `busy` of this generation, or
    /// `failed`.
    case paint(version: Int, generation: Int)
    /// Present the last rendered frame again, then send the same events as after `paint`.
    case present(version: Int, generation: Int)
    /// This version of the scene was presented at this time, which supersedes all older versions. For a frame that
    /// equals the presented one, it is the time of the comparison.
    case shown(version: Int, time: UInt64)
    /// The first flip of a mode did not arrive: set the next fallback mode.
    case stepDown
    /// Flips stopped after the first one: set the same mode again.
    case setAgain
  }

  /// The timeouts, in nanoseconds.
  package struct Patience: Hashable, Sendable {
    /// The timeout of a flip; the kernel's own timeout is ten seconds.
    package var flip: UInt64
    /// The delay before a busy card is retried.
    package var busy: UInt64
    /// The timeout of a present call, which can block during another output's modeset.
    package var call: UInt64 { flip &* 10 }

    /// Creates timeouts.
    ///
    /// - Parameters:
    ///   - flip: The timeout of a flip in nanoseconds.
    ///   - busy: The delay before a busy card is retried, in nanoseconds.
    package init(flip: UInt64 = 2_000_000_000, busy: UInt64 = 20_000_000) {
      self.flip = flip
      self.busy = busy
    }
  }

  /// The current state of the output.
  package private(set) var state: State = .dark
  /// The version of the newest scene, incremented by each `sceneChanged`.
  package private(set) var wanted = 0
  /// The presented version; -1 if none is.
  package private(set) var shown = -1
  /// The time of the latest flip; 0 if there was none. A frame that equals the presented one has no flip of its own.
  package private(set) var flipTime: UInt64 = 0
  /// The generation, incremented by each modeset and each time the output is switched off.
  package private(set) var generation: Int

  /// True if a flip timed out and no mode has been set, nor the output switched off, since then.
  package private(set) var isOverdue = false

  private let patience: Patience
  /// The number of the last modeset.
  private var modesetNumber: UInt32 = 0
  /// The time just before the commit of the last modeset.
  private var modesetTime: UInt64 = 0
  /// The start of the period in which the card has returned only EBUSY; nil if it is not busy.
  private var busySince: UInt64?

  /// Creates a machine for a dark output.
  ///
  /// - Parameters:
  ///   - patience: The timeouts.
  ///   - generation: The first generation, higher than all of an earlier output whose results may still arrive.
  package init(patience: Patience = Patience(), generation: Int = 0) {
    self.patience = patience
    self.generation = generation
  }

  /// True if a flip was received since the last modeset.
  package var isPresented: Bool { shown >= 0 }

  /// True if the newest scene is neither presented nor in flight.
  package var isDirty: Bool {
    switch state {
    case .dark, .idle: shown != wanted
    case .rendering(let version, _): version != wanted
    case .blocked(let version, _), .waitingForFlip(let version, _): version != wanted
    }
  }

  /// The time at which `deadlinePassed` is due; nil if nothing is pending.
  package var deadline: UInt64? {
    switch state {
    case .dark, .idle: nil
    case .rendering(_, let since): since &+ patience.call
    case .blocked(_, let since): since &+ patience.busy
    case .waitingForFlip(_, let since): since &+ patience.flip
    }
  }

  /// Returns whether the present call with which a render thread answers a flip can still be in progress.
  ///
  /// - Parameter now: The current time in nanoseconds of CLOCK_MONOTONIC.
  /// - Returns: True while a flip is pending and the call timeout has not passed.
  package func mayStep(at now: UInt64) -> Bool {
    if case .waitingForFlip(_, let since) = state { now < since &+ patience.call } else { false }
  }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - now: The current time in nanoseconds of CLOCK_MONOTONIC.
  /// - Returns: The actions to carry out, in order.
  package mutating func handle(_ event: Event, at now: UInt64) -> [Action] {
    switch event {
    case .sceneChanged: sceneChanged(at: now)
    case .unchanged(let generation): unchanged(generation, at: now)
    case .presented(let generation): presented(generation, at: now)
    case .busy(let generation): busy(generation, at: now)
    case .failed: state == .idle ? [] : switchOff()
    case .flipped(let time, let modeset): flipped(time, modeset, at: now)
    case .stepped(let time, let generation, let version): stepped(time, generation, version, at: now)
    case .modeset(let version, let number, let submitted):
      modeset(version, number: number, submitted: submitted, at: now)
    case .switchedOff: switchOff()
    case .deadlinePassed: deadlinePassed(at: now)
    }
  }
}

extension FrameMachine {
  private mutating func sceneChanged(at now: UInt64) -> [Action] {
    wanted += 1
    return state == .idle ? paint(at: now) : []
  }

  private mutating func paint(at now: UInt64) -> [Action] {
    state = .rendering(version: wanted, since: now)
    return [.paint(version: wanted, generation: generation)]
  }

  /// Returns the version that is being rendered in this generation, or nil if the generation is outdated.
  private func rendering(in generation: Int) -> Int? {
    guard generation == self.generation, case .rendering(let version, _) = state else { return nil }
    return version
  }

  private mutating func unchanged(_ generation: Int, at now: UInt64) -> [Action] {
    guard let version = rendering(in: generation) else { return [] }
    return arrive(version, at: now, now: now)
  }

  private mutating func presented(_ generation: Int, at now: UInt64) -> [Action] {
    guard let version = rendering(in: generation) else { return [] }
    busySince = nil
    state = .waitingForFlip(version: version, since: now)
    return []
  }

  private mutating func busy(_ generation: Int, at now: UInt64) -> [Action] {
    guard let version = rendering(in: generation) else { return [] }
    busySince = busySince ?? now
    state = .blocked(version: version, since: now)
    return []
  }

  /// Marks a version as presented at a time, and renders a newer one if there is one.
  private mutating func arrive(_ version: Int, at time: UInt64, now: UInt64) -> [Action] {
    shown = version
    busySince = nil
    state = .idle
    let arrival = Action.shown(version: version, time: time)
    return isDirty ? [arrival] + paint(at: now) : [arrival]
  }

  private mutating func flipped(_ time: UInt64, _ modeset: UInt32, at now: UInt64) -> [Action] {
    if case .blocked = state { return tryAgain(at: now) }
    guard case .waitingForFlip(let version, _) = state, isAwaiting(modeset) else { return [] }
    // Drivers that commit planes before they enable vertical blanks (drm_atomic_helper_commit_tail) send the modeset's
    // event with the time of the last vertical blank before it.
    flipTime = time == 0 || time < modesetTime ? now : time
    return arrive(version, at: flipTime, now: now)
  }

  /// Records a flip whose successor is already queued, so the output keeps waiting.
  private mutating func stepped(_ time: UInt64, _ generation: Int, _ next: Int?, at now: UInt64) -> [Action] {
    guard isStepping(generation), case .waitingForFlip(let version, _) = state else { return [] }
    shown = version
    flipTime = time
    state = .waitingForFlip(version: next ?? version, since: now)
    return [.shown(version: version, time: time)]
  }

  /// Returns whether a frame of this generation is in flight, so that another one can follow at once.
  ///
  /// - Parameter generation: A generation.
  /// - Returns: True if the generation is current and a flip is pending.
  package func isStepping(_ generation: Int) -> Bool { generation == self.generation && isFlipPending }

  /// Returns whether a flip is the one that the output waits for.
  ///
  /// - Parameter modeset: The flip's modeset number.
  /// - Returns: True if the pending frame is the first one of that modeset, or if both are later frames.
  package func isAwaiting(_ modeset: UInt32) -> Bool {
    isFlipPending && modeset == (isPresented ? 0 : modesetNumber)
  }

  private var isFlipPending: Bool { if case .waitingForFlip = state { true } else { false } }

  private mutating func modeset(_ version: Int, number: UInt32, submitted: UInt64, at now: UInt64) -> [Action] {
    generation += 1
    (modesetNumber, modesetTime) = (number, submitted)
    shown = -1
    isOverdue = false
    busySince = nil
    state = .waitingForFlip(version: version, since: now)
    return []
  }

  private mutating func switchOff() -> [Action] {
    state = .dark
    shown = -1
    isOverdue = false
    busySince = nil
    generation += 1
    return []
  }

  private mutating func deadlinePassed(at now: UInt64) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    if case .blocked = state, now &- (busySince ?? now) < patience.flip { return tryAgain(at: now) }
    let action: Action = isPresented ? .setAgain : .stepDown
    _ = switchOff()
    isOverdue = true
    return [action]
  }

  /// Presents the rendered frame again after EBUSY, or renders the newest scene if there is a newer one.
  private mutating func tryAgain(at now: UInt64) -> [Action] {
    guard !isDirty, case .blocked(let version, _) = state else { return paint(at: now) }
    state = .rendering(version: version, since: now)
    return [.present(version: version, generation: generation)]
  }
}
