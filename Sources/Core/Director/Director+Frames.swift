import Configuration
import Control
import Displays
import Geometry
import Logging
import Outputs
import Scenes
import Typesetting

extension Director {
  /// Waits until the newest version is on the glass, or it is clear that it will not be.
  func shown(_ output: Output) async -> ShowResult {
    if let reason = endReason(of: output) { return .notShown(reason: reason) }
    return await withCheckedContinuation { continuation in
      // Looked at in here: the call above may let the flip come first, and nobody would tell of it again.
      if output.frames.shown == output.frames.wanted {
        continuation.resume(returning: .shown(flipTime: output.lastFlip, what: output.showing.shown))
      } else {
        output.waiters.append(Output.Waiter(version: output.frames.wanted, continuation: continuation))
      }
    }
  }

  /// Lets the output's machine take in an event, and does what it says.
  func handle(_ event: FrameMachine.Event, for output: Output) {
    let wasLit = output.isLit
    let actions = change(output) { $0.handle(event, at: $1) }
    for action in actions { perform(action, for: output, wasLit: wasLit) }
  }

  private func perform(_ action: FrameMachine.Action, for output: Output, wasLit: Bool) {
    guard let desk = desk(of: output) else { return }
    switch action {
    case .paint(_, let generation): Task { await paint(output, generation) }
    case .present(_, let generation): Task { await present(output, generation) }
    case .shown(let version, let time): arrived(output, version, at: time, isFirst: !wasLit)
    case .stepDown: Task { await stepDown(desk, output) }
    case .setAgain: Task { await setAgain(desk, output) }
    }
  }

  /// Has the newest scene painted, and the card asked for it.
  private func paint(_ output: Output, _ generation: Int) async {
    guard await hasSecondBuffer(output, generation), generation == output.frames.generation,
      let surface = output.surface
    else { return }
    guard let desk = desk(of: output) else { return }
    guard let glass = frames(of: output, on: desk) else { return handle(.failed, for: output) }
    let shown = shown(on: output)
    let moment = moment(of: output)
    output.paintings += 1
    defer { paintingEnded(output) }
    do throws(TypesettingError) {
      let painted = try await output.painter.paint(
        surface, moment.view, after: output.isLit ? output.moving : nil, refresh: output.refresh, to: glass)
      guard generation == output.frames.generation else { return tooLate(painted.answer, output, generation) }
      output.moving = painted.moving
      if painted.moving == nil { stopMoving(output) }
      output.painted = Output.Showing(shown, moment, painted)
      output.nextChange = moment.nextChange
      output.frame = painted.frame
      answered(painted.answer, output, generation)
    } catch {
      if generation == output.frames.generation { unpainted(output, error) }
    }
  }

  /// Nothing could be painted. Its mode is chosen anew with the next look, which is worth a few tries: what cannot be drawn
  /// may pass.
  private func unpainted(_ output: Output, _ error: TypesettingError) {
    logger.error("\(output.name): \(error)")
    output.crtc = nil
    darken(output, .failed, because: "\(error)")
    if let desk = desk(of: output), !desk.isBusy { scheduleRetry(desk) }
  }

  /// Where an output's frames go; nil where that is nowhere.
  private func frames(of output: Output, on desk: CardDesk) -> Painter.Glass? {
    output.crtc.map {
      Painter.Glass(
        card: desk.card, crtc: $0, display: output.name, generation: output.frames.generation, permit: output.permit,
        hasVBlank: output.hasVBlank, tell: teller(of: output.permit, desk.card))
    }
  }

  /// Has a card that was busy asked once more.
  private func present(_ output: Output, _ generation: Int) async {
    guard generation == output.frames.generation, let desk = desk(of: output) else { return }
    guard let glass = frames(of: output, on: desk), let frame = output.frame else {
      return handle(.failed, for: output)
    }
    output.paintings += 1
    defer { paintingEnded(output) }
    let answer = await output.painter.present(frame, to: glass)
    guard generation == output.frames.generation else { return tooLate(answer, output, generation) }
    answered(answer, output, generation)
  }

  private func answered(_ answer: Painter.Answer, _ output: Output, _ generation: Int) {
    switch answer {
    case .unasked: handle(.unchanged(generation: generation), for: output)
    case .presented: handle(.presented(generation: generation), for: output)
    case .refused(let error): refused(output, generation, error)
    }
  }

  /// What is not wanted any more is forgotten; a flip that was asked for may come nevertheless.
  private func tooLate(_ answer: Painter.Answer, _ output: Output, _ generation: Int) {
    if case .presented = answer { handle(.presented(generation: generation), for: output) }
  }

  /// Whether there is a buffer beside the one on the glass. Where there is no memory for it, now neither that the mode
  /// before has given its own back, smaller modes are tried.
  private func hasSecondBuffer(_ output: Output, _ generation: Int) async -> Bool {
    guard let error = await output.secondBuffer?.value else { return true }
    guard let desk = desk(of: output), generation == output.frames.generation,
      let surface = output.surface, let size = output.candidate?.mode.size
    else { return false }
    output.secondBuffer = Task { await addBuffer(desk, output, surface, size) }
    guard await output.secondBuffer?.value != nil, generation == output.frames.generation else {
      return generation == output.frames.generation
    }
    logger.warning("\(output.name): no second buffer: \(error)")
    output.attempts.note("\(output.candidate?.mode.description ?? "?"): lit, but there is no second buffer: \(error)")
    handle(.failed, for: output)
    if error.reason == .gone {
      await lose(desk, because: "\(error)")
    } else {
      await climb(desk, output, from: output.ladder.filter { $0.mode.size.area < size.area })
    }
    return false
  }

  private func refused(_ output: Output, _ generation: Int, _ error: CardError) {
    // The output of a monitor that is being retired may be switched off already; its end is told elsewhere.
    guard let desk = desk(of: output) else { return }
    if error.reason == .busy { return handle(.busy(generation: generation), for: output) }
    logger.warning("\(error)")
    handle(.failed, for: output)
    switch error.reason {
    case .gone: Task { await lose(desk, because: "\(error)") }
    case .notMaster:
      masterLost(desk)
      Task { await reconcile(desk) }
    case .refused, .busy, .other: Task { await climb(desk, output, from: output.choice?.candidates ?? []) }
    }
  }

  /// Handles a flip event, or keeps it until the results of the present calls before it are handled.
  func heard(_ flip: Flip, _ desk: CardDesk) {
    guard let output = desk.outputs.values.first(where: { $0.crtc == flip.crtc }) else { return }
    if output.permit.state.holdsFlips { output.heldFlips.append(flip) } else { take(flip, output) }
  }

  /// The painter is done with a picture, and what it came to is dealt with.
  private func paintingEnded(_ output: Output) {
    output.paintings -= 1
    guard output.paintings == 0 else { return }
    output.permit.handle(.handled)
    takeHeldFlips(output)
  }

  /// Handles the flips that were kept, if no result is pending anymore.
  func takeHeldFlips(_ output: Output) {
    guard !output.permit.state.holdsFlips else { return }
    let flips = output.heldFlips
    output.heldFlips = []
    for flip in flips { take(flip, output) }
  }

  /// Takes in a flip, which its painter may have done already. That may wait for the output's painter, which may be at work
  /// on other pictures for long: nothing else that the card tells waits for that, and the flip counts as one that came in
  /// time.
  func take(_ flip: Flip, _ output: Output, isTaken: Bool = false) {
    Task {
      await output.takeFlip { await flipped(output, flip, isTaken: isTaken) }
      // It may have passed meanwhile, for a flip that is still to come.
      if output.deadline == nil, !output.isTakingFlip { armDeadline(output) }
    }
  }

  /// What was painted last is on the glass.
  private func flipped(_ output: Output, _ flip: Flip, isTaken: Bool) async {
    guard output.crtc == flip.crtc else { return }
    output.hasVBlank = flip.sequence != 0
    if output.earlyFlips != nil {
      output.earlyFlips?.append(flip.time)
      return
    }
    guard let surface = output.surface else { return }
    if case .waitingForFlip = output.frames.state {
      if output.frame != nil {
        if !isTaken { output.painter.flipped(surface) }
        output.serial += 1
      } else {
        await restoreFront(output, surface)
      }
    }
    handle(.flipped(time: flip.time), for: output)
  }

  private func arrived(_ output: Output, _ version: Int, at time: UInt64, isFirst: Bool) {
    output.lastFlip = time
    if isFirst {
      output.hasBeenLit = true
      if let desk = desk(of: output) { renewHope(desk) }
      tell(.modeChanged, output.name, at: time, detail: output.candidate?.mode.description)
      Task { await freeRetired(output) }
      checkLater(output)
    }
    // A clock that ticks is no news, nor is another color.
    if isFirst || output.painted != output.showing {
      for warning in output.painted.warnings where !output.showing.warnings.contains(warning) {
        logger.warning("\(output.name): \(warning)")
      }
      settle(output, at: time)
    }
    scheduleScenes()
    move(output, at: time)
    output.settle(.shown(flipTime: time, what: output.showing.shown), upTo: version)
  }

  /// What was painted is what the glass shows.
  private func settle(_ output: Output, at time: UInt64) {
    let before = output.showing
    output.showing = output.painted
    noteEntry(of: output, at: time)
    tellShown(output, at: time)
    // Only now is it known how many pages there are to turn, here and in mirrors.
    if before.extent != output.showing.extent { output.nextChange = moment(of: output).nextChange }
    // The controller screen names what was flipped, not what is on its way.
    if before != output.showing { redrawObservers(of: output) }
  }

  /// Writes the first frame again where setting the mode wiped it.
  private func restoreFront(_ output: Output, _ surface: Painter.SurfaceID) async {
    guard await output.painter.restoreFront(surface) else { return }
    if output.surface == surface { output.serial += 1 }
    logger.info("\(output.name): the first frame was wiped; it was written again")
  }

  /// Looks once more: a card that was just added may be wiped by its own console's set-up, after the first flip.
  private func checkLater(_ output: Output) {
    output.checkDue = due(in: .milliseconds(1500))
    schedule(output.checkDue)
  }

  /// Compares the first frame of a display with what was painted.
  func checkFirstFrame(_ name: String) {
    guard let (_, output) = output(name) else { return }
    output.checkDue = nil
    guard let surface = output.surface, output.isLit else { return }
    Task { await restoreFront(output, surface) }
  }

  /// Frees what the mode before used: only now is it off the glass.
  private func freeRetired(_ output: Output) async {
    let retired = output.retired
    output.retired = []
    for surface in retired { await output.painter.unmount(surface) }
  }

  /// Frees what modes before the one before used. That one may still be scanned out, where the commit only queued the new
  /// one; a ladder of modes that never flip would keep all the others.
  func freeLongRetired(_ output: Output) {
    let (retired, painter) = (Array(output.retired.dropLast()), output.painter)
    output.retired.removeFirst(retired.count)
    Task { for surface in retired { await painter.unmount(surface) } }
  }

  /// A mode that was accepted is no proof: when no flip comes, the next one of the ladder is tried.
  private func stepDown(_ desk: CardDesk, _ output: Output) async {
    output.attempts.note("\(output.candidate?.mode.description ?? "?"): accepted, but no flip came in time")
    await climb(desk, output, from: output.ladder)
  }

  /// A mode whose flips came until now is set once more before another one is tried. It is switched off first: the mode
  /// that is set already is no modeset for the kernel, only another picture (drm_atomic_helper_check_modeset), which does
  /// not free a pipe that is stuck.
  private func setAgain(_ desk: CardDesk, _ output: Output) async {
    output.attempts.note("\(output.candidate?.mode.description ?? "?"): lit, but flips came no more")
    output.isStuck = true
    await climb(desk, output, from: [output.candidate].compactMap(\.self) + output.ladder)
  }

  /// Sets the deadline of a pending flip, a busy card or a present call, at least `least` nanoseconds from now. It is never
  /// later than one flip timeout from now: a longer wait is checked in between, so that the last timer is a short one.
  func armDeadline(_ output: Output, after least: UInt64 = 0) {
    output.deadline = nil
    guard let due = output.frames.deadline else { return }
    let now = environment.now()
    let left = min(due > now ? due - now : 0, environment.patience.flip)
    output.deadline = self.due(inNanoseconds: Int64(clamping: max(left, least)))
    schedule(output.deadline)
  }

  /// What was awaited did not come in time, unless it did and only its painter has not.
  func deadlinePassed(_ name: String) {
    guard let (_, output) = output(name) else { return }
    output.deadline = nil
    // Only the card's call can hang. To paint for long, or to wait for a buffer, is no fault of the mode.
    if case .rendering = output.frames.state, !output.permit.state.isResultPending {
      return armDeadline(output, after: environment.patience.flip)
    }
    let permit = output.permit.state
    if permit.unreportedFlips > 0, !permit.isStepping || output.frames.mayStep(at: environment.now()) {
      return armDeadline(output, after: environment.patience.flip)
    }
    if !output.isTakingFlip { handle(.deadlinePassed, for: output) }
  }
}
