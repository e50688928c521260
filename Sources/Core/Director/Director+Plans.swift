import Displays
import Geometry
import Logging
import Outputs
import Scenes
import Typesetting

/// The first frame of a mode, from the moment that it is rendered until the modeset.
struct FirstFrame {
  let surface: Painter.SurfaceID
  let candidate: ModeChoice.Candidate
  /// The version of the scene in it.
  let version: Int
  /// The next change of what it shows, in milliseconds since 1970.
  let nextChange: Int64?
  /// The buffer and what it shows; nil until it is rendered.
  var rendered: (buffer: BufferID, showing: Output.Showing, moving: Moving?)?
}

/// A plan that is being carried out.
private struct Plan {
  var search: ModesetSearch
  let ladders: [UInt32: ModeLadder]

  var outputs: [Output] { ladders.values.map(\.output) }

  func output(_ connector: UInt32) -> Output? { ladders[connector]?.output }
}

extension Director {
  /// Lights outputs of a card by one commit, after the plans before.
  ///
  /// - Parameters:
  ///   - desk: The card.
  ///   - choose: A function that returns the outputs and their modes. It is called when the plan's turn comes, so that it
  ///     knows which CRTCs are free.
  func plan(_ desk: CardDesk, _ choose: () -> [ModeLadder]) async {
    await desk.planning.take {
      let ladders = choose().filter { isWanted($0.output, on: desk) }
      if desk.card.commitsTogether {
        await carryOut(ladders, on: desk)
      } else {
        for ladder in ladders where isWanted(ladder.output, on: desk) { await carryOut([ladder], on: desk) }
      }
      // A next try is of use only to those that are dark now.
      if ladders.contains(where: { isCurrent($0.output, of: desk) && $0.output.crtc == nil }), !desk.isBusy {
        scheduleRetry(desk)
      }
    }
  }

  /// Whether an output is still to be lit.
  private func isWanted(_ output: Output, on desk: CardDesk) -> Bool {
    isCurrent(output, of: desk) && output.crtc != nil && !isToSleep(output)
  }

  private func carryOut(_ ladders: [ModeLadder], on desk: CardDesk) async {
    guard !ladders.isEmpty else { return }
    var plan = Plan(
      search: ModesetSearch(requests(ladders, on: desk)),
      ladders: Dictionary(ladders.map { ($0.output.connector.id, $0) }) { first, _ in first })
    for output in plan.outputs {
      output.isInPlan = true
      // From here to the modeset's return nothing is painted: a message that comes meanwhile follows the first frame.
      change(output) { $0.light(at: $1) }
    }
    defer { for output in plan.outputs { output.isInPlan = false } }
    while let step = plan.search.next {
      switch step {
      case .test(let assignments):
        guard await paintFirstFrames(assignments, of: &plan, on: desk) else { continue }
        await test(assignments, of: &plan, on: desk)
      case .commit(let assignments): await commit(assignments, of: &plan, on: desk)
      }
      noteRejections(of: &plan)
      await dropOthers(from: &plan, on: desk)
    }
    noteRejections(of: &plan)
    for connector in plan.search.failed {
      guard let output = plan.output(connector), isCurrent(output, of: desk) else { continue }
      await giveUp(output, nil, on: desk)
    }
  }

  /// The outputs with the CRTCs that they may have: their own ones first, then those of others in the plan and free ones.
  private func requests(_ ladders: [ModeLadder], on desk: CardDesk) -> [ModesetSearch.Request] {
    let taken = desk.outputs.values.filter { output in !ladders.contains { $0.output === output } }.compactMap(\.crtc)
    return ladders.compactMap { ladder in
      let output = ladder.output
      guard let own = output.crtc else { return nil }
      let possible = output.connector.possibleCRTCs(among: desk.snapshot?.crtcs ?? [])
      let others = possible.filter { $0 != own && !taken.contains($0) }
      return .init(connector: output.connector.id, crtcs: [own] + others, candidates: ladder.candidates)
    }
  }

  /// Drops outputs that were unplugged, or that lost their CRTC because another program became DRM master.
  private func dropOthers(from plan: inout Plan, on desk: CardDesk) async {
    for (connector, ladder) in plan.ladders where !isCurrent(ladder.output, of: desk) || ladder.output.crtc == nil {
      plan.search.drop(connector)
      await discardFirstFrame(of: ladder.output)
    }
  }

  // MARK: First frames

  /// Paints the frames that the modesets are to show: never a black or half-drawn frame first. The painters work at the
  /// same time.
  ///
  /// - Returns: False if the search has another next step now, because an output cannot have its frame.
  private func paintFirstFrames(
    _ assignments: [ModesetSearch.Assignment], of plan: inout Plan, on desk: CardDesk
  ) async -> Bool {
    var missing: [(output: Output, candidate: ModeChoice.Candidate)] = []
    for assignment in assignments {
      guard let output = plan.output(assignment.connector), output.firstFrame?.candidate != assignment.candidate else {
        continue
      }
      missing.append((output, assignment.candidate))
    }
    // A display can show another one's content, so all sizes are known first. A card with little memory needs the buffers
    // of modes that it refused.
    for (output, candidate) in missing { output.candidate = candidate }
    for (output, _) in missing { await discardFirstFrame(of: output) }
    let paintings = missing.map { output, candidate in
      (output.connector.id, Task { await paintFirstFrame(of: output, candidate, on: desk) })
    }
    var isComplete = true
    for (connector, painting) in paintings {
      guard let error = await painting.value, let output = plan.output(connector) else { continue }
      isComplete = false
      await discardFirstFrame(of: output)
      if case .card(let error) = error, error.reason == .refused {
        plan.search.reject(connector, error)
      } else {
        await drop(output, error, from: &plan, on: desk)
      }
    }
    noteRejections(of: &plan)
    return isComplete
  }

  /// Paints an output's first frame into a new buffer, beside the frame that is on screen.
  ///
  /// - Returns: The reason that there is no frame; nil if there is one.
  private func paintFirstFrame(
    of output: Output, _ candidate: ModeChoice.Candidate, on desk: CardDesk
  ) async -> LightError? {
    // It may have been unplugged before this task began.
    guard isCurrent(output, of: desk), output.crtc != nil else { return .unplugged }
    let shown = shown(on: output)
    let moment = moment(of: output)
    want(shown, on: output)
    let frame = FirstFrame(
      surface: nextSurface(), candidate: candidate, version: output.frames.wanted, nextChange: moment.nextChange)
    output.firstFrame = frame
    do {
      let buffer = try await desk.card.allocate(candidate.mode.size)
      let id = buffer.id
      // Whoever releases the output from here on frees the buffer, too.
      guard output.firstFrame?.surface == frame.surface else { return .unplugged }
      await output.painter.mount(frame.surface, buffer, scale: candidate.scale, surfaceOptions(for: output))
      let painted = try await output.painter.paintFirst(
        frame.surface, moment.view, refresh: candidate.mode.refresh)
      guard output.firstFrame?.surface == frame.surface else { return .unplugged }
      output.firstFrame?.rendered = (id, Output.Showing(shown, moment, painted), painted.moving)
      return nil
    } catch let error as CardError {
      return .card(error)
    } catch let error as TypesettingError {
      return .text(error)
    } catch {
      return .unplugged
    }
  }

  private func discardFirstFrame(of output: Output) async {
    guard let frame = output.firstFrame else { return }
    output.firstFrame = nil
    await output.painter.unmount(frame.surface)
  }

  // MARK: Modesets

  private func enabled(_ assignments: [ModesetSearch.Assignment], of plan: Plan) -> ModesetPlan {
    ModesetPlan(
      lit: assignments.compactMap { assignment in
        guard let output = plan.output(assignment.connector), let frame = output.firstFrame?.rendered else {
          return nil
        }
        return EnabledOutput(
          connector: assignment.connector, name: output.name, crtc: assignment.crtc, mode: assignment.candidate.mode,
          buffer: frame.buffer)
      })
  }

  private func test(_ assignments: [ModesetSearch.Assignment], of plan: inout Plan, on desk: CardDesk) async {
    let modesets = enabled(assignments, of: plan)
    // Outputs that were unplugged meanwhile are dropped.
    guard modesets.lit.count == assignments.count else { return }
    do throws(CardError) {
      try await desk.card.check(modesets)
      plan.search.accept()
    } catch {
      await failed(assignments, error, of: &plan, on: desk)
    }
  }

  private func commit(_ assignments: [ModesetSearch.Assignment], of plan: inout Plan, on desk: CardDesk) async {
    await unstick(assignments, of: plan, on: desk)
    let modesets = enabled(assignments, of: plan)
    guard modesets.lit.count == assignments.count else { return }
    let before = assignments.map { plan.output($0.connector)?.crtc }
    let submitted = environment.now()
    for assignment in assignments {
      guard let output = plan.output(assignment.connector) else { continue }
      // Its flip may come before the call returns. It is kept until then, since the deadline counts from the return: it
      // can take long to train a link.
      output.earlyFlips = []
      output.crtc = assignment.crtc
    }
    do throws(CardError) {
      try await desk.card.apply(modesets)
    } catch {
      for (assignment, crtc) in zip(assignments, before) {
        guard let output = plan.output(assignment.connector) else { continue }
        output.earlyFlips = nil
        if output.crtc != nil { output.crtc = crtc }
        handle(.failed, for: output)
      }
      return await failed(assignments, error, of: &plan, on: desk)
    }
    plan.search.accept()
    for assignment in assignments {
      guard let ladder = plan.ladders[assignment.connector] else { continue }
      lit(ladder, assignment.candidate, submitted: submitted, on: desk)
    }
  }

  /// Takes over the first frame of an output, which was lit by a commit.
  private func lit(_ ladder: ModeLadder, _ candidate: ModeChoice.Candidate, submitted: UInt64, on desk: CardDesk) {
    let output = ladder.output
    let early = output.earlyFlips ?? []
    output.earlyFlips = nil
    // Otherwise it was released during the commit, and whoever did that switches it off.
    guard let frame = output.firstFrame, let rendered = frame.rendered else { return }
    output.firstFrame = nil
    if let old = output.surface { output.retired.append(old) }
    output.surface = frame.surface
    output.candidate = candidate
    output.ladder = Array(ladder.candidates.drop { $0 != candidate }.dropFirst())
    output.painted = rendered.showing
    output.nextChange = frame.nextChange
    output.frame = nil
    output.moving = rendered.moving
    output.attempts.note("\(candidate.mode): set (\(candidate.reason))")
    logger.info("\(output.name): \(candidate.mode), scale \(candidate.scale): \(candidate.reason)")
    output.secondBuffer = Task { await addBuffer(desk, output, frame.surface, candidate.mode.size) }
    handle(.modeset(version: frame.version, submitted: submitted), for: output)
    for time in early { handle(.flipped(time: time), for: output) }
    freeLongRetired(output)
  }

  /// Disables the CRTCs of stuck outputs in a commit of its own before the modeset's time. The flip that never came is
  /// reported by that, if at all, and is not mistaken for the new mode's.
  private func unstick(_ assignments: [ModesetSearch.Assignment], of plan: Plan, on desk: CardDesk) async {
    let stuck = assignments.compactMap { plan.output($0.connector) }.filter(\.isStuck)
    let crtcs = stuck.compactMap(\.crtc)
    guard !crtcs.isEmpty else { return }
    for output in stuck { output.isStuck = false }
    await switchOff(desk, Set(crtcs), stuck.map(\.name).joined(separator: ", "))
    // They are lit now, whether they could be disabled or not.
    desk.leftovers.subtract(crtcs)
  }

  /// Adds the second buffer. One of another format than the first is of no use: a plane may refuse it, and a card
  /// allocates one if it has no memory left for the better format.
  ///
  /// - Returns: The reason that there is none; nil if there is one.
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

  // MARK: Failures

  /// Handles the error of a test or a commit.
  private func failed(
    _ assignments: [ModesetSearch.Assignment], _ error: CardError, of plan: inout Plan, on desk: CardDesk
  ) async {
    switch error.reason {
    case .refused: plan.search.refuse(error)
    // One of the outputs causes it.
    case .other where assignments.count > 1: plan.search.refuse(error)
    case .gone, .notMaster, .busy, .other:
      // Other outputs would fail for the same reason, except for an error of one output.
      let outputs = error.reason == .other ? assignments.compactMap { plan.output($0.connector) } : plan.outputs
      for output in outputs { await drop(output, .card(error), from: &plan, on: desk) }
    }
  }

  /// Drops an output that cannot be lit with any mode for now.
  private func drop(_ output: Output, _ error: LightError, from plan: inout Plan, on desk: CardDesk) async {
    guard plan.search.isOpen(output.connector.id) else { return }
    plan.search.drop(output.connector.id)
    await discardFirstFrame(of: output)
    if case .unplugged = error { return }
    guard isCurrent(output, of: desk) else { return }
    if let mode = output.candidate?.mode { note("\(mode)", "\(error)", on: output) }
    if case .card(let error) = error, error.reason == .gone { return await lose(desk, because: "\(error)") }
    await giveUp(output, error, on: desk)
  }

  /// Logs the modes that the card refused.
  private func noteRejections(of plan: inout Plan) {
    for rejection in plan.search.rejections {
      guard let output = plan.output(rejection.connector), desk(of: output) != nil else { continue }
      note("\(rejection.candidate.mode)", "\(rejection.error)", on: output)
    }
    plan.search.rejections = []
  }

  private func note(_ mode: String, _ reason: String, on output: Output) {
    output.attempts.note("\(mode): \(reason)")
    let words = "\(mode) could not be set: \(reason)"
    logger.log(level: output.knows(failure: words) ? .debug : .warning, "\(output.name): \(words)")
  }

  private func giveUp(_ output: Output, _ error: LightError?, on desk: CardDesk) async {
    // What was well until now is worth as many looks as what is new: those before were for something else.
    if output.hasBeenLit { desk.retries = 0 }
    output.hasBeenLit = false
    await unmountAll(output)
    output.crtc = nil
    output.candidate = nil
    output.isStuck = false
    output.ladder = []
    // Another program became master meanwhile, which is the reason then.
    if output.state.darkness == .noMaster { return }
    darken(
      output, error?.darkness ?? .refused,
      because: output.attempts.sentences.last.map { "no mode could be set; last: \($0)" } ?? "no mode is left")
  }
}
