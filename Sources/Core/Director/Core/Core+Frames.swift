import Control
import Displays
import Outputs
import Scenes

/// The work of an output's painter and flip reader, which the core cannot know.
struct FrameActivity {
  /// The state of the frame gate.
  var permit = FramePermit()
  /// Whether a flip arrived that is not handled yet.
  var isTakingFlip = false
}

/// A frame to render and to present.
struct PaintJob: Sendable {
  /// The version of the content.
  var version: Int
  var surface: Painting.SurfaceID
  var crtc: UInt32
  var shown: Shown
  var moment: ResolvedScene
  /// The animation on screen; nil if nothing moves.
  var moving: Moving?
  /// The refresh rate of the mode, in thousandths of a hertz; 0 if it is unknown.
  var refresh: Int
}

/// A frame to present again; without one, rendering failed.
struct PresentJob {
  var crtc: UInt32
  var frame: Painting.Frame?
}

/// How far the newest version of an output's content is.
enum ShowProgress {
  /// The monitor is gone.
  case gone
  /// The version is presented, or will not be.
  case ended(ShowResult)
  /// The version is not presented yet.
  case pending(version: Int)
}

/// The action of an output's painter at a flip, before the flip is handled.
enum FlipAction {
  case none
  /// The frame that was rendered last is on screen: swap the buffers.
  case swap(Painting.SurfaceID)
  /// The first frame is on screen: restore it if the modeset wiped it.
  case restoreFrames(Painting.SurfaceID)
}

/// The frames of outputs, from the rendered one to its flip.
extension Core {
  // MARK: First frames

  /// Renders the first frame of a mode into a new buffer, so that the modeset shows neither black nor a partial frame.
  mutating func render(
    _ effect: EffectID, _ display: String, _ surface: Painting.SurfaceID, _ candidate: ModeChoice.Candidate,
    _ card: CardID
  ) {
    guard let output = cards[card]?.outputs[display] else {
      return feed(.rendered(effect, .text("the monitor is gone")), to: card)
    }
    let (shown, moment) = (shown(on: output), moment(of: output))
    want(shown, on: output.id)
    update(output.id) { $0.values = moment.values }
    emit(
      .render(
        CoreEffect.FirstFrameJob(
          effect: effect, output: output.id, surface: surface, candidate: candidate, shown: shown, moment: moment)))
  }

  /// Handles the first frame of a mode.
  mutating func rendered(_ job: CoreEffect.FirstFrameJob, _ frame: FirstFrame) {
    cards[job.output.card]?.firstFrames[job.surface] = frame
    feed(.rendered(job.effect, nil), to: job.output.card)
  }

  /// Handles a mode that was set with a first frame. The flip of that frame follows.
  mutating func modeSet(_ id: OutputID, _ candidate: ModeChoice.Candidate) {
    log(.info, "\(id.name): \(candidate.mode), scale \(candidate.scale): \(candidate.reason)")
    guard let surface = surface(of: id), let frame = cards[id.card]?.firstFrames.removeValue(forKey: surface) else {
      return
    }
    update(id) { output in
      output.serial = 0
      output.painted = frame.showing
      output.nextChange = frame.nextChange
      output.frame = nil
      output.moving = frame.moving
    }
  }

  /// Records that the first frame was written again.
  mutating func frontRestored(_ id: OutputID, _ surface: Painting.SurfaceID) {
    if self.surface(of: id) == surface { update(id) { $0.serial += 1 } }
    log(.info, "\(id.name): the first frame was wiped; it was written again")
  }

  /// Compares the frames of a display with the rendered ones. The console setup of a card that was just added can wipe
  /// them after the first flip.
  private mutating func checkFirstFrame(_ id: OutputID) {
    update(id) { $0.checkDue = nil }
    guard let surface = surface(of: id), self[id]?.isLit ?? false else { return }
    emit(.restoreFrames(id, surface))
  }

  // MARK: Frames

  /// Returns the frame to render for a generation; nil if it is not wanted anymore.
  mutating func paintJob(_ id: OutputID, _ generation: Int) -> PaintJob? {
    guard let output = self[id], let machine = machine(of: id), generation == machine.frames.generation,
      let lit = machine.lit, let crtc = machine.crtc
    else { return nil }
    let (shown, moment) = content(of: output)
    if moment.values != output.values { update(id) { $0.values = moment.values } }
    return PaintJob(
      version: machine.frames.wanted, surface: lit.surface, crtc: crtc, shown: shown, moment: moment,
      moving: output.isLit ? output.moving : nil, refresh: lit.candidate.mode.refresh)
  }

  /// Returns the frame to present again for a generation; nil if it is not wanted anymore.
  func presentJob(_ id: OutputID, _ generation: Int) -> PresentJob? {
    guard let output = self[id], let machine = machine(of: id), generation == machine.frames.generation,
      let crtc = machine.crtc
    else { return nil }
    return PresentJob(crtc: crtc, frame: output.frame)
  }

  /// Returns how far the newest version of an output's content is.
  func progress(of id: OutputID) -> ShowProgress {
    guard let output = self[id] else { return .gone }
    if let reason = state(of: []).endReason(of: snapshot(of: output)) { return .ended(.notShown(reason: reason)) }
    let frames = frames(of: id)
    guard frames.shown == frames.wanted else { return .pending(version: frames.wanted) }
    return .ended(.shown(flipTime: frames.flipTime, what: output.showing.shown))
  }

  /// Handles a rendered frame and the result of presenting it.
  mutating func painted(_ job: PaintJob, _ painted: Painting.Painted, _ id: OutputID, _ generation: Int) {
    if generation == frames(of: id).generation { record(job, painted, id) }
    presented(painted.answer, id, generation)
  }

  /// Records the content of the frame that was rendered last.
  private mutating func record(_ job: PaintJob, _ painted: Painting.Painted, _ id: OutputID) {
    let isOtherChange = self[id]?.nextChange != job.moment.nextChange
    update(id) { output in
      output.moving = painted.moving
      if painted.moving == nil { output.animationDue = nil }
      output.painted = Showing(job.shown, job.moment, painted)
      output.nextChange = job.moment.nextChange
      output.frame = painted.frame
    }
    if isOtherChange { scheduleScenes() }
  }

  /// Handles the result of presenting a frame.
  mutating func presented(_ answer: Painting.Answer, _ id: OutputID, _ generation: Int) {
    switch answer {
    case .unasked: presented(id, generation, .unchanged)
    case .presented: presented(id, generation, .accepted)
    case .refused(let error):
      // If the monitor was unplugged, its CRTC may be disabled already. The unplug itself is logged.
      if error.reason != .busy, self[id] != nil, generation == frames(of: id).generation { log(.warning, "\(error)") }
      presented(id, generation, .rejected(error))
    }
  }

  /// Handles the result of a frame.
  mutating func presented(_ id: OutputID, _ generation: Int, _ result: CardMachine.FrameResult) {
    feed(.presented(display: id.name, generation: generation, result), to: id.card)
  }

  /// Returns the frame that an output presents, or nil if the output is not lit.
  func frameOnScreen(of id: OutputID) -> PreviewCache.FrameID? {
    guard let output = self[id], output.isLit, let surface = surface(of: id) else { return nil }
    return PreviewCache.FrameID(surface: surface, serial: output.serial)
  }

  /// Returns why an output shows a scene of a source without some of its images; nil if it shows another one or all of
  /// them.
  func lostPictures(of source: Shown.Source, on id: OutputID) -> String? {
    guard let showing = self[id]?.showing, showing.source == source, !showing.lostPictures.isEmpty else { return nil }
    return showing.lostPictures.joined(separator: "; ")
  }

  // MARK: Flips

  /// Returns the output that is enabled on a CRTC.
  func output(on crtc: UInt32, of card: CardID) -> OutputID? {
    guard let record = cards[card], let name = record.machine.outputs.first(where: { $0.value.crtc == crtc })?.key
    else {
      return nil
    }
    return record.outputs[name]?.id
  }

  /// Handles a flip that arrives before its commit returns: the machine keeps it until then.
  ///
  /// - Returns: False if no commit for the CRTC is being carried out.
  mutating func tookEarly(_ flip: Flip, of card: CardID) -> Bool {
    guard let record = cards[card], let name = record.machine.committing(flip.crtc) else { return false }
    if let id = record.outputs[name]?.id { update(id) { $0.hasVBlank = flip.sequence != 0 } }
    feed(.flipped(flip), to: card)
    return true
  }

  /// Records a flip, which `feed(.flipped)` handles after the returned action.
  mutating func note(_ flip: Flip, on id: OutputID) -> FlipAction? {
    guard let machine = machine(of: id), machine.crtc == flip.crtc else { return nil }
    let isAwaited = cards[id.card]?.machine.committing(flip.crtc) == nil && machine.frames.isAwaiting(flip.modeset)
    let surface = isAwaited ? machine.lit?.surface : nil
    var isFirst = false
    update(id) { output in
      output.hasVBlank = flip.sequence != 0
      isFirst = output.frame == nil
      if surface != nil, !isFirst { output.serial += 1 }
    }
    guard let surface else { return FlipAction.none }
    return isFirst ? .restoreFrames(surface) : .swap(surface)
  }

  /// Handles the presentation of a version.
  mutating func arrived(_ id: OutputID, _ version: Int, at time: UInt64, isFirst: Bool) {
    if isFirst {
      send(.modeChanged, id.name, at: time, detail: candidate(of: id)?.mode.description)
      let due = now.due(inNanoseconds: 1_500_000_000)
      update(id) { $0.checkDue = due }
      wake(at: due)
    }
    guard let isChanged = self[id].map({ $0.painted != $0.showing }) else { return }
    // A clock tick or a change of color is not logged or sent to listeners.
    if isFirst || isChanged {
      logNewWarnings(of: id)
      settle(id, at: time, isChanged: isChanged)
    }
    move(id, at: time)
    if !skipLost(id) { planAhead(id) }
    emit(
      .settled(
        id, .shown(flipTime: frames(of: id).flipTime, what: self[id]?.showing.shown), version: version))
  }

  /// Logs the warnings of the frame that was rendered last which the one before did not have.
  private mutating func logNewWarnings(of id: OutputID) {
    guard let output = self[id] else { return }
    let warnings = output.painted.warnings.filter { !output.showing.warnings.contains($0) }
    let hasItem = output.painted.progress.hasItem
    for warning in warnings {
      var isKnown = false
      // The items of a playlist return again and again.
      if hasItem { update(id) { isKnown = $0.knows(failure: warning) } }
      if !isKnown { log(.warning, "\(id.name): \(warning)") }
    }
  }

  /// Records that the content that was rendered last is on screen.
  private mutating func settle(_ id: OutputID, at time: UInt64, isChanged: Bool) {
    let before = self[id]?.showing.extent
    update(id) { $0.showing = $0.painted }
    noteEntry(of: id, at: time)
    sendShown(id, at: time)
    // The number of pages is known only now, here and in mirrors.
    if let before, let shown = self[id], !before.turns(like: shown.showing.extent) {
      let next = moment(of: shown).nextChange
      update(id) { $0.nextChange = next }
      scheduleScenes()
    }
    // The controller screen names the presented content, not pending content.
    if isChanged { refresh(observers(of: id)) }
  }

  // MARK: Animations

  /// Schedules the next animation frame after one was presented. An animation that has reached its end stops.
  private mutating func move(_ id: OutputID, at time: UInt64) {
    let frames = frames(of: id)
    // The painter schedules the next frame itself.
    if frames.isStepping(frames.generation) { return }
    guard let output = self[id], var moving = output.moving else { return }
    count(moving.arrived(at: time, hasVBlank: output.hasVBlank), before: time, on: id)
    update(id) { output in
      output.moving = moving.isOver ? nil : moving
      output.animationDue = nil
    }
    // Clients notified at the first animation frame may have captured it mid-scroll, so notify again at the end.
    if moving.isOver { sendShown(id, at: time) }
    if moving.isOver, moving.isFade, frames.state == .idle { return repaint(id) }
    // A frame that is being rendered already continues from its own flip.
    guard !moving.isOver, frames.state == .idle else { return }
    let due = moving.motion.due(hasVBlank: output.hasVBlank)
    guard due > now.monotonic else { return repaint(id) }
    let loopDue = now.due(inNanoseconds: Int64(clamping: due - now.monotonic))
    update(id) { $0.animationDue = loopDue }
    wake(at: loopDue)
  }

  /// Adds the frames that were missed before a step to the counters. Nil means that the frame was not a step.
  private mutating func count(_ missed: Int?, before time: UInt64, on id: OutputID) {
    guard let missed else { return }
    if missed > 0 { log(.debug, "\(id.name): missed \(missed) before \(time / 1000)") }
    update(id) { output in
      output.missedFrames = (output.missedFrames ?? 0) + missed
      output.missedInARow = max(output.missedInARow ?? 0, missed)
    }
  }

  /// Handles a flip to which the render thread has responded with the next frame, which can have the content that was
  /// offered. A flip of another generation was requested before a mode was set, and belongs to no current frame.
  mutating func stepped(_ next: Painting.Step.Next, at time: UInt64, on id: OutputID) {
    guard next.generation == frames(of: id).generation else { return }
    count(next.missed, before: time, on: id)
    let version = next.content?.job.version
    update(id) { output in
      output.moving = next.moving
      output.frame = next.frame
      output.serial += 1
      if version == output.offered?.version { output.offered = nil }
    }
    feed(.stepped(display: id.name, generation: next.generation, time: time, version: version), to: id.card)
    // The presented frame has the content before.
    if let content = next.content { record(content.job, content.painted, id) }
    offerDuringMotion(id)
  }

  /// Requests the next frame of an animation.
  private mutating func stepIsDue(_ id: OutputID) {
    update(id) { $0.animationDue = nil }
    guard let output = self[id], output.isLit, output.moving != nil, frames(of: id).state == .idle else { return }
    repaint(id)
  }

  // MARK: Deadlines

  /// Handles something that is due.
  ///
  /// - Parameters:
  ///   - item: The item of the agenda.
  ///   - activity: The work of the outputs' painters.
  mutating func perform(_ item: Agenda.Item, _ activity: [OutputID: FrameActivity]) {
    switch item {
    case .card(let path):
      guard let card = presentCards.first(where: { $0.path == path }) else { return }
      feed(.timePassed(except: postponeDeadlines(on: card.id, activity)), to: card.id)
    case .animation(let display): if let output = output(named: display) { stepIsDue(output.id) }
    case .nextItem(let display): if let output = output(named: display) { lookAhead(output.id) }
    case .firstFrame(let display): if let output = output(named: display) { checkFirstFrame(output.id) }
    case .scenes: momentCame()
    case .waiterLimit: break
    }
  }

  /// Postpones the passed deadlines of outputs whose render thread is late, or whose flip arrived in time and is still
  /// being handled. Returns their names.
  mutating func postponeDeadlines(on card: CardID, _ activity: [OutputID: FrameActivity]) -> Set<String> {
    for id in cards[card]?.outputs.values.map(\.id) ?? [] {
      let frames = frames(of: id)
      var held: UInt64?
      if let deadline = frames.deadline, deadline <= now.monotonic,
        isInTime(frames, activity[id] ?? FrameActivity())
      {
        held = now.monotonic &+ patience.flip
      }
      update(id) { $0.heldUntil = held }
    }
    return Set(cards[card]?.outputs.values.filter { $0.heldUntil != nil }.map(\.name) ?? [])
  }

  private func isInTime(_ frames: FrameMachine, _ activity: FrameActivity) -> Bool {
    let permit = activity.permit
    // Only the card's call can hang. Slow rendering, or waiting for a buffer, is not a failure of the mode.
    if case .rendering = frames.state, !permit.isResultPending { return true }
    if permit.unreportedFlips > 0, !permit.isStepping || frames.mayStep(at: now.monotonic) { return true }
    return activity.isTakingFlip
  }
}
