import Control
import Displays
import Geometry
import Logging
import Outputs
import Scenes

/// The execution of the core's effects, whose results return to the core as events.
extension Director {
  func carryOut(_ effect: CoreEffect) {
    switch effect {
    case .log(let level, let words): logger.log(level: Logger.Level(level), "\(words)")
    case .send(let event): send(event)
    case .history(let change): persistence.note(change)
    case .store(let changes): persistence.write(changes)
    case .modelChanged(let change):
      persistence.write(change.records)
      for event in change.events { send(event) }
    case .observe(let observation): report(observation)
    case .probe(let card, let id, let connectors):
      if let managed = managedCards[card] { Task.immediate { await probe(managed, id, connectors) } }
    case .render(let job): begin(job)
    case .call(let card, let id, let call):
      if let managed = managedCards[card] { Task.immediate { await self.call(call, id, managed) } }
    case .free(let card, let surface): if let managed = managedCards[card] { free(surface, of: managed) }
    case .close(let card): if let managed = managedCards[card] { close(managed) }
    case .forget(let card): managedCards.removeValue(forKey: card)?.resume()
    case .connected(let id, let painter):
      if let managed = managedCards[id.card] {
        handles[id] = OutputHandle(id, painter: painters[painter], card: managed)
      }
    case .disconnected(let id): handles[id] = nil
    case .permit(let id, let event): handles[id]?.permit.handle(event)
    case .paint(let id, let generation):
      guard let handle = handles[id] else { return }
      if inspectsFirst {
        Task { await paint(handle, generation) }
      } else {
        Task.immediate { await paint(handle, generation) }
      }
    case .offer(let id, let job, let generation):
      if let handle = handles[id] { Task { await offer(handle, job, generation) } }
    case .prepare(let id, let surface, let moment):
      if let handle = handles[id] { Task { await prepare(handle, surface, moment) } }
    case .present(let id, let generation): if let handle = handles[id] { Task { await present(handle, generation) } }
    case .restoreFrames(let id, let surface):
      if let handle = handles[id] { Task { await restoreFrames(handle, surface) } }
    case .settled(let id, let result, let version): handles[id]?.settle(result, upTo: version)
    case .followChoice(let id): Task { await followChoice(id) }
    }
  }

  private func send(_ event: CoreEffect.Event) {
    hub.send(
      event.kind, event.display, time: event.time, date: Timestamp(milliseconds: event.date), detail: event.detail,
      about: event.source)
  }

  private func report(_ observation: CoreEffect.Observation) {
    switch observation {
    case .met(let connector, let terms): environment.observer?.met(connector, terms)
    case .entered(let state, let display, let reason):
      environment.observer?.entered(state, display, reason: reason)
    }
  }

  // MARK: Cards

  private func probe(_ managed: ManagedCard, _ id: EffectID, _ connectors: Set<UInt32>?) async {
    do throws(CardError) {
      let snapshot = try await managed.card.probe(connectors)
      step { $0.probed(managed.id, id, .success(snapshot)) }
    } catch {
      step { $0.probed(managed.id, id, .failure(error)) }
    }
  }

  /// Calls the card, and passes the result to the core.
  private func call(_ call: CoreEffect.CardCall, _ id: EffectID, _ managed: ManagedCard) async {
    var result: CardError?
    do throws(CardError) { try await carryOut(call, managed) } catch { result = error }
    step { $0.feed(.finished(id, result), to: managed.id) }
  }

  private func carryOut(_ call: CoreEffect.CardCall, _ managed: ManagedCard) async throws(CardError) {
    let card = managed.card
    switch call {
    case .check(let plan): try await card.check(plan)
    case .apply(let plan): try await card.apply(plan)
    case .addBuffer(let surface, let size): try await addBuffer(surface, size, managed)
    case .disable(let crtcs):
      do throws(CardError) {
        try await card.apply(ModesetPlan(dark: crtcs))
      } catch {
        let names = crtcs.map(String.init).joined(separator: ", ")
        logger.warning("\(card.path): CRTC \(names) could not be switched off: \(error)")
        throw error
      }
    }
  }

  /// Adds a second buffer, which must have the format of the first one: a plane can reject a flip to another format. A
  /// card allocates another format if it has no memory left for the better one.
  private func addBuffer(
    _ surface: Painting.SurfaceID, _ size: Size, _ managed: ManagedCard
  ) async throws(CardError) {
    guard let painter = managed.painters[surface] else { return }
    if await painter.addBuffer(surface, try await managed.card.allocate(size)) { return }
    throw CardError(
      reason: .refused, operation: "allocate \(size)", object: managed.card.path,
      message: "no memory for a second buffer of the first one's format")
  }

  private func close(_ managed: ManagedCard) {
    let (freeing, card) = (managed.freeing, managed.card)
    managed.closing = Task {
      await freeing?.value
      await card.close()
    }
  }

  // MARK: First frames

  /// Begins to render the first frame of a mode. Several outputs are rendered in parallel.
  private func begin(_ job: CoreEffect.FirstFrameJob) {
    guard let managed = managedCards[job.output.card], let painter = handles[job.output]?.painter else {
      return failed(job, .text("the monitor is gone"))
    }
    managed.painters[job.surface] = painter
    let freeing = managed.freeing
    Task.immediate {
      await freeing?.value
      await render(job, painter, managed.card)
    }
  }

  private func render(_ job: CoreEffect.FirstFrameJob, _ painter: Painter, _ card: any DisplayCard) async {
    do {
      let mode = job.candidate.mode
      // The layout needs no buffer, so the card allocates one meanwhile.
      let options = core.surfaceOptions(for: job.output)
      let mounting = Task {
        await painter.mount(job.surface, mode.size, scale: job.candidate.scale, options, for: job.moment.view)
      }
      let buffer = try await card.allocate(mode.size)
      let number = buffer.id
      await mounting.value
      let painted = try await painter.paintFirst(job.surface, buffer, job.moment.view, refresh: mode.refresh)
      let frame = FirstFrame(
        buffer: number, showing: Showing(job.shown, job.moment, painted), moving: painted.moving,
        nextChange: job.moment.nextChange)
      step { $0.rendered(job, frame) }
    } catch let error as CardError {
      failed(job, .card(error))
    } catch {
      failed(job, .text("\(error)"))
    }
  }

  private func failed(_ job: CoreEffect.FirstFrameJob, _ error: CardMachine.RenderError) {
    step { $0.feed(.rendered(job.effect, error), to: job.output.card) }
  }

  private func free(_ surface: Painting.SurfaceID, of managed: ManagedCard) {
    guard let painter = managed.painters.removeValue(forKey: surface) else { return }
    let before = managed.freeing
    managed.freeing = Task {
      await before?.value
      await painter.unmount(surface)
    }
  }
}

extension Logger.Level {
  fileprivate init(_ level: CoreEffect.LogLevel) {
    self =
      switch level {
      case .debug: .debug
      case .info: .info
      case .notice: .notice
      case .warning: .warning
      case .error: .error
      }
  }
}
