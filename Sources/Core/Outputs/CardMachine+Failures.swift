import Displays

/// Plans that fail, and their ends.
extension CardMachine {
  /// Drops an output that no mode can light for now.
  mutating func drop(_ connector: UInt32, _ darkness: Darkness, because reason: String, at now: UInt64) {
    guard case .planning(var plan) = job, plan.search.isOpen(connector), let name = plan.names[connector] else {
      return
    }
    let mode = plan.frames[connector]?.first.candidate.mode ?? plan.ladders[connector]?.first?.mode
    plan.search.drop(connector)
    discardFrame(of: connector, &plan)
    job = .planning(plan)
    if let mode { note(mode, reason, name) }
    giveUp(name, darkness, at: now)
  }

  mutating func discardFrame(of connector: UInt32, _ plan: inout Plan) {
    guard let frame = plan.frames.removeValue(forKey: connector), let name = plan.names[connector] else { return }
    switch frame {
    case .rendering(let id, let first): abandoned[id] = (name, first.surface)
    case .rendered(let first): emit(.free(display: name, surface: first.surface))
    }
  }

  mutating func noteRejections(_ plan: inout Plan) {
    for rejection in plan.search.rejections {
      if let name = plan.names[rejection.connector] { note(rejection.candidate.mode, "\(rejection.error)", name) }
    }
    plan.search.rejections = []
  }

  mutating func note(_ mode: Mode, _ reason: String, _ name: String) {
    outputs[name]?.attempts.note("\(mode): \(reason)")
    emit(.report(display: name, .refused(mode, reason: reason)))
  }

  mutating func giveUp(_ name: String, _ darkness: Darkness, at now: UInt64) {
    // What was lit until now is worth as many probes as a new monitor.
    if outputs[name]?.hasBeenLit ?? false { renewRetryBudget() }
    outputs[name]?.hasBeenLit = false
    let last = outputs[name]?.attempts.sentences.last
    let reason = last.map { "no mode could be set; last: \($0)" } ?? "no mode is left"
    darken(name, darkness, because: reason, at: now)
  }

  mutating func finish(_ plan: Plan, at now: UInt64) {
    var plan = plan
    job = .none
    for connector in plan.search.failed {
      discardFrame(of: connector, &plan)
      if let name = plan.names[connector] { giveUp(name, .refused, at: now) }
    }
    for connector in plan.frames.keys.sorted() { discardFrame(of: connector, &plan) }
    // What was wished meanwhile.
    for (connector, name) in plan.names.sorted(by: { $0.value < $1.value }) {
      followSleep(name, at: now)
      if outputs[name]?.wish?.policy != plan.policies[connector] { followPolicy(name, at: now) }
    }
  }

  /// Frees the frames of a plan whose card is gone.
  mutating func abandonPlan() {
    guard case .planning(var plan) = job else { return }
    for connector in plan.frames.keys.sorted() { discardFrame(of: connector, &plan) }
    job = .none
  }
}

extension CardError.Reason {
  /// The reason that a display is dark after such an error.
  var darkness: Darkness {
    switch self {
    case .refused: .refused
    case .notMaster: .noMaster
    case .busy: .busy
    case .gone, .other: .failed
    }
  }
}
