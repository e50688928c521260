import Configuration
import Control
import Displays
import Geometry
import Logging
import Outputs
import Scenes
import Typesetting

extension Director {
  /// Waits until the newest version is presented, or until it is known that it will not be.
  func shown(_ output: Output) async -> ShowResult {
    await withCheckedContinuation { continuation in
      // The checks are inside the continuation's closure. A flip or the end of the output can come before it runs, and
      // would not be reported again.
      if let reason = state(of: [output]).endReason(of: output.snapshot) {
        continuation.resume(returning: .notShown(reason: reason))
      } else if output.frames.shown == output.frames.wanted {
        continuation.resume(returning: .shown(flipTime: output.frames.flipTime, what: output.showing.shown))
      } else {
        output.waiters.append(Output.Waiter(version: output.frames.wanted, continuation: continuation))
      }
    }
  }

  /// Renders the newest scene, and requests its flip from the card.
  func paint(_ output: Output, _ generation: Int) async {
    guard generation == output.frames.generation, let surface = output.surface, let target = frames(of: output) else {
      return
    }
    let shown = shown(on: output)
    let moment = moment(of: output)
    output.paintings += 1
    defer { paintingEnded(output) }
    do throws(TypesettingError) {
      let painted = try await output.painter.paint(
        surface, moment.view, after: output.isLit ? output.moving : nil, refresh: output.refresh, to: target)
      if generation == output.frames.generation {
        output.moving = painted.moving
        if painted.moving == nil { stopMoving(output) }
        output.painted = Showing(shown, moment, painted)
        output.nextChange = moment.nextChange
        output.frame = painted.frame
      }
      answered(painted.answer, output, generation)
    } catch {
      logger.error("\(output.name): \(error)")
      presented(output, generation, .text("\(error)"))
    }
  }

  /// Returns the target of an output's frames, or nil if it has none.
  private func frames(of output: Output) -> Painter.FlipTarget? {
    output.crtc.map {
      Painter.FlipTarget(
        card: output.managed.card, crtc: $0, display: output.name, generation: output.frames.generation,
        permit: output.permit, hasVBlank: output.hasVBlank, report: stepHandler(of: output))
    }
  }

  /// Repeats the present call after the card was busy.
  func present(_ output: Output, _ generation: Int) async {
    guard generation == output.frames.generation, let target = frames(of: output) else { return }
    guard let frame = output.frame else { return presented(output, generation, .text("there is no frame")) }
    output.paintings += 1
    defer { paintingEnded(output) }
    answered(await output.painter.present(frame, to: target), output, generation)
  }

  private func answered(_ answer: Painter.Answer, _ output: Output, _ generation: Int) {
    switch answer {
    case .unasked: presented(output, generation, .unchanged)
    case .presented: presented(output, generation, .accepted)
    case .refused(let error):
      // If the monitor was unplugged, its CRTC may be disabled already. The unplug itself is logged.
      if error.reason != .busy, output.isConnected, generation == output.frames.generation {
        logger.warning("\(error)")
      }
      presented(output, generation, .rejected(error))
    }
  }

  private func presented(_ output: Output, _ generation: Int, _ result: CardMachine.FrameResult) {
    feed(.presented(display: output.name, generation: generation, result), to: output.managed)
  }

  /// Handles a flip event, or holds it until the results of the present calls before it are handled.
  func heard(_ flip: Flip, _ managed: ManagedCard) {
    // The flip can arrive before the commit returns. The machine keeps it until then.
    if let name = managed.machine.committing(flip.crtc) {
      managed.outputs[name]?.hasVBlank = flip.sequence != 0
      return feed(.flipped(flip), to: managed)
    }
    guard let output = managed.outputs.values.first(where: { $0.crtc == flip.crtc }) else { return }
    if output.permit.state.holdsFlips { output.heldFlips.append(flip) } else { handle(flip, output) }
  }

  /// Records that the painter has finished a frame, and that its result is handled.
  private func paintingEnded(_ output: Output) {
    output.paintings -= 1
    guard output.paintings == 0 else { return }
    output.permit.handle(.handled)
    takeHeldFlips(output)
  }

  /// Handles the flips that were held, if no result is pending.
  func takeHeldFlips(_ output: Output) {
    guard !output.permit.state.holdsFlips else { return }
    let flips = output.heldFlips
    output.heldFlips = []
    for flip in flips { handle(flip, output) }
  }

  /// Handles a flip. With `isTaken`, its painter has swapped the buffers already.
  ///
  /// This can wait for the output's painter, which may work on other frames for a long time. No other event of the card
  /// waits for that, and the flip counts as in time.
  func handle(_ flip: Flip, _ output: Output, isTaken: Bool = false) {
    Task { await output.takeFlip { await flipped(output, flip, isTaken: isTaken) } }
  }

  /// Handles a flip: the frame that was rendered last is on screen.
  private func flipped(_ output: Output, _ flip: Flip, isTaken: Bool) async {
    guard output.crtc == flip.crtc else { return }
    output.hasVBlank = flip.sequence != 0
    if output.managed.machine.committing(flip.crtc) == nil, let surface = output.surface,
      output.frames.isAwaiting(flip.modeset)
    {
      if output.frame != nil {
        if !isTaken { output.painter.flipped(surface) }
        output.serial += 1
      } else {
        await restoreFront(output, surface)
      }
    }
    feed(.flipped(flip), to: output.managed)
  }

  /// Handles the presentation of a version.
  func arrived(_ output: Output, _ version: Int, at time: UInt64, isFirst: Bool) {
    if isFirst {
      chronicle.emit(.modeChanged, output.name, at: time, detail: output.candidate?.mode.description)
      checkLater(output)
    }
    // A clock tick or a change of color is not logged or sent to listeners.
    if isFirst || output.painted != output.showing {
      for warning in output.painted.warnings where !output.showing.warnings.contains(warning) {
        logger.warning("\(output.name): \(warning)")
      }
      settle(output, at: time)
    }
    scheduleScenes()
    move(output, at: time)
    output.settle(.shown(flipTime: output.frames.flipTime, what: output.showing.shown), upTo: version)
  }

  /// Records that the content that was rendered last is on screen.
  private func settle(_ output: Output, at time: UInt64) {
    let before = output.showing
    output.showing = output.painted
    chronicle.noteEntry(of: output, at: time)
    chronicle.emitShown(output, at: time)
    // The number of pages is known only now, here and in mirrors.
    if before.extent != output.showing.extent { output.nextChange = moment(of: output).nextChange }
    // The controller screen names the presented content, not pending content.
    if before != output.showing { redrawObservers(of: output) }
  }

  /// Restores the first frame if the modeset wiped it.
  private func restoreFront(_ output: Output, _ surface: Painter.SurfaceID) async {
    guard await output.painter.restoreFront(surface) else { return }
    if output.surface == surface { output.serial += 1 }
    logger.info("\(output.name): the first frame was wiped; it was written again")
  }

  /// Schedules another check of the first frame. The console setup of a card that was just added can wipe it after the
  /// first flip.
  private func checkLater(_ output: Output) {
    output.checkDue = due(in: .milliseconds(1500))
    schedule(output.checkDue)
  }

  /// Compares the first frame of a display with the rendered one, and restores it if they differ.
  func checkFirstFrame(_ name: String) {
    guard let (_, output) = output(name) else { return }
    output.checkDue = nil
    guard let surface = output.surface, output.isLit else { return }
    Task { await restoreFront(output, surface) }
  }

  /// Notifies a card's machine that its deadline has passed.
  func cardIsDue(_ path: String) {
    guard let managed = managedCards[path] else { return }
    feed(.timePassed(except: postponeDeadlines(on: managed)), to: managed)
  }

  /// Postpones the passed deadlines of outputs whose render thread is late, or whose flip arrived in time and is still
  /// being handled. Returns their names.
  func postponeDeadlines(on managed: ManagedCard) -> Set<String> {
    let now = environment.now()
    for output in managed.outputs.values {
      guard let deadline = output.frames.deadline, deadline <= now else {
        output.heldUntil = nil
        continue
      }
      output.heldUntil = isInTime(output, at: now) ? now &+ environment.patience.flip : nil
    }
    return Set(managed.outputs.values.filter { $0.heldUntil != nil }.map(\.name))
  }

  private func isInTime(_ output: Output, at now: UInt64) -> Bool {
    let permit = output.permit.state
    // Only the card's call can hang. Slow rendering, or waiting for a buffer, is not a failure of the mode.
    if case .rendering = output.frames.state, !permit.isResultPending { return true }
    if permit.unreportedFlips > 0, !permit.isStepping || output.frames.mayStep(at: now) { return true }
    return output.isTakingFlip
  }
}
