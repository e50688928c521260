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

  /// Has the newest scene painted, and the card asked for it.
  func paint(_ output: Output, _ generation: Int) async {
    guard generation == output.frames.generation, let surface = output.surface, let glass = frames(of: output) else {
      return
    }
    let shown = shown(on: output)
    let moment = moment(of: output)
    output.paintings += 1
    defer { paintingEnded(output) }
    do throws(TypesettingError) {
      let painted = try await output.painter.paint(
        surface, moment.view, after: output.isLit ? output.moving : nil, refresh: output.refresh, to: glass)
      if generation == output.frames.generation {
        output.moving = painted.moving
        if painted.moving == nil { stopMoving(output) }
        output.painted = Output.Showing(shown, moment, painted)
        output.nextChange = moment.nextChange
        output.frame = painted.frame
      }
      answered(painted.answer, output, generation)
    } catch {
      logger.error("\(output.name): \(error)")
      presented(output, generation, .text("\(error)"))
    }
  }

  /// Where an output's frames go; nil where that is nowhere.
  private func frames(of output: Output) -> Painter.Glass? {
    output.crtc.map {
      Painter.Glass(
        card: output.desk.card, crtc: $0, display: output.name, generation: output.frames.generation,
        permit: output.permit, hasVBlank: output.hasVBlank, tell: teller(of: output))
    }
  }

  /// Has a card that was busy asked once more.
  func present(_ output: Output, _ generation: Int) async {
    guard generation == output.frames.generation, let glass = frames(of: output) else { return }
    guard let frame = output.frame else { return presented(output, generation, .text("there is no frame")) }
    output.paintings += 1
    defer { paintingEnded(output) }
    answered(await output.painter.present(frame, to: glass), output, generation)
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
    feed(.presented(display: output.name, generation: generation, result), to: output.desk)
  }

  /// Handles a flip event, or keeps it until the results of the present calls before it are handled.
  func heard(_ flip: Flip, _ desk: CardDesk) {
    // It may come before the commit has returned. The machine keeps it.
    if let name = desk.machine.committing(flip.crtc) {
      desk.outputs[name]?.hasVBlank = flip.sequence != 0
      return feed(.flipped(crtc: flip.crtc, time: flip.time), to: desk)
    }
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
    Task { await output.takeFlip { await flipped(output, flip, isTaken: isTaken) } }
  }

  /// What was painted last is on the glass.
  private func flipped(_ output: Output, _ flip: Flip, isTaken: Bool) async {
    guard output.crtc == flip.crtc else { return }
    output.hasVBlank = flip.sequence != 0
    if output.desk.machine.committing(flip.crtc) == nil, let surface = output.surface,
      case .waitingForFlip = output.frames.state
    {
      if output.frame != nil {
        if !isTaken { output.painter.flipped(surface) }
        output.serial += 1
      } else {
        await restoreFront(output, surface)
      }
    }
    feed(.flipped(crtc: flip.crtc, time: flip.time), to: output.desk)
  }

  /// A version is on screen.
  func arrived(_ output: Output, _ version: Int, at time: UInt64, isFirst: Bool) {
    output.lastFlip = time
    if isFirst {
      tell(.modeChanged, output.name, at: time, detail: output.candidate?.mode.description)
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

  /// Notifies a card's machine that its time was reached.
  func cardIsDue(_ path: String) {
    guard let desk = desks[path] else { return }
    feed(.timePassed(except: postponeDeadlines(on: desk)), to: desk)
  }

  /// Postpones the passed deadlines of outputs whose render thread is late, or whose flip arrived in time and is still
  /// being handled. Returns their names.
  func postponeDeadlines(on desk: CardDesk) -> Set<String> {
    let now = environment.now()
    for output in desk.outputs.values {
      guard let deadline = output.frames.deadline, deadline <= now else {
        output.heldUntil = nil
        continue
      }
      output.heldUntil = isInTime(output, at: now) ? now &+ environment.patience.flip : nil
    }
    return Set(desk.outputs.values.filter { $0.heldUntil != nil }.map(\.name))
  }

  private func isInTime(_ output: Output, at now: UInt64) -> Bool {
    let permit = output.permit.state
    // Only the card's call can hang. To paint for long, or to wait for a buffer, is no fault of the mode.
    if case .rendering = output.frames.state, !permit.isResultPending { return true }
    if permit.unreportedFlips > 0, !permit.isStepping || output.frames.mayStep(at: now) { return true }
    return output.isTakingFlip
  }
}
