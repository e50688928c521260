import Displays

@testable import Outputs

/// The control loop, a render thread, the reader of flip events and a CRTC, reduced to the events of `FramePermit` and
/// `FrameMachine`. Each step of a thread can be followed by a step of any other.
struct PermitModel: Hashable {
  /// A mistake in the protocol, which the exploration must find.
  enum Defect: CaseIterable {
    /// Flips are handled before the result of the present call.
    case flipBeforeResult
    /// Flips are handled before the result of a present call for an animation frame.
    case flipBeforeStep
    /// A flip whose animation frame was rejected is not reported to the control loop.
    case silentRejection
    /// The render thread keeps the generation before a modeset.
    case staleGeneration
    /// An animation continues while a newer scene is waiting.
    case stepOverScene
    /// An offered scene counts as shown with the flip before it.
    case shownEarly
    /// A scene that was offered late replaces a newer one.
    case staleOffer
  }

  /// A flip event, with the number of its modeset or of its frame, and the scene version of the frame.
  private struct FlipEvent: Hashable {
    var modeset: UInt32 = 0
    var frame = 0
    var version = 0
  }

  private enum Message: Hashable {
    case answered(Outcome, generation: Int)
    case left(FlipEvent)
    case swapped(FlipEvent)
    case stepped(FlipEvent, generation: Int, version: Int?)
  }

  private enum Outcome: Hashable { case stopped, presented, busy }

  /// The progress of a modeset.
  private enum Stage: Hashable { case steady, painting, painted, applying }

  /// The next step of the render thread in a job.
  private enum Job: Hashable {
    case paintFirst
    case paint(version: Int, generation: Int)
    case offer(version: Int, generation: Int)
    case present(generation: Int)
    case permitted(generation: Int)
    case answered(Outcome, generation: Int)
    case answer(FlipEvent, generation: Int)
    case rendered(FlipEvent, generation: Int)
    case stepping(FlipEvent, generation: Int)
    case stepReturned(FlipEvent, Outcome, generation: Int)
  }

  private var permit = FramePermit()
  private var frames = FrameMachine()
  // The control loop: reports of the render thread, and flips, which have a queue of their own.
  private var messages: [Message] = []
  private var flips: [FlipEvent] = []
  private var held: [FlipEvent] = []
  private var stage = Stage.steady
  private var early: [FlipEvent] = []
  private var paintings = 0
  private var scenes: Int
  private var modesets: Int
  private var offered: Int?
  // The render thread: the first job is in progress.
  private var jobs: [Job] = []
  private var follower: Int?
  private var stepsLeft = 2
  /// The scene version of the frame that was painted last, and a newer one for the next frame of the animation.
  private var painted = 0
  private var next: Int?
  // The CRTC.
  private var modesetCount: UInt32 = 1
  private var pending: FlipEvent?
  private var events: [FlipEvent] = []
  private var stepsOverScene = 0
  private var ignored = 0
  private var shownWithoutFlip = 0
  /// The frames that the CRTC accepted, and those among them whose results the control loop has handled.
  private var (accepted, reported) = (0, 0)
  private var flipsBeforeResult = 0
  private var olderScenes = 0
  /// The scene version of the newest frame that the CRTC accepted.
  private var newest = 0

  private init(scenes: Int, modesets: Int) {
    (self.scenes, self.modesets) = (scenes, modesets)
    change { $0.handle(.modeset(version: 0, number: 1, submitted: 1), at: 1) }
    pending = FlipEvent(modeset: 1)
  }

  /// Visits all states that the model can reach.
  ///
  /// - Parameters:
  ///   - scenes: The number of new scenes.
  ///   - modesets: The number of modesets after the first one.
  ///   - defect: The mistake; nil for none.
  /// - Returns: The number of states, the number of those from which nothing follows, and the first fault.
  static func explore(
    scenes: Int, modesets: Int, with defect: Defect? = nil
  ) -> (states: Int, ends: Int, fault: String?) {
    let start = PermitModel(scenes: scenes, modesets: modesets)
    var (seen, open, ends) = (Set([start]), [start], 0)
    while let state = open.popLast() {
      if let fault = state.fault { return (seen.count, ends, fault) }
      let next = state.successors(defect)
      if next.isEmpty {
        ends += 1
        if let fault = state.endFault { return (seen.count, ends, fault) }
      }
      for state in next where seen.insert(state).inserted { open.append(state) }
    }
    return (seen.count, ends, nil)
  }

  private var fault: String? {
    if ignored > 0 { return "a flip of a request was ignored: \(self)" }
    if stepsOverScene > 0 { return "an animation frame was presented while a newer scene was waiting: \(self)" }
    if shownWithoutFlip > 0 { return "a scene counts as shown without a flip: \(self)" }
    if flipsBeforeResult > 0 { return "a flip was handled before the result of its frame: \(self)" }
    if olderScenes > 0 { return "a frame has an older scene than the one before: \(self)" }
    if permit.unreportedFlips < 0 { return "a flip was reported twice: \(self)" }
    return nil
  }

  private var endFault: String? {
    let isAtRest = held.isEmpty && !permit.isResultPending && !permit.isStepping && permit.unreportedFlips == 0
    if !isAtRest { return "the permit is not at rest: \(self)" }
    return frames.state == .idle && !frames.isDirty ? nil : "a flip or a scene was lost: \(self)"
  }

  private func successors(_ defect: Defect?) -> [PermitModel] {
    var next: [PermitModel] = []
    func add(_ isPossible: Bool, _ body: (inout PermitModel) -> Void) {
      guard isPossible else { return }
      var model = self
      body(&model)
      next.append(model)
    }
    add(!messages.isEmpty) { $0.handleMessage(defect) }
    add(!flips.isEmpty) { $0.hear($0.flips.removeFirst(), defect) }
    add(scenes > 0 && stage == .steady) { model in
      model.scenes -= 1
      model.change { $0.handle(.sceneChanged, at: 1) }
    }
    add(mayOffer) { $0.offer() }
    add(modesets > 0 && stage == .steady) { $0.beginModeset(defect) }
    add(stage == .painted) { $0.stage = .applying }
    add(stage == .applying) { $0.endModeset(defect) }
    add(!jobs.isEmpty) { $0.run(defect) }
    // An offer whose images are being read does not delay other jobs.
    if case .offer = jobs.first { add(jobs.count > 1) { $0.jobs.append($0.jobs.removeFirst()) } }
    if case .paint = jobs.first { add(true) { $0.run(defect, isAnimated: false) } }
    if case .stepping = jobs.first { add(true) { $0.run(defect, isRejected: true) } }
    add(pending != nil) { model in
      model.events += [model.pending].compactMap(\.self)
      model.pending = nil
    }
    add(!events.isEmpty) { $0.readFlip() }
    return next
  }

  // MARK: The control loop

  private mutating func change(
    by flip: FlipEvent? = nil, isAnnounced: Bool = true, _ body: (inout FrameMachine) -> [FrameMachine.Action]
  ) {
    let generation = frames.generation
    let actions = body(&frames)
    if !frames.isStepping(generation) { offered = nil }
    if isAnnounced { updatePermit() }
    for action in actions {
      switch action {
      case .shown(let version, _): if let flip, flip.version < version { shownWithoutFlip += 1 }
      case .paint(let version, let generation):
        paintings += 1
        jobs.append(.paint(version: version, generation: generation))
      case .present(_, let generation):
        paintings += 1
        jobs.append(.present(generation: generation))
      case .stepDown, .setAgain: break
      }
    }
  }

  private mutating func updatePermit() {
    let mayStep = !frames.isDirty || offered != nil
    _ = permit.handle(.changed(generation: frames.generation, mayStep: mayStep))
  }

  private var mayOffer: Bool { offered == nil && frames.isDirty && frames.isStepping(frames.generation) }

  private mutating func offer() {
    offered = frames.wanted
    updatePermit()
    jobs.append(.offer(version: frames.wanted, generation: frames.generation))
  }

  private mutating func beginModeset(_ defect: Defect?) {
    modesets -= 1
    stage = .painting
    jobs.append(.paintFirst)
    change(isAnnounced: defect != .staleGeneration) { $0.handle(.switchedOff, at: 1) }
  }

  /// The commit waits for a pending flip, and its own flip follows.
  private mutating func endModeset(_ defect: Defect?) {
    events += [pending].compactMap(\.self)
    modesetCount += 1
    pending = FlipEvent(modeset: modesetCount, version: frames.wanted)
    painted = frames.wanted
    let (earlyFlips, version, number) = (early, frames.wanted, modesetCount)
    (early, stage) = ([], .steady)
    change(isAnnounced: defect != .staleGeneration) {
      $0.handle(.modeset(version: version, number: number, submitted: 1), at: 1)
    }
    for flip in earlyFlips { take(flip) }
  }

  private mutating func take(_ flip: FlipEvent) {
    if stage == .applying {
      early.append(flip)
    } else {
      if flip.frame > reported, frames.isAwaiting(flip.modeset) { flipsBeforeResult += 1 }
      change(by: flip) { $0.handle(.flipped(time: 1, modeset: flip.modeset), at: 1) }
    }
  }

  private mutating func hear(_ flip: FlipEvent, _ defect: Defect?) {
    let isHeld =
      permit.isResultPending && defect != .flipBeforeResult || permit.unreportedFlips > 0 && defect != .flipBeforeStep
    if isHeld { held.append(flip) } else { take(flip) }
  }

  private mutating func takeHeldFlips(_ defect: Defect?) {
    guard !permit.isResultPending, permit.unreportedFlips == 0 || defect == .flipBeforeStep else { return }
    let flips = held
    held = []
    for flip in flips { take(flip) }
  }

  private mutating func handleMessage(_ defect: Defect?) {
    switch messages.removeFirst() {
    case .left(let flip):
      _ = permit.handle(.reported)
      hear(flip, defect)
      takeHeldFlips(defect)
    case .swapped(let flip):
      _ = permit.handle(.reported)
      take(flip)
      takeHeldFlips(defect)
    case .stepped(let flip, let generation, let version):
      _ = permit.handle(.reported)
      reported += 1
      if generation == frames.generation {
        if let version, version == offered { offered = nil }
        if defect == .shownEarly, let version {
          change(by: flip) { $0.handle(.stepped(time: 1, generation: generation, version: version), at: 1) }
        }
        change(by: flip) { $0.handle(.stepped(time: 1, generation: generation, version: version), at: 1) }
      }
      takeHeldFlips(defect)
    case .answered(let outcome, let generation):
      switch outcome {
      case .presented:
        reported += 1
        change { $0.handle(.presented(generation: generation), at: 1) }
      case .busy: change { $0.handle(.busy(generation: generation), at: 1) }
      case .stopped:
        if generation == frames.generation { shownWithoutFlip += 1 }
        change { $0.handle(.unchanged(generation: generation), at: 1) }
      }
      paintings -= 1
      guard paintings == 0 else { return }
      _ = permit.handle(.handled)
      takeHeldFlips(defect)
    }
  }

  // MARK: The render thread

  private mutating func run(_ defect: Defect?, isAnimated: Bool = true, isRejected: Bool = false) {
    let job = jobs.removeFirst()
    switch job {
    case .paintFirst: stage = .painted
    case .offer(let version, let generation):
      if follower == generation, version >= next ?? painted || defect == .staleOffer { next = version }
    case .paint(let version, let generation):
      (painted, next) = (version, nil)
      let isFollowing = isAnimated && permit.handle(.following(generation: generation)) == .proceed
      follower = isFollowing ? generation : nil
      jobs.insert(.present(generation: generation), at: 0)
    case .present(let generation):
      jobs.insert(.permitted(generation: generation), at: 0)
      if permit.handle(.presenting(generation: generation)) == .stop {
        follower = nil
        jobs[0] = .answered(.stopped, generation: generation)
      }
    case .permitted(let generation):
      let outcome = present(painted)
      if outcome != .presented { follower = nil }
      jobs.insert(.answered(outcome, generation: generation), at: 0)
    case .answered(let outcome, let generation): messages.append(.answered(outcome, generation: generation))
    case .answer(let flip, let generation):
      let isPermitted =
        follower == generation && stepsLeft > 0
        && (permit.handle(.rendering(generation: generation)) == .proceed || defect == .stepOverScene)
      guard isPermitted else {
        follower = nil
        return messages.append(.left(flip))
      }
      if frames.isDirty, offered == nil, frames.generation == generation { stepsOverScene += 1 }
      stepsLeft -= 1
      jobs.insert(.rendered(flip, generation: generation), at: 0)
    case .rendered(let flip, let generation):
      guard permit.handle(.stepping(generation: generation)) == .proceed else {
        follower = nil
        return messages.append(.swapped(flip))
      }
      jobs.insert(.stepping(flip, generation: generation), at: 0)
    case .stepping(let flip, let generation):
      let outcome = isRejected ? .busy : present(next ?? painted)
      jobs.insert(.stepReturned(flip, outcome, generation: generation), at: 0)
    case .stepReturned(let flip, let outcome, let generation):
      _ = permit.handle(.stepped)
      let version = next
      (painted, next) = (next ?? painted, nil)
      if outcome == .presented {
        return messages.append(.stepped(flip, generation: generation, version: version))
      }
      follower = nil
      if defect != .silentRejection { messages.append(.swapped(flip)) }
    }
  }

  /// The result of a request for a flip: EBUSY while one is pending.
  private mutating func present(_ version: Int) -> Outcome {
    guard pending == nil else { return .busy }
    if version < newest { olderScenes += 1 }
    newest = version
    accepted += 1
    pending = FlipEvent(frame: accepted, version: version)
    return .presented
  }

  // MARK: The reader of flip events

  private mutating func readFlip() {
    let flip = events.removeFirst()
    guard flip.modeset == 0, let follower else { return flips.append(flip) }
    switch permit.handle(.flipped(generation: follower)) {
    case .controlLoop: messages.append(.left(flip))
    case .renderThread: jobs.append(.answer(flip, generation: follower))
    case .ignore, .proceed, .stop: ignored += 1
    }
  }
}
