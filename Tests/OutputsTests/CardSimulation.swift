import Displays
import Geometry
import SeededRandom

@testable import Outputs

/// A card's life under one seed: monitors, faults, wishes and time, with rules that hold after each step.
struct CardSimulation {
  /// A broken rule.
  struct Failure: Error, CustomStringConvertible {
    var seed: UInt64
    var rule: String
    var history: [String]
    var description: String {
      let lines = history.suffix(60).map { line in
        ["Outputs.", "Displays.", "CardMachine.", "PlannedOutput", "Effect."].reduce(line) {
          $0.replacing($1, with: "")
        }
      }
      return (lines.map { String($0.prefix(300)) } + ["seed \(seed): \(rule)"]).joined(separator: "\n")
    }
  }

  /// Something that happens later.
  private enum Pending {
    case event(CardMachine.Event)
    case present(display: String, generation: Int, content: Int, isRepeated: Bool)
    case flip(Flip, surface: Int)
    case wish([String])
  }

  let seed: UInt64
  var random: SeededGenerator
  private(set) var now: UInt64 = 1_000_000_000
  var machine = CardMachine(path: "card")
  var card = SimulatedCard()
  private var coming: [(due: UInt64, number: Int, what: Pending)] = []
  private var number = 0
  var wishes: [String: OutputWish] = [:]
  /// The contents by version, for each display.
  private var versions: [String: [Int: Int]] = [:]
  /// The surfaces that exist, with the content that was rendered last.
  private var surfaces: [Int: Int] = [:]
  var contents = 0
  private var allowedProbes = 100.0
  private var lastProbe: UInt64 = 0
  private(set) var history: [String] = []
  private(set) var events = 0
  /// True while the simulation keeps its history, which costs time.
  private let keepsHistory: Bool
  let mistake: Mistake?

  /// A mistake that is planted to see that the rules find it.
  enum Mistake: CaseIterable {
    /// A frame is presented although it is not wanted anymore.
    case presentsStaleFrames
    /// A flip is reported when the card accepts the frame.
    case reportsFlipsEarly
    /// A CRTC without an output stays enabled.
    case forgetsOrphans
    /// A surface is not freed.
    case leaksSurfaces
    /// A commit uses the first CRTC whatever the plan says.
    case mixesUpCRTCs
    /// A monitor that sleeps has a signal.
    case forgetsToSleep
    /// The flip of an earlier frame is reported as the modeset's.
    case mixesUpFlips
    /// A message does not reach the machine.
    case losesWishes
  }

  init(seed: UInt64, keepsHistory: Bool = false, mistake: Mistake? = nil) {
    self.seed = seed
    self.mistake = mistake
    self.keepsHistory = keepsHistory
    random = SeededGenerator(seed: seed)
  }

  // MARK: Running

  /// Runs a life of steps with faults, and then waits until all is calm.
  mutating func run(steps: Int) throws {
    try send(.hint(connector: nil))
    for _ in 0..<steps {
      if coming.isEmpty || Int.random(in: 0..<4, using: &random) == 0 { try act() } else { try next() }
    }
    try calm()
  }

  func fail(_ rule: String) -> Failure { Failure(seed: seed, rule: rule, history: history) }

  mutating func note(_ words: @autoclosure () -> String) {
    if keepsHistory { history.append("\(now / 1_000_000) ms: \(words())") }
  }

  mutating func send(_ event: CardMachine.Event) throws {
    events += 1
    switch event {
    case .hint, .masterChanged: allowedProbes += 2
    default: break
    }
    note("-> \(event)")
    for effect in machine.handle(event, at: now) {
      note("   \(effect)")
      try carryOut(effect)
    }
    for (name, output) in machine.outputs { versions[name, default: [:]][output.frames.wanted] = output.wish?.content }
    try check()
  }

  private mutating func later(_ what: Pending, within milliseconds: UInt64 = 20) {
    number += 1
    // Now and then a call takes so long that its result is of no interest anymore.
    let isSlow = milliseconds > 0 && Int.random(in: 0..<10, using: &random) == 0
    let due = now + UInt64.random(in: 0...(isSlow ? 500 : milliseconds), using: &random) * 1_000_000
    let place = coming.firstIndex { $0.due > due } ?? coming.endIndex
    coming.insert((due, number, what), at: place)
  }

  /// Lets the next thing happen: something that is coming, or the machine's own time.
  private mutating func next() throws {
    let due = coming.first?.due
    if let own = machine.due, due.map({ own < $0 }) ?? true {
      now = max(now, own)
      return try send(.timePassed())
    }
    guard !coming.isEmpty else { return }
    let first = coming.removeFirst()
    now = max(now, first.due)
    switch first.what {
    case .event(let event): try send(event)
    case .present(let display, let generation, let content, let isRepeated):
      try present(display, generation, content, isRepeated: isRepeated)
    case .flip(let flip, let surface): try complete(flip, surface)
    case .wish(let names): try send(.wished(wishes.filter { names.contains($0.key) }))
    }
  }

  // MARK: The card

  private mutating func carryOut(_ effect: CardMachine.Effect) throws {
    switch effect {
    case .probe(let id, _):
      // Each hint and each change of what is lit allows a probe, and so does each 20 ms.
      allowedProbes = min(allowedProbes + Double(now - lastProbe) / 20_000_000, 100) - 1
      lastProbe = now
      if allowedProbes < 0 { throw fail("it probes without an end") }
      later(.event(.probed(id, card.snapshot())))
    case .arrived(let connectors):
      for connector in connectors {
        contents += 1
        wishes[connector.name] = OutputWish(policy: .native, content: contents)
      }
      later(.wish(connectors.map(\.name)), within: 0)
    case .render(let id, let display, let surface, _):
      guard surfaces[surface] == nil else { throw fail("surface \(surface) is used twice") }
      surfaces[surface] = wishes[display]?.content ?? -1
      later(.event(.rendered(id, card.failure(.allocate).map { .card($0) })))
    case .test(let id, let plan):
      try check(plan)
      later(.event(.finished(id, card.refusal(of: plan, .test))))
    case .commit(let id, let plan): try commit(id, plan)
    case .disable(let id, let crtcs):
      let error = card.failure(.disable)
      if error == nil, mistake != .forgetsOrphans {
        for crtc in crtcs { card.driven[crtc] = nil }
        card.foreign.subtract(crtcs)
      }
      later(.event(.finished(id, error)))
    case .sleep(let id, let outputs):
      let error = card.failure(.sleep)
      if error == nil, mistake != .forgetsToSleep {
        for output in outputs { card.driven[output.crtc]?.isActive = false }
      }
      later(.event(.finished(id, error)))
    case .addBuffer(let id, _, _, _): later(.event(.finished(id, card.failure(.buffer))))
    case .paint(let display, let generation):
      let content = wishes[display]?.content ?? -1
      later(
        .present(display: display, generation: generation, content: content, isRepeated: false),
        within: Bool.random(using: &random) ? 20 : 300)
    case .present(let display, let generation):
      let surface = machine.outputs[display]?.lit?.surface
      let content = surface.flatMap { surfaces[$0] } ?? -1
      later(.present(display: display, generation: generation, content: content, isRepeated: true))
    case .free(_, let surface):
      if mistake == .leaksSurfaces { return }
      guard surfaces.removeValue(forKey: surface) != nil else { throw fail("surface \(surface) is freed twice") }
    case .report(let display, let report): try check(report, of: display)
    }
  }

  private func check(_ plan: [CardMachine.PlannedOutput]) throws {
    guard Set(plan.map(\.crtc)).count == plan.count else { throw fail("two outputs of a plan have one CRTC") }
    for output in plan where surfaces[output.surface] == nil {
      throw fail("\(output.display) has no frame in its plan")
    }
  }

  private mutating func commit(_ id: EffectID, _ wanted: [CardMachine.PlannedOutput]) throws {
    var plan = wanted
    if mistake == .mixesUpCRTCs { plan[0].crtc = SimulatedCard.crtcs[0] }
    try check(plan)
    for output in plan {
      // An output of the same plan may have lost its CRTC to another one.
      let other = machine.outputs.values.first { $0.crtc == output.crtc && $0.name != output.display }
      if let other, other.isLit { throw fail("\(output.display) takes the CRTC of \(other.name)") }
    }
    let error = card.refusal(of: plan, .commit)
    if error == nil {
      completeFlips(of: plan.map(\.crtc), before: id)
      card.light(plan, contents: surfaces)
      for output in plan { flipLater(output.crtc, output.surface, modeset: id.planNumber) }
    }
    later(.event(.finished(id, error)))
  }

  /// Reports the pending flips of CRTCs, for which the kernel waits before it sets a mode.
  private mutating func completeFlips(of crtcs: [UInt32], before id: EffectID) {
    for place in coming.indices {
      guard case .flip(var flip, _) = coming[place].what, crtcs.contains(flip.crtc) else { continue }
      flip.time = now
      if mistake == .mixesUpFlips { flip.modeset = id.planNumber }
      coming[place].what = .event(.flipped(flip))
      card.occurred["flip during a commit", default: 0] += 1
    }
  }

  private mutating func flipLater(_ crtc: UInt32, _ surface: Int, modeset: UInt32 = 0) {
    if card.lostFlips > 0 {
      card.lostFlips -= 1
      card.occurred["lost flip", default: 0] += 1
      card.driven[crtc]?.isFlipPending = false
      return
    }
    later(.flip(Flip(crtc: crtc, sequence: 1, time: 0, modeset: modeset), surface: surface))
  }

  private mutating func present(_ display: String, _ generation: Int, _ content: Int, isRepeated: Bool) throws {
    guard let output = machine.outputs[display], case .lit(let lit) = output.phase else { return }
    let isStale = output.frames.generation != generation
    guard !isStale || mistake == .presentsStaleFrames else { return }
    if !isRepeated, content == card.driven[lit.crtc]?.content, Bool.random(using: &random) {
      return try send(.presented(display: display, generation: generation, .unchanged))
    }
    surfaces[lit.surface] = content
    var error = card.failure(.present)
    if error == nil, card.driven[lit.crtc]?.surface != lit.surface || card.driven[lit.crtc]?.isActive == false {
      error = CardError(reason: .refused, operation: "present", object: display, message: "not enabled")
    }
    if error == nil, card.driven[lit.crtc]?.isFlipPending ?? false { throw fail("\(display) presents during a flip") }
    guard error == nil else {
      return try send(.presented(display: display, generation: generation, error.map { .rejected($0) } ?? .accepted))
    }
    if let before = card.driven[lit.crtc]?.content, content < before {
      throw fail("\(display) shows content \(content) after \(before)")
    }
    card.driven[lit.crtc]?.content = content
    card.driven[lit.crtc]?.isFlipPending = true
    try send(.presented(display: display, generation: generation, .accepted))
    if mistake == .reportsFlipsEarly { try send(.flipped(Flip(crtc: lit.crtc, sequence: 1, time: now))) }
    flipLater(lit.crtc, lit.surface)
  }

  private mutating func complete(_ flip: Flip, _ surface: Int) throws {
    var flip = flip
    flip.time = now
    guard let driven = card.driven[flip.crtc], driven.surface == surface, driven.isActive else { return }
    card.driven[flip.crtc]?.isFlipPending = false
    card.driven[flip.crtc]?.onScreen = driven.content
    try send(.flipped(flip))
  }

  // MARK: Rules

  private mutating func check(_ report: CardMachine.Report, of display: String) throws {
    if report == .disconnected { versions[display] = nil }
    guard case .shown(let version, _, _) = report else { return }
    let screen = card.driven.values.first { $0.display == display }?.onScreen
    guard let screen else { throw fail("\(display): shown without a flip") }
    if let content = versions[display]?[version], screen < content {
      throw fail(
        "\(display): version \(version) is reported, which shows content \(content), but \(screen) is on screen")
    }
  }

  private func check() throws {
    let used = machine.surfaces
    guard Set(used).count == used.count else { throw fail("a surface has two owners: \(used.sorted())") }
    guard Set(used) == Set(surfaces.keys) else {
      throw fail("surfaces \(surfaces.keys.sorted()) exist, and \(used.sorted()) are used")
    }
    let crtcs = machine.outputs.values.compactMap(\.crtc)
    guard Set(crtcs).count == crtcs.count else { throw fail("two outputs have one CRTC") }
    for (name, output) in machine.outputs where output.state == .lit {
      let screen = output.crtc.flatMap { card.driven[$0]?.onScreen }
      guard screen != nil else { throw fail("\(name) is lit without a flip") }
    }
  }

  /// Ends all faults, and lets everything happen that is still to come. Then each display must be as it should be.
  private mutating func calm() throws {
    note("calm")
    card.refusals = []
    card.pixelLimit = .max
    card.failures = [:]
    card.lostFlips = 0
    guard !card.isGone else { return try expectEnd() }
    card.isMaster = true
    for monitor in card.monitors.keys { card.monitors[monitor]?.hasEDID = true }
    try send(.masterChanged)
    for _ in 0..<2000 {
      if coming.isEmpty, machine.due == nil { break }
      try next()
    }
    if !coming.isEmpty || machine.due != nil { throw fail("it is never idle") }
    for (name, output) in machine.outputs { try expectCalm(name, output) }
    let connected = Set(card.monitors.keys)
    guard Set(machine.outputs.keys) == connected else {
      throw fail("\(connected.sorted()) are connected, and \(machine.outputs.keys.sorted()) are known")
    }
    let crtcs = Set(machine.outputs.values.compactMap(\.crtc))
    guard Set(card.driven.keys) == crtcs, card.foreign.isEmpty else {
      throw fail(
        "CRTCs \(card.driven.keys.sorted()) and \(card.foreign.sorted()) are on, and \(crtcs.sorted()) are used")
    }
  }

  private func expectCalm(_ name: String, _ output: OutputMachine) throws {
    let driven = card.driven.first { $0.value.display == name }
    if wishes[name]?.sleepReason != nil {
      guard output.state.darkness == .asleep, !(driven?.value.isActive ?? false) else {
        throw fail("\(name) is to sleep, and is \(output.state)")
      }
      return
    }
    if case .dark(.noCRTC, _) = output.state {
      let awake = machine.outputs.values.count { $0.crtc != nil }
      guard awake >= 2 else { throw fail("\(name) has no CRTC, and \(awake) displays have one") }
      return
    }
    guard output.state == .lit, let driven else { throw fail("\(name) is \(output.state)") }
    guard driven.value.onScreen == wishes[name]?.content else {
      throw fail("\(name) shows \(driven.value.onScreen ?? -1) instead of \(wishes[name]?.content ?? -1)")
    }
    guard driven.key == output.crtc else { throw fail("\(name) is on another CRTC than known") }
  }

  private mutating func expectEnd() throws {
    for _ in 0..<2000 {
      guard !coming.isEmpty || machine.due != nil else { break }
      try next()
    }
    if machine.endReason == nil { try send(.ended(reason: "the device is gone")) }
    for _ in 0..<2000 where !coming.isEmpty { try next() }
    guard surfaces.isEmpty else { throw fail("surfaces \(surfaces.keys.sorted()) are left") }
    guard machine.due == nil, machine.outputs.isEmpty else { throw fail("a card that is gone has outputs or a time") }
  }
}

extension OutputMachine {
  fileprivate var isLit: Bool { if case .lit = phase { true } else { false } }
}

extension CardMachine {
  /// The surfaces that the machine has not freed.
  fileprivate var surfaces: [Int] {
    var list = outputs.values.flatMap { output in (output.lit?.retired ?? []) + [output.lit?.surface].compactMap(\.self)
    }
    if case .planning(let plan) = job { list += plan.frames.values.map(\.first.surface) }
    return list + abandoned.values.map(\.surface)
  }
}
