import Displays
import Geometry
import Logging
import Outputs
import Scenes
import Typesetting

/// The execution of the card machines' effects, whose results are returned to the machines as events.
extension Director {
  /// Passes an event to the machine of a card, and carries out the effects.
  ///
  /// - Parameters:
  ///   - event: The event. An event that an effect causes is handled after the effects before it.
  ///   - managed: The card.
  func feed(_ event: CardMachine.Event, to managed: ManagedCard) {
    managed.inbox.append(event)
    guard !managed.isHandling else { return }
    managed.isHandling = true
    while !managed.inbox.isEmpty {
      let effects = managed.machine.handle(managed.inbox.removeFirst(), at: environment.now())
      for name in managed.machine.changed { managed.outputs[name]?.updatePermit() }
      for effect in effects { carryOut(effect, on: managed) }
    }
    managed.isHandling = false
    if let reason = managed.machine.endReason { ended(managed, because: reason) }
    schedule(loopTime(of: managed.due))
    managed.resumeIfIdle()
  }

  private func carryOut(_ effect: CardMachine.Effect, on managed: ManagedCard) {
    switch effect {
    case .probe(let id, let connectors): Task { await probe(managed, id, connectors) }
    case .arrived(let connectors): introduce(connectors, on: managed)
    case .render(let id, let display, let surface, let candidate): render(id, display, surface, candidate, managed)
    case .test(let id, let outputs):
      let plan = ModesetPlan(lit: enabled(outputs, on: managed))
      call(id, managed) { card throws(CardError) in try await card.check(plan) }
    case .commit(let id, let outputs):
      let plan = ModesetPlan(lit: enabled(outputs, on: managed), number: id.planNumber)
      call(id, managed) { card throws(CardError) in try await card.apply(plan) }
    case .disable(let id, let crtcs):
      let logger = logger
      call(id, managed) { card throws(CardError) in
        do throws(CardError) {
          try await card.apply(ModesetPlan(dark: crtcs))
        } catch {
          let names = crtcs.map(String.init).joined(separator: ", ")
          logger.warning("\(card.path): CRTC \(names) could not be switched off: \(error)")
          throw error
        }
      }
    case .sleep(let id, let outputs):
      call(id, managed) { card throws(CardError) in try await card.apply(ModesetPlan(asleep: outputs)) }
    case .addBuffer(let id, _, let surface, let size):
      guard let painter = managed.painters[surface] else { return }
      call(id, managed) { card throws(CardError) in try await Self.addBuffer(surface, size, to: painter, card) }
    case .paint(let display, let generation):
      if let output = managed.outputs[display] { Task { await paint(output, generation) } }
    case .present(let display, let generation):
      if let output = managed.outputs[display] { Task { await present(output, generation) } }
    case .free(_, let surface): free(surface, of: managed)
    case .report(let display, let report): handle(report, of: display, on: managed)
    }
  }

  /// Calls the card, and passes the result to the machine.
  private func call(
    _ id: EffectID, _ managed: ManagedCard, _ body: @escaping (any DisplayCard) async throws(CardError) -> Void
  ) {
    Task {
      var result: CardError?
      do throws(CardError) { try await body(managed.card) } catch { result = error }
      feed(.finished(id, result), to: managed)
    }
  }

  private func probe(_ managed: ManagedCard, _ id: EffectID, _ connectors: Set<UInt32>?) async {
    do throws(CardError) {
      let snapshot = try await managed.card.probe(connectors)
      guard managedCards[managed.card.path] === managed else { return }
      managed.complaint = nil
      forgetLost(snapshot)
      feed(.probed(id, .success(snapshot)), to: managed)
      noteBare(managed, snapshot)
    } catch {
      if error.reason != .gone, managed.complaint != "\(error)" { logger.warning("\(error); trying again") }
      managed.complaint = "\(error)"
      feed(.probed(id, .failure(error)), to: managed)
    }
  }

  // MARK: First frames

  /// Renders the first frame of a mode into a new buffer, so that the modeset shows neither black nor a partial frame.
  /// Several outputs are rendered in parallel.
  private func render(
    _ id: EffectID, _ display: String, _ surface: Painter.SurfaceID, _ candidate: ModeChoice.Candidate,
    _ managed: ManagedCard
  ) {
    guard let output = managed.outputs[display] else {
      return feed(.rendered(id, .text("the monitor is gone")), to: managed)
    }
    let (shown, moment) = (shown(on: output), moment(of: output))
    want(shown, on: output)
    managed.painters[surface] = output.painter
    let freeing = managed.freeing
    Task {
      await freeing?.value
      var failure: CardMachine.RenderError?
      do {
        let buffer = try await managed.card.allocate(candidate.mode.size)
        let number = buffer.id
        await output.painter.mount(surface, buffer, scale: candidate.scale, surfaceOptions(for: output))
        let painted = try await output.painter.paintFirst(surface, moment.view, refresh: candidate.mode.refresh)
        managed.firstFrames[surface] = FirstFrame(
          buffer: number, showing: Showing(shown, moment, painted), moving: painted.moving,
          nextChange: moment.nextChange)
      } catch let error as CardError {
        failure = .card(error)
      } catch {
        failure = .text("\(error)")
      }
      feed(.rendered(id, failure), to: managed)
    }
  }

  private func enabled(_ outputs: [CardMachine.PlannedOutput], on managed: ManagedCard) -> [EnabledOutput] {
    outputs.compactMap { output in
      guard let frame = managed.firstFrames[output.surface] else { return nil }
      return EnabledOutput(
        connector: output.connector, name: output.display, crtc: output.crtc, mode: output.mode, buffer: frame.buffer)
    }
  }

  private func free(_ surface: Painter.SurfaceID, of managed: ManagedCard) {
    managed.firstFrames[surface] = nil
    guard let painter = managed.painters.removeValue(forKey: surface) else { return }
    let before = managed.freeing
    managed.freeing = Task {
      await before?.value
      await painter.unmount(surface)
    }
  }

  /// Adds a second buffer, which must have the format of the first one: a plane can reject a flip to another format. A
  /// card allocates another format if it has no memory left for the better one.
  private static func addBuffer(
    _ surface: Painter.SurfaceID, _ size: Size, to painter: Painter, _ card: any DisplayCard
  ) async throws(CardError) {
    if await painter.addBuffer(surface, try await card.allocate(size)) { return }
    throw CardError(
      reason: .refused, operation: "allocate \(size)", object: card.path,
      message: "no memory for a second buffer of the first one's format")
  }

  // MARK: Reports

  private func handle(_ report: CardMachine.Report, of display: String, on managed: ManagedCard) {
    if isClosing { return }
    if report == .connected { return connected(display, on: managed) }
    guard let output = managed.outputs[display] else { return }
    switch report {
    case .connected: break
    case .disconnected: disconnected(output)
    case .state(let state): enter(state, output)
    case .refused(let mode, let reason):
      let words = "\(mode) could not be set: \(reason)"
      logger.log(level: output.knows(failure: words) ? .debug : .warning, "\(display): \(words)")
    case .noBuffer(let error): logger.warning("\(display): no second buffer: \(error)")
    case .mode(let candidate): modeSet(output, candidate)
    case .shown(let version, let time, let isFirst): arrived(output, version, at: time, isFirst: isFirst)
    case .sleepless(let reason):
      logger.warning("\(display): could not be put to sleep, its last picture stays: \(reason)")
    }
  }

  /// Handles a mode that was set with a first frame. The flip of that frame follows.
  private func modeSet(_ output: Output, _ candidate: ModeChoice.Candidate) {
    logger.info("\(output.name): \(candidate.mode), scale \(candidate.scale): \(candidate.reason)")
    guard let surface = output.surface, let frame = output.managed.firstFrames.removeValue(forKey: surface) else {
      return
    }
    output.serial = 0
    output.painted = frame.showing
    output.nextChange = frame.nextChange
    output.frame = nil
    output.moving = frame.moving
  }
}

extension Output {
  /// Updates the frame gate with the frames that the render thread may still present.
  func updatePermit() {
    let frames = frames
    let event = FramePermit.Event.changed(generation: frames.generation, mayStep: !frames.isDirty)
    guard event != lastPermit else { return }
    lastPermit = event
    permit.handle(event)
  }
}
