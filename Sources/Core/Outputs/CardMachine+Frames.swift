import Displays
import Geometry

/// Frames, flips and deadlines.
extension CardMachine {
  /// Has the machine of an output's frames handle an event, and does what it says.
  mutating func handle(_ event: FrameMachine.Event, of name: String, at now: UInt64) {
    guard case .lit = outputs[name]?.phase else {
      // An output without a mode also counts the versions of its scene.
      if event == .sceneChanged { update(name) { _ = $0.frames.handle(event, at: now) } }
      return
    }
    let wasOnScreen = outputs[name]?.frames.isPresented ?? false
    let actions = update(name) { $0.frames.handle(event, at: now) } ?? []
    for action in actions { perform(action, of: name, wasOnScreen: wasOnScreen, at: now) }
  }

  private mutating func perform(_ action: FrameMachine.Action, of name: String, wasOnScreen: Bool, at now: UInt64) {
    switch action {
    case .paint(_, let generation): paint(name, generation)
    case .present(_, let generation): emit(.present(display: name, generation: generation))
    case .shown(let version, let time):
      if !wasOnScreen { firstShown(name) }
      emit(.report(display: name, .shown(version: version, time: time, isFirst: !wasOnScreen)))
    case .stepDown:
      retry(name, "accepted, but no flip came in time", at: now) { $0.candidates = $0.before?.ladder ?? [] }
    case .setAgain:
      retry(name, "lit, but flips came no more", at: now) { attempt in
        attempt.candidates = [attempt.before?.candidate].compactMap(\.self) + (attempt.before?.ladder ?? [])
        attempt.isStuck = true
      }
    }
  }

  private mutating func retry(
    _ name: String, _ reason: String, at now: UInt64, _ body: (inout LightingAttempt) -> Void
  ) {
    if let mode = outputs[name]?.lit?.candidate.mode { outputs[name]?.attempts.note("\(mode): \(reason)") }
    attempt(name, at: now) { attempt in
      attempt.state = .stalled(reason: OutputMachine.stallReason)
      body(&attempt)
    }
  }

  /// Frees what modes before used: only now are they off the screen.
  private mutating func firstShown(_ name: String) {
    let retired = outputs[name]?.lit?.retired ?? []
    for surface in retired { emit(.free(display: name, surface: surface)) }
    update(name) { output in
      output.hasBeenLit = true
      output.change { $0.retired = [] }
    }
    // Another display may have been refused for the sake of this one's former mode.
    renewRetryBudget()
  }

  // MARK: Second buffers

  /// Has a frame rendered once there is a second buffer.
  private mutating func paint(_ name: String, _ generation: Int) {
    guard let lit = outputs[name]?.lit else { return }
    switch lit.secondBuffer {
    case .ready: emit(.paint(display: name, generation: generation))
    case .requested: update(name) { $0.change { $0.waitingPaint = generation } }
    case .failed:
      // There may be memory for it now that the mode before has freed its own.
      let id = nextEffect()
      bufferRequests[id] = name
      update(name) { output in
        output.change { lit in
          lit.secondBuffer = .requested(id)
          lit.isBufferRetried = true
          lit.waitingPaint = generation
        }
      }
      emit(.addBuffer(id, display: name, surface: lit.surface, lit.candidate.mode.size))
    }
  }

  mutating func buffered(_ id: EffectID, _ name: String, _ error: CardError?, at now: UInt64) {
    guard let lit = outputs[name]?.lit, lit.secondBuffer == .requested(id) else { return }
    guard case .lit = outputs[name]?.phase else {
      return noteBuffer(name, error)
    }
    noteBuffer(name, error)
    guard let generation = lit.waitingPaint, generation == outputs[name]?.frames.generation else { return }
    update(name) { $0.change { $0.waitingPaint = nil } }
    guard let error else { return emit(.paint(display: name, generation: generation)) }
    guard lit.isBufferRetried else { return paint(name, generation) }
    if error.reason == .gone { return loseCard(error, at: now) }
    let size = lit.candidate.mode.size
    emit(.report(display: name, .noBuffer(error)))
    outputs[name]?.attempts.note("\(lit.candidate.mode): lit, but there is no second buffer: \(error)")
    attempt(name, at: now) { $0.candidates = lit.ladder.filter { $0.mode.size.area < size.area } }
  }

  /// Notes whether there is a second buffer, also of an output that a plan is about to set again or that sleeps.
  private mutating func noteBuffer(_ name: String, _ error: CardError?) {
    let buffer = error.map(Lit.SecondBuffer.failed) ?? .ready
    update(name) { output in
      switch output.phase {
      case .lit(var lit):
        lit.secondBuffer = buffer
        output.phase = .lit(lit)
      case .lighting(var attempt):
        attempt.before?.secondBuffer = buffer
        output.phase = .lighting(attempt)
      case .asleep(var lit, let reason, let hasSignal):
        lit?.secondBuffer = buffer
        output.phase = .asleep(lit, reason: reason, hasSignal: hasSignal)
      case .dark(let darkness, let reason, var lit):
        lit?.secondBuffer = buffer
        output.phase = .dark(darkness, reason: reason, lit)
      }
    }
  }

  // MARK: Results of frames

  mutating func presented(_ name: String, _ generation: Int, _ result: FrameResult, at now: UInt64) {
    guard let output = outputs[name], generation == output.frames.generation else { return }
    switch result {
    case .unchanged: handle(.unchanged(generation: generation), of: name, at: now)
    case .accepted: handle(.presented(generation: generation), of: name, at: now)
    case .rejected(let error): rejected(name, generation, error, at: now)
    case .text(let reason): darken(name, .failed, because: reason, at: now)
    }
  }

  private mutating func rejected(_ name: String, _ generation: Int, _ error: CardError, at now: UInt64) {
    guard case .lit = outputs[name]?.phase else { return }
    switch error.reason {
    case .busy: handle(.busy(generation: generation), of: name, at: now)
    case .gone: loseCard(error, at: now)
    case .notMaster:
      masterLost(at: now)
      hint(nil)
    case .refused, .other:
      let candidates = outputs[name]?.choice?.candidates
      attempt(name, at: now) { $0.candidates = candidates }
    }
  }

  /// Handles a flip, or keeps it until the commit that it may belong to has returned.
  mutating func flipped(_ flip: Flip, at now: UInt64) {
    if committing(flip.crtc) != nil, case .planning(var plan) = job {
      plan.earlyFlips[flip.crtc, default: []].append(flip)
      return job = .planning(plan)
    }
    guard let name = outputs.first(where: { $0.value.crtc == flip.crtc })?.key else { return }
    handle(.flipped(time: flip.time, modeset: flip.modeset), of: name, at: now)
  }

  mutating func timePassed(except held: Set<String>, at now: UInt64) {
    if let due = retryDue, due <= now {
      retryDue = nil
      hint(nil)
    }
    for name in outputs.keys.sorted() where !held.contains(name) { handle(.deadlinePassed, of: name, at: now) }
  }
}
