package import Configuration
import Displays
import Geometry
import Logging
import Outputs
import Scenes
import Typesetting

extension Director {
  /// Chooses a mode for the output and lights it on the CRTC; an output that is lit as it should be is left alone, and
  /// so is one whose monitor was sent to sleep.
  func light(_ desk: CardDesk, _ output: Output, _ crtc: UInt32, mustSet: Bool = false) async {
    await output.climbed()
    guard !isToSleep(output) else { return await putToSleep(desk, output) }
    let connector = output.connector
    let policy = output.presentation.policy
    do throws(NoUsableMode) {
      let choice = try policy.choose(from: connector.modes, isEDIDPresent: connector.hasSoundEDID)
      output.choice = choice
      if output.crtc == crtc, output.candidate?.mode == choice.mode, output.state.reason == nil, !mustSet { return }
      output.attempts.begin()
      output.crtc = crtc
      await climb(desk, output, from: choice.candidates)
    } catch {
      darken(output, .noMode, because: "\(error)")
    }
  }

  /// Tries candidates, best first, until the card takes one. An output that is sent to sleep meanwhile sleeps then.
  func climb(_ desk: CardDesk, _ output: Output, from ladder: [ModeChoice.Candidate]) async {
    await output.climb { if isCurrent(output, of: desk) { await tryAll(desk, output, ladder) } }
    guard isCurrent(output, of: desk) else { return }
    if output.crtc == nil, !desk.isBusy { scheduleRetry(desk) }
    await putToSleep(desk, output)
  }

  private func tryAll(_ desk: CardDesk, _ output: Output, _ ladder: [ModeChoice.Candidate]) async {
    // From here to the modeset's return nothing is painted: a message that comes meanwhile follows the first picture.
    change(output) { $0.light(at: $1) }
    output.ladder = ladder
    var last: LightError?
    while !output.ladder.isEmpty, isCurrent(output, of: desk) {
      let candidate = output.ladder.removeFirst()
      do throws(LightError) {
        return try await attempt(desk, output, candidate)
      } catch {
        last = error
        output.attempts.note("\(candidate.mode): \(error)")
        let words = "\(candidate.mode) could not be set: \(error)"
        logger.log(level: output.knows(failure: words) ? .debug : .warning, "\(output.name): \(words)")
        if case .card(let error) = error, error.reason == .gone { return await lose(desk, because: "\(error)") }
        guard error.isForThisModeOnly else { break }
      }
    }
    guard isCurrent(output, of: desk) else { return }
    // What was well until now is worth as many looks as what is new: those before were for something else.
    if output.hasBeenLit { desk.retries = 0 }
    output.hasBeenLit = false
    await giveUp(output, last)
  }

  private func giveUp(_ output: Output, _ error: LightError?) async {
    await unmountAll(output)
    output.crtc = nil
    output.candidate = nil
    output.isStuck = false
    // Who took the card meanwhile is the reason then.
    if output.state.darkness == .noMaster { return }
    darken(
      output, error?.darkness ?? .refused,
      because: output.attempts.sentences.last.map { "no mode could be set; last: \($0)" } ?? "no mode is left")
  }

  /// Lets go of every surface of the output, and with them of their buffers.
  func unmountAll(_ output: Output) async {
    let surfaces = output.retired + [output.surface].compactMap { $0 }
    output.retired = []
    output.surface = nil
    for surface in surfaces { await output.painter.unmount(surface) }
  }

  func isCurrent(_ output: Output, of desk: CardDesk) -> Bool { self.desk(of: output) === desk }

  /// Paints the first picture, then sets the mode with it in one commit: never a black or half-drawn frame first.
  private func attempt(
    _ desk: CardDesk, _ output: Output, _ candidate: ModeChoice.Candidate
  ) async throws(LightError) {
    output.candidate = candidate
    let standing = (surface: output.surface, serial: output.serial)
    do throws(LightError) {
      try await light(desk, output, with: candidate)
    } catch {
      await putBack(standing.surface, standing.serial, output)
      throw error
    }
    output.attempts.note("\(candidate.mode): set (\(candidate.reason))")
    logger.info("\(output.name): \(candidate.mode), scale \(candidate.scale): \(candidate.reason)")
  }

  /// What stood before an attempt that failed stands again, and the attempt's buffer goes at once: a card with little memory
  /// needs it for the next one.
  private func putBack(_ surface: Painter.SurfaceID?, _ serial: Int, _ output: Output) async {
    guard let failed = output.surface, failed != surface else { return }
    output.retired.removeAll { $0 == surface }
    output.surface = surface
    output.serial = serial
    await output.painter.unmount(failed)
  }

  private func light(
    _ desk: CardDesk, _ output: Output, with candidate: ModeChoice.Candidate
  ) async throws(LightError) {
    let version = output.frames.wanted
    let shown = shown(on: output)
    let moment = moment(of: output)
    want(shown, on: output)
    let (lit, surface, first) = try await firstFrame(desk, output, candidate, moment.view)
    output.painted = Output.Showing(shown, moment, first)
    output.nextChange = moment.nextChange
    output.frame = nil
    output.moving = first.moving
    try await set(desk, output, lit, on: surface, version)
  }

  /// Checks and applies the modeset. Its flip may be told before the commit's call returns: it is kept until then,
  /// since the deadline counts from the return (training a link can take long).
  private func set(
    _ desk: CardDesk, _ output: Output, _ lit: EnabledOutput, on surface: Painter.SurfaceID, _ version: Int
  ) async throws(LightError) {
    do throws(CardError) {
      try await desk.card.check(ModesetPlan(lit: [lit]))
      await unstick(desk, output, lit.crtc)
      let submitted = environment.now()
      output.earlyFlips = []
      try await desk.card.apply(ModesetPlan(lit: [lit]))
      output.secondBuffer = Task { await addBuffer(desk, output, surface, lit.mode.size) }
      let early = output.earlyFlips ?? []
      output.earlyFlips = nil
      handle(.modeset(version: version, submitted: submitted), for: output)
      for time in early { handle(.flipped(time: time), for: output) }
      freeLongRetired(output)
    } catch {
      output.earlyFlips = nil
      handle(.failed, for: output)
      throw .card(error)
    }
  }

  /// Switches a stuck pipe off, in a commit of its own before the modeset's time: the flip that never came is told by that,
  /// if at all, and is not taken for the new mode's.
  private func unstick(_ desk: CardDesk, _ output: Output, _ crtc: UInt32) async {
    guard output.isStuck else { return }
    output.isStuck = false
    await switchOff(desk, [crtc], output.name)
    // It is lit now, whether it could be switched off or not.
    desk.leftovers.remove(crtc)
  }

  /// Makes the second buffer; returns why not. One of another format than the first is of no use: a plane may refuse it,
  /// and a card gives one where it has no memory left for the better format.
  func addBuffer(
    _ desk: CardDesk, _ output: Output, _ surface: Painter.SurfaceID, _ size: Size
  ) async -> CardError? {
    do throws(CardError) {
      if await output.painter.addBuffer(surface, try await desk.card.allocate(size)) { return nil }
      return CardError(
        reason: .refused, operation: "allocate \(size)", object: desk.card.path,
        message: "no memory for a second buffer of the first one's format")
    } catch { return error }
  }

  /// Makes a buffer and paints the first picture into it.
  private func firstFrame(
    _ desk: CardDesk, _ output: Output, _ candidate: ModeChoice.Candidate, _ view: View
  ) async throws(LightError) -> (EnabledOutput, Painter.SurfaceID, Painter.Painted) {
    guard let crtc = output.crtc else { throw .unplugged }
    let surface = newSurface(of: output)
    let painter = output.painter
    do {
      let buffer = try await desk.card.allocate(candidate.mode.size)
      let id = buffer.id
      // Whoever lets go of the output from here on lets go of the buffer, too.
      guard output.surface == surface else { throw LightError.unplugged }
      await painter.mount(surface, buffer, scale: candidate.scale, surfaceOptions(for: output))
      let first = try await painter.paintFirst(surface, view, refresh: output.refresh)
      let lit = EnabledOutput(
        connector: output.connector.id, name: output.name, crtc: crtc, mode: candidate.mode, buffer: id)
      return (lit, surface, first)
    } catch let error as CardError {
      throw .card(error)
    } catch let error as TypesettingError {
      throw .text(error)
    } catch {
      throw .unplugged
    }
  }

  private func surfaceOptions(for output: Output) -> Surface.Options {
    Surface.Options(rotation: output.turn, glyphBytes: settings.glyphCache)
  }

  /// A new surface for the output. The one before may still be scanned out, so that it is kept until the first flip.
  private func newSurface(of output: Output) -> Painter.SurfaceID {
    if let old = output.surface { output.retired.append(old) }
    let surface = nextSurface()
    output.surface = surface
    return surface
  }

  /// What the settings say of an output's monitor, and what was chosen for it, counts from now on.
  func adopt(_ output: Output) {
    output.presentation = presentation(of: output)
    let role = output.connector.kind.role ?? .external
    changeAtOnce { store, _ in store.setTags(output.presentation.tags, role: role.rawValue, on: output.name) }
  }

  /// Takes over new settings: looks change at once, modes where the choice is another one now. Messages stay, unless
  /// the settings name another one than they did before.
  package func apply(_ newSettings: Settings) async {
    environment.witness?.asked(newSettings)
    if newSettings.message != settings.message, let old = store.message(named: Message.shownName) {
      await change { store, _ in _ = try? store.withdraw(old.id) }
    }
    settings = newSettings
    zones.forget()
    for output in outputs { adopt(output) }
    for painter in painters { _ = await painter.renewFonts() }
    for output in outputs { await applySettings(to: output) }
    // What was dark may have a mode by the new rules.
    for desk in desks.values where desk.outputs.values.contains(where: { $0.crtc == nil }) { await reconcile(desk) }
    await checkFonts()
  }

  /// Brings an output's mode and turn in line with what counts for it.
  func applySettings(to output: Output, isAnotherMode: Bool = true) async {
    if isAnotherMode, let desk = desk(of: output), let crtc = output.crtc { await light(desk, output, crtc) }
    if let surface = output.surface {
      await output.painter.adjust(surface, to: surfaceOptions(for: output))
      await output.painter.forget(surface)
    }
    if desk(of: output) != nil { redraw(output) }
  }
}

/// Why an output could not be lit with one candidate.
enum LightError: Error, CustomStringConvertible {
  case card(CardError)
  case text(TypesettingError)
  case unplugged

  /// Whether another mode may do better.
  var isForThisModeOnly: Bool {
    if case .card(let error) = self { error.reason == .refused } else { false }
  }

  /// What the display is dark for, where nothing else is left to try.
  var darkness: Darkness {
    switch self {
    case .card(let error):
      switch error.reason {
      case .refused: .refused
      case .notMaster: .noMaster
      case .busy: .busy
      case .gone, .other: .failed
      }
    case .text, .unplugged: .failed
    }
  }

  var description: String {
    switch self {
    case .card(let error): "\(error)"
    case .text(let error): "\(error)"
    case .unplugged: "the monitor went meanwhile"
    }
  }
}
