import Displays
import Geometry

/// A plan that is being carried out.
struct Plan: Sendable {
  /// A first frame.
  enum Frame: Sendable {
    case rendering(EffectID, First)
    case rendered(First)

    /// A frame to render into a surface.
    struct First: Sendable {
      let surface: Int
      let candidate: ModeChoice.Candidate
      /// The version of the content.
      let version: Int
    }

    var first: First {
      switch self {
      case .rendering(_, let first), .rendered(let first): first
      }
    }
  }

  /// The call to the card whose result is awaited.
  enum Call: Sendable {
    case test(EffectID)
    /// Stuck CRTCs are disabled before the commit.
    case unstick(EffectID)
    case commit(EffectID, submitted: UInt64)
  }

  var search: ModesetSearch
  /// The names of the outputs by connector.
  let names: [UInt32: String]
  /// All modes of each output, best first, by connector.
  let ladders: [UInt32: [ModeChoice.Candidate]]
  /// The policies when the plan began, by connector.
  let policies: [UInt32: ModePolicy]
  var frames: [UInt32: Frame] = [:]
  var call: Call?
  /// Flips that came before the commit returned, by CRTC.
  var earlyFlips: [UInt32: [Flip]] = [:]
}

/// Plans: outputs that are lit by one commit.
extension CardMachine {
  /// Has an output lit by the next plan, unless it sleeps or a plan is to light it already.
  mutating func attempt(_ name: String, at now: UInt64, _ body: (inout LightingAttempt) -> Void) {
    guard let output = outputs[name] else { return }
    var attempt = LightingAttempt()
    switch output.phase {
    case .asleep: return
    case .lighting(let known): attempt = known
    case .dark(let darkness, let reason, let lit):
      attempt.before = lit
      attempt.state = .dark(darkness, reason: reason)
    case .lit(let lit): attempt.before = lit
    }
    body(&attempt)
    mustProceed = true
    update(name) { output in
      if case .lit = output.phase { _ = output.frames.handle(.switchedOff, at: now) }
      output.phase = .lighting(attempt)
    }
  }

  func isInPlan(_ output: OutputMachine) -> Bool {
    if case .planning(let plan) = job { plan.search.isOpen(output.connector.id) } else { false }
  }

  /// Begins a plan for all outputs that are to be lit. Returns true if anything changed.
  mutating func beginPlan(at now: UInt64) -> Bool {
    guard outputs.values.contains(where: \.wantsLight) else { return false }
    let displays = snapshot?.displays.filter(\.isDisplayable) ?? []
    let wanted = displays.filter { outputs[$0.name]?.wantsLight ?? false }
    guard !wanted.isEmpty, let snapshot else { return false }
    let held = outputs.values.compactMap { output in output.crtc.map { (output.connector.id, $0) } }
    let assignment = CRTCAssignment(
      wanted: displays.filter { outputs[$0.name]?.wish?.sleepReason == nil }, crtcs: snapshot.crtcs,
      kept: Dictionary(held) { first, _ in first })
    for dark in assignment.dark where outputs[dark.name]?.wantsLight ?? false {
      darken(dark.name, .noCRTC, because: dark.reason, at: now)
    }
    var requests: [ModesetSearch.Request] = []
    var ladders: [UInt32: [ModeChoice.Candidate]] = [:]
    for connector in wanted where commitsTogether || requests.isEmpty {
      guard let crtc = assignment.crtcs[connector.id], let ladder = ladder(for: connector.name, at: now) else {
        continue
      }
      ladders[connector.id] = ladder
      requests.append(.init(connector: connector.id, crtcs: [crtc], candidates: ladder))
    }
    guard !requests.isEmpty else { return true }
    let planned = Set(ladders.keys)
    let taken = Set(outputs.values.filter { !planned.contains($0.connector.id) }.compactMap(\.crtc))
    for index in requests.indices {
      let connector = snapshot.connectors.first { $0.id == requests[index].connector }
      let others = connector?.possibleCRTCs(among: snapshot.crtcs) ?? []
      requests[index].crtcs += others.filter { $0 != requests[index].crtcs[0] && !taken.contains($0) }
    }
    let names = wanted.filter { planned.contains($0.id) }.map { ($0.id, $0.name) }
    for (_, name) in names { update(name) { $0.beginAttempt() } }
    let policies = names.compactMap { id, name in outputs[name]?.wish.map { (id, $0.policy) } }
    job = .planning(
      Plan(
        search: ModesetSearch(requests), names: Dictionary(names) { first, _ in first }, ladders: ladders,
        policies: Dictionary(policies) { first, _ in first }))
    advance(at: now)
    return true
  }

  /// Returns the modes to try for an output; nil if it is as it should be, or has no usable mode.
  private mutating func ladder(for name: String, at now: UInt64) -> [ModeChoice.Candidate]? {
    guard let output = outputs[name], case .lighting(let attempt) = output.phase else { return nil }
    if let candidates = attempt.candidates {
      guard candidates.isEmpty else { return candidates }
      giveUp(name, .refused, at: now)
      return nil
    }
    do throws(NoUsableMode) {
      return try outputs[name]?.choose().candidates
    } catch {
      darken(name, .noMode, because: "\(error)", at: now)
      return nil
    }
  }

  /// Carries the plan on as far as no result is awaited.
  mutating func advance(at now: UInt64) {
    while case .planning(var plan) = job, plan.call == nil {
      noteRejections(&plan)
      guard let step = plan.search.next else { return finish(plan, at: now) }
      switch step {
      case .test(let assignments):
        guard render(assignments, &plan) else { return job = .planning(plan) }
        let id = nextEffect()
        plan.call = .test(id)
        emit(.test(id, planned(assignments, plan)))
      case .commit(let assignments):
        let id = nextEffect()
        let stuck = stuckCRTCs(assignments, plan)
        if stuck.isEmpty {
          plan.call = .commit(id, submitted: now)
          emit(.commit(id, planned(assignments, plan)))
        } else {
          // The commit of a mode that is set already would wait for the flip that never came. After this it is a full
          // modeset.
          plan.call = .unstick(id)
          emit(.disable(id, stuck))
        }
      }
      job = .planning(plan)
    }
  }

  /// Renders the first frames that are missing. Returns true if there are all.
  private mutating func render(_ assignments: [ModesetSearch.Assignment], _ plan: inout Plan) -> Bool {
    var isComplete = true
    for assignment in assignments {
      guard let name = plan.names[assignment.connector] else { continue }
      if let frame = plan.frames[assignment.connector] {
        if case .rendering = frame {
          isComplete = false
          continue
        }
        if frame.first.candidate == assignment.candidate { continue }
        // A card with little memory needs the buffer of the mode that it refused.
        emit(.free(display: name, surface: frame.first.surface))
      }
      isComplete = false
      let first = Plan.Frame.First(
        surface: nextSurface(), candidate: assignment.candidate, version: outputs[name]?.frames.wanted ?? 0)
      let id = nextEffect()
      plan.frames[assignment.connector] = .rendering(id, first)
      emit(.render(id, display: name, surface: first.surface, first.candidate))
    }
    return isComplete
  }

  private func planned(_ assignments: [ModesetSearch.Assignment], _ plan: Plan) -> [PlannedOutput] {
    assignments.compactMap { assignment in
      guard let name = plan.names[assignment.connector], let frame = plan.frames[assignment.connector] else {
        return nil
      }
      return PlannedOutput(
        connector: assignment.connector, display: name, crtc: assignment.crtc, mode: assignment.candidate.mode,
        surface: frame.first.surface)
    }
  }

  private func stuckCRTCs(_ assignments: [ModesetSearch.Assignment], _ plan: Plan) -> [UInt32] {
    assignments.compactMap { assignment in
      guard let name = plan.names[assignment.connector], case .lighting(let attempt) = outputs[name]?.phase,
        attempt.isStuck
      else { return nil }
      return attempt.before?.crtc
    }.sorted()
  }

  // MARK: Results

  mutating func rendered(_ id: EffectID, _ error: RenderError?, at now: UInt64) {
    if let (name, surface) = abandoned.removeValue(forKey: id) {
      return emit(.free(display: name, surface: surface))
    }
    guard case .planning(var plan) = job else { return }
    let found = plan.frames.first { if case .rendering(id, _) = $0.value { true } else { false } }
    guard let (connector, frame) = found, let name = plan.names[connector] else { return }
    if let error {
      plan.frames[connector] = nil
      emit(.free(display: name, surface: frame.first.surface))
      job = .planning(plan)
      notRendered(connector, name, error, at: now)
    } else {
      plan.frames[connector] = .rendered(frame.first)
      job = .planning(plan)
    }
    advance(at: now)
  }

  private mutating func notRendered(_ connector: UInt32, _ name: String, _ error: RenderError, at now: UInt64) {
    guard case .planning(var plan) = job else { return }
    switch error {
    case .card(let error) where error.reason == .refused:
      plan.search.reject(connector, error)
      job = .planning(plan)
    case .card(let error):
      if error.reason == .gone { return loseCard(error, at: now) }
      drop(connector, error.reason.darkness, because: "\(error)", at: now)
    case .text(let reason): drop(connector, .failed, because: reason, at: now)
    }
  }

  mutating func finished(_ id: EffectID, _ error: CardError?, at now: UInt64) {
    if let name = bufferRequests.removeValue(forKey: id) { return buffered(id, name, error, at: now) }
    switch job {
    case .disabling(id, let crtcs):
      job = .none
      disabled(crtcs, error, at: now)
    case .sleeping(id, let names):
      job = .none
      slept(names, error, at: now)
    case .planning(let plan): finished(id, error, plan, at: now)
    case .none, .probing, .disabling, .sleeping: break
    }
  }

  private mutating func finished(_ id: EffectID, _ error: CardError?, _ plan: Plan, at now: UInt64) {
    var plan = plan
    switch (plan.call, plan.search.next) {
    case (.test(id), .test(let assignments)):
      plan.call = nil
      if let error { return failed(assignments, error, plan, at: now) }
      plan.search.accept()
    case (.unstick(id), .commit(let assignments)):
      plan.call = nil
      if let error, error.reason == .gone { return loseCard(error, at: now) }
      // The CRTCs are set now, whether they could be disabled or not.
      for assignment in assignments { unstick(plan.names[assignment.connector]) }
    case (.commit(id, let submitted), .commit(let assignments)):
      plan.call = nil
      if let error { return failed(assignments, error, plan, at: now) }
      plan.search.accept()
      job = .planning(plan)
      takeCRTCs(assignments)
      for assignment in assignments { light(assignment, number: id.planNumber, submitted: submitted, at: now) }
      return advance(at: now)
    default: return
    }
    job = .planning(plan)
    advance(at: now)
  }

  private mutating func unstick(_ name: String?) {
    guard let name, case .lighting(var attempt) = outputs[name]?.phase else { return }
    attempt.isStuck = false
    update(name) { $0.phase = .lighting(attempt) }
  }

  private mutating func failed(
    _ assignments: [ModesetSearch.Assignment], _ error: CardError, _ plan: Plan, at now: UInt64
  ) {
    var plan = plan
    plan.earlyFlips = [:]
    let isOne = assignments.count == 1
    switch error.reason {
    case .refused: plan.search.refuse(error)
    // One of the outputs causes it.
    case .other where !isOne: plan.search.refuse(error)
    case .gone: return loseCard(error, at: now)
    case .notMaster, .busy, .other:
      // Other outputs would fail for the same reason, except for an error of one output.
      job = .planning(plan)
      let failed = error.reason == .other ? assignments.map(\.connector) : Array(plan.names.keys)
      for connector in failed.sorted() { drop(connector, error.reason.darkness, because: "\(error)", at: now) }
      return advance(at: now)
    }
    job = .planning(plan)
    advance(at: now)
  }

  /// Takes the CRTCs of a commit from outputs that are not in it, because the plan gave them up: nothing of theirs is on
  /// screen anymore.
  private mutating func takeCRTCs(_ assignments: [ModesetSearch.Assignment]) {
    let taken = Set(assignments.map(\.crtc))
    for (name, output) in outputs.sorted(by: { $0.key < $1.key }) {
      guard let crtc = output.crtc, taken.contains(crtc),
        !assignments.contains(where: { $0.connector == output.connector.id })
      else { continue }
      free(output.lit, of: name)
      update(name) { $0.loseCRTC() }
    }
  }

  /// Takes over the first frame of an output that was lit by a commit.
  private mutating func light(
    _ assignment: ModesetSearch.Assignment, number: UInt32, submitted: UInt64, at now: UInt64
  ) {
    guard case .planning(var plan) = job, let name = plan.names[assignment.connector],
      case .rendered(let first)? = plan.frames.removeValue(forKey: assignment.connector),
      let output = outputs[name]
    else { return }
    let early = plan.earlyFlips.removeValue(forKey: assignment.crtc) ?? []
    job = .planning(plan)
    let (id, candidate) = (nextEffect(), first.candidate)
    bufferRequests[id] = name
    let ladder = Array((plan.ladders[assignment.connector] ?? []).drop { $0 != candidate }.dropFirst())
    var lit = Lit(
      crtc: assignment.crtc, candidate: candidate, ladder: ladder, surface: first.surface, secondBuffer: .requested(id))
    // The surface before may be on screen until the first flip. Older ones are not.
    lit.retired = [output.lit?.surface].compactMap(\.self)
    for old in output.lit?.retired ?? [] { emit(.free(display: name, surface: old)) }
    outputs[name]?.attempts.note("\(candidate.mode): set (\(candidate.reason))")
    outputs[name]?.phase = .lit(lit)
    emit(.report(display: name, .mode(candidate)))
    emit(.addBuffer(id, display: name, surface: first.surface, candidate.mode.size))
    handle(.modeset(version: first.version, number: number, submitted: submitted), of: name, at: now)
    for flip in early { handle(.flipped(time: flip.time, modeset: flip.modeset), of: name, at: now) }
  }
}

extension OutputMachine {
  /// Forgets the mode that was set.
  fileprivate mutating func loseCRTC() {
    switch phase {
    case .dark(let darkness, let reason, _): phase = .dark(darkness, reason: reason)
    case .lighting(var attempt):
      attempt.before = nil
      attempt.isStuck = false
      phase = .lighting(attempt)
    case .asleep(_, let reason, _): phase = .asleep(nil, reason: reason, hasSignal: false)
    case .lit: phase = .lighting(LightingAttempt())
    }
  }

  /// Begins a plan for the output. If the policy chooses, the notes about earlier modes are of no interest anymore.
  mutating func beginAttempt() {
    guard case .lighting(var attempt) = phase else { return }
    if attempt.candidates == nil { attempts.begin() }
    attempt.state = .lighting
    phase = .lighting(attempt)
  }
}
