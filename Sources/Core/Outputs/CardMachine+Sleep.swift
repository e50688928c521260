import Displays

/// Wishes, sleep, and CRTCs that are switched off.
extension CardMachine {
  /// Takes in the state that an output should be in.
  mutating func follow(_ wish: OutputWish, _ name: String, at now: UInt64) {
    guard let old = outputs[name]?.wish else {
      guard outputs[name] != nil else { return }
      update(name) { $0.wish = wish }
      mustProceed = true
      return followSleep(name, at: now)
    }
    update(name) { $0.wish = wish }
    if wish.sleepReason != old.sleepReason { followSleep(name, at: now) }
    if wish.policy != old.policy { followPolicy(name, at: now) }
    if wish.content != old.content { handle(.sceneChanged, of: name, at: now) }
  }

  /// Takes in the state that an output should be in, with the modes to try first.
  mutating func follow(
    _ wish: OutputWish, _ name: String, with candidates: [ModeChoice.Candidate], at now: UInt64
  ) {
    guard let output = outputs[name], output.wish != nil, !isInPlan(output) else { return follow(wish, name, at: now) }
    update(name) { output in
      output.wish = wish
      output.attempts.begin()
      _ = try? output.choose()
    }
    followSleep(name, at: now)
    handle(.sceneChanged, of: name, at: now)
    attempt(name, at: now) { $0.candidates = candidates }
  }

  mutating func followPolicy(_ name: String, at now: UInt64) {
    switch outputs[name]?.phase {
    case .lit(let lit):
      if (try? outputs[name]?.choose())?.mode != lit.candidate.mode { attempt(name, at: now) { _ in } }
    case .dark(let darkness, _, _) where darkness != .noMaster: attempt(name, at: now) { _ in }
    case .lighting, .asleep, .dark, nil: break
    }
  }

  mutating func followSleep(_ name: String, at now: UInt64) {
    guard let output = outputs[name], let wish = output.wish, !isInPlan(output) else { return }
    mustProceed = true
    switch (wish.sleepReason, output.phase) {
    case (let reason?, .asleep(let lit, let old, let hasSignal)):
      if reason != old { update(name) { $0.phase = .asleep(lit, reason: reason, hasSignal: hasSignal) } }
    case (let reason?, _):
      update(name) { output in
        let lit = output.lit
        output.phase = .asleep(lit, reason: reason, hasSignal: lit != nil)
        _ = output.frames.handle(.switchedOff, at: now)
      }
    case (nil, .asleep(let lit, _, _)):
      update(name) { $0.phase = .lighting(LightingAttempt(before: lit)) }
    case (nil, _): break
    }
  }

  mutating func beginSleeping(at now: UInt64) -> Bool {
    guard outputs.values.contains(where: \.hasUnwantedSignal) else { return false }
    let sleeping = outputs.values.compactMap { output -> SleepingOutput? in
      guard case .asleep(let lit?, _, true) = output.phase, !keptOn.contains(lit.crtc) else { return nil }
      return SleepingOutput(connector: output.connector.id, name: output.name, crtc: lit.crtc)
    }
    guard !sleeping.isEmpty else { return false }
    let id = nextEffect()
    // If the card refused to end all signals together, they are ended one by one.
    let ordered = sleeping.sorted { $0.name < $1.name }
    let now = isSleepingAlone ? [ordered[0]] : ordered
    job = .sleeping(id, now.map(\.name))
    emit(.sleep(id, now))
    return true
  }

  mutating func slept(_ names: [String], _ error: CardError?, at now: UInt64) {
    guard let error else {
      for name in names {
        update(name) { output in
          guard case .asleep(let lit, let reason, _) = output.phase else { return }
          output.phase = .asleep(lit, reason: reason, hasSignal: false)
        }
      }
      isSleepingAlone = isSleepingAlone && outputs.values.contains(where: \.hasUnwantedSignal)
      return
    }
    if error.reason == .gone { return loseCard(error, at: now) }
    guard names.count == 1 else { return isSleepingAlone = true }
    for name in names {
      if let crtc = outputs[name]?.crtc { keptOn.insert(crtc) }
      emit(.report(display: name, .sleepless(reason: "\(error)")))
    }
  }

  mutating func beginDisabling() -> Bool {
    guard !orphans.isEmpty else { return false }
    orphans.subtract(outputs.values.compactMap(\.crtc))
    let crtcs = orphans.subtracting(keptOn)
    guard !crtcs.isEmpty else { return false }
    let id = nextEffect()
    job = .disabling(id, crtcs)
    emit(.disable(id, crtcs.sorted()))
    return true
  }

  mutating func disabled(_ crtcs: Set<UInt32>, _ error: CardError?, at now: UInt64) {
    guard let error else { return orphans.subtract(crtcs) }
    if error.reason == .gone { return loseCard(error, at: now) }
    keptOn.formUnion(crtcs)
  }
}

extension OutputMachine {
  /// True if the output sleeps, and its monitor still receives a signal.
  var hasUnwantedSignal: Bool { if case .asleep(_, _, true) = phase { true } else { false } }
}
