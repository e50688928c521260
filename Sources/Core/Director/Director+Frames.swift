import Displays
import Logging
import NIOCore
import Outputs
import Scenes
import Typesetting

/// Rendering, flips, and the requests that wait for them.
extension Director {
  /// Waits until the newest version of an output's content is presented, or until it is known that it will not be.
  func shown(_ id: OutputID) async -> ShowResult {
    guard let handle = handles[id] else { return .notShown(reason: "the monitor on \(id.name) is gone") }
    return await withCheckedContinuation { continuation in
      // The checks are inside the continuation's closure. A flip or the end of the output can come before it runs, and
      // would not be reported again.
      switch core.progress(of: id) {
      case .gone: continuation.resume(returning: .notShown(reason: handle.endReason ?? "the monitor is gone"))
      case .ended(let result): continuation.resume(returning: result)
      case .pending(let version): handle.wait(for: version, continuation)
      }
    }
  }

  // MARK: Rendering

  /// Renders the newest scene, and requests its flip from the card.
  func paint(_ handle: OutputHandle, _ generation: Int) async {
    let id = handle.id
    guard let job = step({ $0.paintJob(id, generation) }) else { return }
    handle.paintings += 1
    defer { paintingEnded(handle) }
    do throws(TypesettingError) {
      let painted = try await handle.painter.paint(job, to: target(of: handle, job.crtc, generation))
      step { $0.painted(job, painted, id, generation) }
    } catch {
      logger.error("\(id.name): \(error)")
      step { $0.presented(id, generation, .text("\(error)")) }
    }
  }

  /// Offers newer content for the next frame of an animation. A task that runs on the director keeps the offers in order.
  func offer(_ handle: OutputHandle, _ job: PaintJob, _ generation: Int) async {
    await handle.painter.offer(job, generation: generation)
  }

  /// Prepares the content that comes next.
  func prepare(_ handle: OutputHandle, _ surface: Painting.SurfaceID, _ moment: ResolvedScene) async {
    let lost = await handle.painter.prepare(surface, moment.view)
    step { $0.prepared(handle.id, moment, lost) }
  }

  private func target(of handle: OutputHandle, _ crtc: UInt32, _ generation: Int) -> Painter.FlipTarget {
    Painter.FlipTarget(
      card: handle.card.card, crtc: crtc, display: handle.name, generation: generation, permit: handle.permit,
      hasVBlank: core[handle.id]?.hasVBlank ?? false, report: stepHandler(of: handle))
  }

  /// Repeats the present call after the card was busy.
  func present(_ handle: OutputHandle, _ generation: Int) async {
    let id = handle.id
    guard let job = core.presentJob(id, generation) else { return }
    guard let frame = job.frame else { return step { $0.presented(id, generation, .text("there is no frame")) } }
    handle.paintings += 1
    defer { paintingEnded(handle) }
    let answer = await handle.painter.present(frame, to: target(of: handle, job.crtc, generation))
    step { $0.presented(answer, id, generation) }
  }

  /// Records that the painter has finished a frame, and that its result is handled.
  private func paintingEnded(_ handle: OutputHandle) {
    handle.paintings -= 1
    guard handle.paintings == 0 else { return }
    handle.permit.handle(.handled)
    takeHeldFlips(handle)
  }

  /// Restores the frames of an output that were wiped.
  func restoreFrames(_ handle: OutputHandle, _ surface: Painting.SurfaceID) async {
    if await handle.painter.restoreFrames(surface) { step { $0.frontRestored(handle.id, surface) } }
  }

  // MARK: Flips

  /// Handles a flip event, or holds it until the results of the present calls before it are handled.
  func heard(_ flip: Flip, _ managed: ManagedCard) {
    // The flip can arrive before the commit returns.
    if step({ $0.tookEarly(flip, of: managed.id) }) { return }
    guard let handle = core.output(on: flip.crtc, of: managed.id).flatMap({ handles[$0] }) else { return }
    if handle.permit.state.holdsFlips { handle.heldFlips.append(flip) } else { self.handle(flip, handle) }
  }

  /// Handles the flips that were held, if no result is pending.
  private func takeHeldFlips(_ handle: OutputHandle) {
    guard !handle.permit.state.holdsFlips else { return }
    let flips = handle.heldFlips
    handle.heldFlips = []
    for flip in flips { self.handle(flip, handle) }
  }

  /// Handles a flip. With `isTaken`, its painter has swapped the buffers already.
  ///
  /// This can wait for the output's painter, which may work on other frames for a long time. No other event of the card
  /// waits for that, and the flip counts as in time.
  private func handle(_ flip: Flip, _ handle: OutputHandle, isTaken: Bool = false) {
    Task { await handle.takeFlip { await flipped(handle, flip, isTaken: isTaken) } }
  }

  /// Handles a flip: the frame that was rendered last is on screen.
  private func flipped(_ handle: OutputHandle, _ flip: Flip, isTaken: Bool) async {
    guard let action = step({ $0.note(flip, on: handle.id) }) else { return }
    switch action {
    case .none: break
    case .swap(let surface): if !isTaken { handle.painter.flipped(surface) }
    case .restoreFrames(let surface): await restoreFrames(handle, surface)
    }
    step { $0.feed(.flipped(flip), to: handle.id.card) }
  }

  // MARK: Animations

  /// Returns a closure that passes a painter's reports about the flips of an output to the director.
  private func stepHandler(of handle: OutputHandle) -> @Sendable (Painting.Step) -> Void {
    let (id, permit) = (handle.id, handle.permit)
    return { [weak self] step in
      guard let self else { return }
      self.loop.execute { self.assumeIsolated { director in director.stepped(step, id, permit) } }
    }
  }

  private func stepped(_ step: Painting.Step, _ id: OutputID, _ permit: SharedFramePermit) {
    permit.handle(.reported)
    guard let managed = managedCards[id.card], core.isPresent(id.card) else { return }
    let handle = handles[id]
    defer { handle.map(takeHeldFlips) }
    if case .left = step.outcome { return heard(step.flip, managed) }
    guard let handle else { return }
    guard handle.isTakingFlip else { return self.handle(step, handle) }
    Task { await handle.takeFlip { self.handle(step, handle) } }
  }

  private func handle(_ step: Painting.Step, _ handle: OutputHandle) {
    guard case .answered(let next) = step.outcome else { return self.handle(step.flip, handle, isTaken: true) }
    self.step { $0.stepped(next, at: step.flip.time, on: handle.id) }
  }

  // MARK: The timer

  /// Ensures that the timer fires at a time of the control loop's clock; does nothing for nil. No other code sets a
  /// timer.
  func schedule(_ due: UInt64?) {
    guard !core.isClosing, agendaTimer.include(due), let due else { return }
    scheduled?.cancel()
    scheduled = loop.scheduleTask(deadline: .uptimeNanoseconds(due)) { [weak self] in
      guard let self else { return }
      self.assumeIsolated { director in director.agendaIsDue() }
    }
  }

  private var agenda: Agenda {
    core.now = instant
    var agenda = core.agenda
    for (waiter, due) in waiterLimits { agenda.add(.waiterLimit(waiter), at: due) }
    return agenda
  }

  private func agendaIsDue() {
    agendaTimer.fired()
    for item in agenda.items(dueAt: loop.now.uptimeNanoseconds) { perform(item) }
    schedule(agenda.next)
  }

  /// Handles something that is due.
  func perform(_ item: Agenda.Item) {
    if case .waiterLimit(let waiter) = item { return stopWaiting(waiter, isInTime: false) }
    var activity: [OutputID: FrameActivity] = [:]
    if case .card = item { activity = handles.mapValues(\.activity) }
    step { $0.perform(item, activity) }
  }

  /// Shows the new time after the system clock was set, and keeps deadlines that were given as durations.
  package func clockWasSet() { step { $0.momentCame() } }
}
