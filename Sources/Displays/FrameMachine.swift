/// When one lit output paints and flips: a pure state machine. Times are nanoseconds of CLOCK_MONOTONIC.
///
/// | state          | sceneChanged | unchanged      | presented | busy    | failed | flipped        | stepped | deadline | modeset |
/// |----------------|--------------|----------------|-----------|---------|--------|----------------|---------|----------|---------|
/// | dark           | dirty        | -              | -         | -       | -      | -              | -       | -        | waiting |
/// | idle           | painting     | -              | -         | -       | -      | -              | -       | -        | waiting |
/// | painting       | dirty        | idle, painting | waiting   | blocked | dark   | -              | -       | dark     | waiting |
/// | blocked        | dirty        | -              | -         | -       | dark   | try again      | -       | try again| waiting |
/// | waitingForFlip | dirty        | -              | -         | -       | dark   | idle, painting | waiting | dark     | waiting |
///
/// *Dirty* is no state: it means that the newest scene is not the one that was shown or is on its way. Where an output
/// becomes free and is dirty, it paints the newest scene; scenes in between are never painted. At most one flip is
/// pending. A modeset forgets what was pending, since its flip may be lost, and starts a new generation: what a painter
/// finishes for an older one is dropped, and so is a flip that happened before the modeset, where one was asked for and
/// has not come. Whoever paints presents, too, and a flip may be told before the card's answer is: it is taken in after
/// that. A painter may answer a flip with the next picture of what moves at once, *stepped*, as long as the output is not
/// dirty: it goes on waiting, then. A call that does not return in ten times as long as a flip may take is a flip that
/// never came, too. A card that stays busy for as long as a flip may take counts as one whose flip never came.
public struct FrameMachine: Hashable, Sendable {
  /// Where the output stands.
  public enum State: Hashable, Sendable {
    /// No mode is set, or the card did not take a frame: only a modeset helps.
    case dark
    /// The glass shows the newest scene.
    case idle
    /// A painter is at work on this version of the scene, or gives it to the card, whose answer is due.
    case painting(version: Int, since: UInt64)
    /// The card was busy: the painted frame is given again at the next flip or deadline.
    case blocked(version: Int, since: UInt64)
    /// The card took the frame; its flip is due.
    case waitingForFlip(version: Int, since: UInt64)
  }

  /// What happened.
  public enum Event: Hashable, Sendable {
    /// There is something new to show.
    case sceneChanged
    /// The painter found nothing to paint: the glass shows the same already.
    case unchanged(generation: Int)
    /// The card took the frame that was asked for in this generation, and will answer with a flip.
    case presented(generation: Int)
    /// The card said EBUSY to it.
    case busy(generation: Int)
    /// The card said anything else: refused, not master, gone.
    case failed
    /// The frame went to the glass at this time; 0 where the driver does not say.
    case flipped(time: UInt64)
    /// The frame went to the glass at this time, and in this generation the painter has given the card the next picture of
    /// what moves already.
    case stepped(time: UInt64, generation: Int)
    /// A mode was set with a first frame of this version of the scene; a flip follows. `submitted` is the time just
    /// before the commit: a flip older than that belongs to what was before, if one is still to come.
    case modeset(version: Int, submitted: UInt64)
    /// The output was switched off or taken away.
    case switchedOff
    /// The time of `deadline` has come.
    case deadlinePassed
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// Paint the newest scene and give it to the card; answer with `unchanged`, `presented` or `busy` of this generation,
    /// or `failed`.
    case paint(version: Int, generation: Int)
    /// Give the frame that was painted last to the card once more; answer in the same way.
    case present(version: Int, generation: Int)
    /// This version of the scene, and with it all older ones, was shown at this time.
    case shown(version: Int, time: UInt64)
    /// The first flip of a mode never came: set the next mode of the ladder.
    case stepDown
    /// Flips came before, and now none: set the same mode again.
    case setAgain
  }

  /// How long to wait for what may never come, in nanoseconds.
  public struct Patience: Hashable, Sendable {
    /// For a flip; the kernel itself gives up after ten seconds.
    public var flip: UInt64
    /// Before a busy card is asked again.
    public var busy: UInt64
    /// For the return of a call for a flip, which may wait for another output's modeset.
    public var call: UInt64 { flip &* 10 }

    /// Two seconds for a flip, 20 ms before a busy card is asked again, unless told otherwise.
    public init(flip: UInt64 = 2_000_000_000, busy: UInt64 = 20_000_000) {
      self.flip = flip
      self.busy = busy
    }
  }

  /// Where the output stands.
  public private(set) var state: State = .dark
  /// The version of the newest scene; each `sceneChanged` makes a new one.
  public private(set) var wanted = 0
  /// The version on the glass; -1 while nothing is.
  public private(set) var shown = -1
  /// How many modesets there have been.
  public private(set) var generation = 0

  /// Whether no flip came in time; until a mode is set, or the output is switched off.
  public private(set) var isOverdue = false

  private let patience: Patience
  private var modesetTime: UInt64 = 0
  /// Flips that were asked for before the last modeset, or before the output was switched off, and were not told of.
  private(set) var owed = 0
  /// Whether a flip that came since the last modeset was taken for one of those.
  private var hasSkipped = false
  /// Since when the card has answered nothing but busy.
  private var busySince: UInt64?

  /// A machine for an output that is dark.
  public init(patience: Patience = Patience()) { self.patience = patience }

  /// Whether a flip has come since the last modeset.
  public var isOnGlass: Bool { shown >= 0 }

  /// Whether the newest scene is neither on the glass nor on its way.
  public var isDirty: Bool {
    switch state {
    case .dark, .idle: shown != wanted
    case .painting(let version, _): version != wanted
    case .blocked(let version, _), .waitingForFlip(let version, _): version != wanted
    }
  }

  /// When `deadlinePassed` is due; nil while there is nothing to wait for.
  public var deadline: UInt64? {
    switch state {
    case .dark, .idle: nil
    case .painting(_, let since): since &+ patience.call
    case .blocked(_, let since): since &+ patience.busy
    case .waitingForFlip(_, let since): since &+ patience.flip
    }
  }

  /// Whether the call with which a painter answers a flip may still return: one is awaited for no longer than calls may take.
  public func mayStep(at now: UInt64) -> Bool {
    if case .waitingForFlip(_, let since) = state { now < since &+ patience.call } else { false }
  }

  /// Takes in an event at this time and says what is to be done.
  public mutating func handle(_ event: Event, at now: UInt64) -> [Action] {
    switch event {
    case .sceneChanged: sceneChanged(at: now)
    case .unchanged(let generation): unchanged(generation, at: now)
    case .presented(let generation): presented(generation, at: now)
    case .busy(let generation): busy(generation, at: now)
    case .failed: state == .idle ? [] : switchOff()
    case .flipped(let time): flipped(time, at: now)
    case .stepped(let time, let generation): stepped(time, generation, at: now)
    case .modeset(let version, let submitted): modeset(version, submitted: submitted, at: now)
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
    state = .painting(version: wanted, since: now)
    return [.paint(version: wanted, generation: generation)]
  }

  /// The version that is painted in this generation; nil where that is another one by now.
  private func painting(in generation: Int) -> Int? {
    guard generation == self.generation, case .painting(let version, _) = state else { return nil }
    return version
  }

  private mutating func unchanged(_ generation: Int, at now: UInt64) -> [Action] {
    guard let version = painting(in: generation) else { return [] }
    return arrive(version, told: now, at: now)
  }

  private mutating func presented(_ generation: Int, at now: UInt64) -> [Action] {
    guard let version = painting(in: generation) else {
      // It was asked for while a mode was set, or while the output was switched off: its flip may still come.
      if generation != self.generation { owed += 1 }
      return []
    }
    busySince = nil
    state = .waitingForFlip(version: version, since: now)
    return []
  }

  private mutating func busy(_ generation: Int, at now: UInt64) -> [Action] {
    guard let version = painting(in: generation) else { return [] }
    busySince = busySince ?? now
    state = .blocked(version: version, since: now)
    return []
  }

  /// A version is on the glass since a time; what is newer is painted.
  private mutating func arrive(_ version: Int, told time: UInt64, at now: UInt64) -> [Action] {
    shown = version
    busySince = nil
    state = .idle
    let told = Action.shown(version: version, time: time)
    return isDirty ? [told] + paint(at: now) : [told]
  }

  private mutating func flipped(_ time: UInt64, at now: UInt64) -> [Action] {
    if state == .dark {
      owed = max(0, owed - 1)
      return []
    }
    let isOld = time != 0 && time < modesetTime
    if isOld && isOwed() { return [] }
    switch state {
    case .blocked: return tryAgain(at: now)
    case .waitingForFlip(let version, _):
      owed = 0
      return arrive(version, told: time == 0 || isOld ? now : time, at: now)
    case .dark, .idle, .painting: return []
    }
  }

  /// What is on the glass and on its way are pictures of the same version: what moved on is no news.
  private mutating func stepped(_ time: UInt64, _ generation: Int, at now: UInt64) -> [Action] {
    guard isStepping(generation), case .waitingForFlip(let version, _) = state else { return [] }
    owed = 0
    shown = version
    state = .waitingForFlip(version: version, since: now)
    return [.shown(version: version, time: time)]
  }

  /// Whether a picture of this generation is on its way, which another one may follow at once.
  public func isStepping(_ generation: Int) -> Bool { generation == self.generation && isFlipPending }

  /// A flip from before the modeset is of a flip that was asked for before it, if there was one. Otherwise it is the
  /// modeset's own: drivers that commit planes before they switch vertical blanks on again (drm_atomic_helper_commit_tail)
  /// send its event with the time of the last vertical blank before they were off.
  private mutating func isOwed() -> Bool {
    guard owed > 0 else { return false }
    owed -= 1
    hasSkipped = true
    return true
  }

  private var isFlipPending: Bool { if case .waitingForFlip = state { true } else { false } }

  private mutating func modeset(_ version: Int, submitted: UInt64, at now: UInt64) -> [Action] {
    if isFlipPending { owed += 1 }
    hasSkipped = false
    generation += 1
    modesetTime = submitted
    shown = -1
    isOverdue = false
    busySince = nil
    state = .waitingForFlip(version: version, since: now)
    return []
  }

  private mutating func switchOff() -> [Action] {
    if isFlipPending { owed += 1 }
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
    // The one that was skipped may have been the one that was waited for: the mode is no worse for it, and the next
    // modeset's is believed.
    let action: Action = isOnGlass || hasSkipped ? .setAgain : .stepDown
    _ = switchOff()
    if hasSkipped { owed = 0 }
    isOverdue = true
    return [action]
  }

  /// A busy card gets the painted frame again, or the newest scene if there is one by now.
  private mutating func tryAgain(at now: UInt64) -> [Action] {
    guard !isDirty, case .blocked(let version, _) = state else { return paint(at: now) }
    state = .painting(version: version, since: now)
    return [.present(version: version, generation: generation)]
  }
}
