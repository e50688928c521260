import Displays
import SeededRandom
import Testing

@Suite struct FrameMachineTests {
  /// Returns a machine whose mode was set at 1000 and whose first frame was presented at 1016.
  private func lit() -> FrameMachine {
    var machine = FrameMachine()
    _ = machine.handle(.modeset(version: 0, number: 1, submitted: 1000), at: 1010)
    _ = machine.handle(.flipped(time: 1016, modeset: 1), at: 1017)
    return machine
  }

  @Test func `the first frame comes with the modeset and is reported after its flip`() {
    var machine = FrameMachine()
    #expect(machine.handle(.sceneChanged, at: 1) == [])
    #expect(machine.handle(.modeset(version: 1, number: 1, submitted: 1000), at: 1010) == [])
    #expect(machine.deadline == 2_000_001_010)
    #expect(machine.handle(.flipped(time: 1016, modeset: 1), at: 1017) == [.shown(version: 1, time: 1016)])
    #expect(machine.state == .idle)
    #expect(machine.deadline == nil)
    #expect(!machine.isDirty)
  }

  @Test func `a change is painted, presented and shown`() {
    var machine = lit()
    #expect(machine.handle(.sceneChanged, at: 2000) == [.paint(version: 1, generation: 1)])
    #expect(machine.handle(.presented(generation: 1), at: 2006) == [])
    #expect(machine.state == .waitingForFlip(version: 1, since: 2006))
    #expect(machine.handle(.flipped(time: 2016), at: 2017) == [.shown(version: 1, time: 2016)])
  }

  @Test func `the newest scene is painted and the scenes in between are skipped`() {
    var machine = lit()
    _ = machine.handle(.sceneChanged, at: 2000)
    for _ in 0..<5 { #expect(machine.handle(.sceneChanged, at: 2001) == []) }
    _ = machine.handle(.presented(generation: 1), at: 2006)
    #expect(machine.isDirty)
    #expect(
      machine.handle(.flipped(time: 2016), at: 2017) == [
        .shown(version: 1, time: 2016), .paint(version: 6, generation: 1),
      ])
  }

  @Test func `a busy card is retried at the deadline with the newest scene`() {
    var machine = lit()
    _ = machine.handle(.sceneChanged, at: 2000)
    #expect(machine.handle(.busy(generation: 1), at: 2006) == [])
    #expect(machine.deadline == 20_002_006)
    #expect(machine.handle(.deadlinePassed, at: 2007) == [])
    #expect(machine.handle(.deadlinePassed, at: 20_002_006) == [.present(version: 1, generation: 1)])
    _ = machine.handle(.busy(generation: 1), at: 20_002_007)
    _ = machine.handle(.sceneChanged, at: 20_002_008)
    #expect(machine.handle(.flipped(time: 20_002_009), at: 20_002_010) == [.paint(version: 2, generation: 1)])
  }

  @Test func `a missing flip leads to the next fallback mode`() {
    var machine = FrameMachine(patience: .init(flip: 100, busy: 10))
    _ = machine.handle(.modeset(version: 0, number: 1, submitted: 1000), at: 1000)
    #expect(machine.handle(.deadlinePassed, at: 1100) == [.stepDown])
    #expect(machine.state == .dark)
    #expect(machine.handle(.flipped(time: 1200, modeset: 1), at: 1200) == [])
    #expect(machine.handle(.modeset(version: 0, number: 2, submitted: 1300), at: 1300) == [])
    #expect(machine.handle(.flipped(time: 1310, modeset: 1), at: 1310) == [], "the flip of the mode before is late")
    #expect(machine.handle(.flipped(time: 1316, modeset: 2), at: 1316) == [.shown(version: 0, time: 1316)])
  }

  @Test func `a modeset discards the pending flip and the frame that is being painted`() {
    var machine = lit()
    _ = machine.handle(.sceneChanged, at: 1990)
    _ = machine.handle(.presented(generation: 1), at: 1992)
    #expect(machine.handle(.modeset(version: 0, number: 2, submitted: 2001), at: 2002) == [])
    #expect(machine.handle(.presented(generation: 1), at: 2003) == [])
    #expect(machine.handle(.unchanged(generation: 1), at: 2003) == [])
    #expect(machine.handle(.busy(generation: 1), at: 2003) == [])
    #expect(machine.handle(.flipped(time: 1999), at: 2004) == [])
    #expect(
      machine.handle(.flipped(time: 2016, modeset: 2), at: 2017) == [
        .shown(version: 0, time: 2016), .paint(version: 1, generation: 2),
      ])
  }

  @Test func `the flip of an earlier frame that arrives during the commit is not the modeset's`() {
    var machine = lit()
    _ = machine.handle(.sceneChanged, at: 1990)
    _ = machine.handle(.presented(generation: 1), at: 1992)
    _ = machine.handle(.sceneChanged, at: 1995)
    _ = machine.handle(.modeset(version: 2, number: 2, submitted: 2000), at: 2020)
    // The kernel waits for the pending flip before it sets the mode.
    #expect(machine.handle(.flipped(time: 2008), at: 2021) == [])
    #expect(!machine.isPresented)
    #expect(machine.handle(.flipped(time: 2025, modeset: 2), at: 2026) == [.shown(version: 2, time: 2025)])
  }

  @Test func `a modeset's flip with a time before the commit counts, with the time of its event`() {
    var machine = lit()
    _ = machine.handle(.switchedOff, at: 2000)
    _ = machine.handle(.modeset(version: 0, number: 2, submitted: 3000), at: 3010)
    #expect(machine.handle(.flipped(time: 1990, modeset: 2), at: 3011) == [.shown(version: 0, time: 3011)])
  }

  @Test func `a flip that arrives while the output is off is not expected after it is enabled`() {
    var machine = lit()
    _ = machine.handle(.sceneChanged, at: 1990)
    _ = machine.handle(.presented(generation: 1), at: 1992)
    _ = machine.handle(.switchedOff, at: 2000)
    #expect(machine.handle(.flipped(time: 2001), at: 2002) == [])
    _ = machine.handle(.modeset(version: 1, number: 2, submitted: 3000), at: 3010)
    #expect(machine.handle(.flipped(time: 3016, modeset: 2), at: 3017) == [.shown(version: 1, time: 3016)])
  }

  @Test func `a frame equal to the presented one counts as presented at once`() {
    var machine = lit()
    _ = machine.handle(.sceneChanged, at: 2000)
    _ = machine.handle(.sceneChanged, at: 2001)
    let actions = machine.handle(.unchanged(generation: 1), at: 2005)
    #expect(actions == [.shown(version: 1, time: 2005), .paint(version: 2, generation: 1)])
    #expect(machine.flipTime == 1016, "the frame had no flip of its own")
  }

  @Test func `a flip requested while the output was being disabled is not mistaken for a modeset's flip`() {
    var machine = lit()
    _ = machine.handle(.sceneChanged, at: 1990)
    _ = machine.handle(.switchedOff, at: 1995)
    #expect(machine.handle(.presented(generation: 1), at: 2000) == [])
    #expect(machine.state == .dark)
    _ = machine.handle(.modeset(version: 1, number: 2, submitted: 3000), at: 3010)
    #expect(machine.handle(.flipped(time: 2001), at: 3011) == [])
    #expect(machine.handle(.flipped(time: 3016, modeset: 2), at: 3017) == [.shown(version: 1, time: 3016)])
  }

  @Test func `a painter that never returns from the card counts as a missing flip`() {
    var machine = FrameMachine(patience: .init(flip: 100, busy: 10))
    _ = machine.handle(.modeset(version: 0, number: 1, submitted: 1000), at: 1000)
    _ = machine.handle(.flipped(time: 1016, modeset: 1), at: 1016)
    _ = machine.handle(.sceneChanged, at: 2000)
    #expect(machine.deadline == 3000)
    #expect(machine.handle(.deadlinePassed, at: 2999) == [])
    #expect(machine.handle(.deadlinePassed, at: 3000) == [.setAgain])
    #expect(machine.isOverdue && machine.state == .dark)
  }

  @Test func `a disabled output stays disabled until a mode is set`() {
    var machine = lit()
    _ = machine.handle(.sceneChanged, at: 2000)
    #expect(machine.handle(.failed, at: 2002) == [])
    #expect(machine.state == .dark)
    #expect(machine.handle(.sceneChanged, at: 2003) == [])
    #expect(machine.handle(.flipped(time: 2004), at: 2004) == [])
    #expect(machine.isDirty)
  }

  @Test func `a flip without a timestamp gets the time of its event`() {
    var machine = FrameMachine()
    _ = machine.handle(.modeset(version: 0, number: 1, submitted: 1000), at: 1010)
    #expect(machine.handle(.flipped(time: 0, modeset: 1), at: 1017) == [.shown(version: 0, time: 1017)])
  }

  @Test func `after an animation step is presented, the flip of the next one is pending`() {
    var machine = lit()
    _ = machine.handle(.sceneChanged, at: 2000)
    _ = machine.handle(.presented(generation: 1), at: 2006)
    for frame in 1...3 as ClosedRange<UInt64> {
      #expect(
        machine.handle(.stepped(time: 2000 + frame * 16, generation: 1), at: 2001 + frame * 16) == [
          .shown(version: 1, time: 2000 + frame * 16)
        ])
      #expect(machine.state == .waitingForFlip(version: 1, since: 2001 + frame * 16) && !machine.isDirty)
    }
    #expect(machine.handle(.flipped(time: 2064), at: 2065) == [.shown(version: 1, time: 2064)])
    #expect(machine.state == .idle)
  }

  @Test func `a scene set during an animation is painted at the next flip that belongs to the director`() {
    var machine = lit()
    _ = machine.handle(.sceneChanged, at: 2000)
    _ = machine.handle(.presented(generation: 1), at: 2006)
    #expect(machine.handle(.sceneChanged, at: 2010) == [])
    #expect(machine.handle(.stepped(time: 2016, generation: 1), at: 2017) == [.shown(version: 1, time: 2016)])
    #expect(machine.isDirty)
    #expect(
      machine.handle(.flipped(time: 2032), at: 2033) == [
        .shown(version: 1, time: 2032), .paint(version: 2, generation: 1),
      ])
  }

  @Test func `a scene that an animation frame contains is shown at the flip of that frame`() {
    var machine = lit()
    _ = machine.handle(.sceneChanged, at: 2000)
    _ = machine.handle(.presented(generation: 1), at: 2006)
    _ = machine.handle(.sceneChanged, at: 2010)
    _ = machine.handle(.sceneChanged, at: 2011)
    let stepped = machine.handle(.stepped(time: 2016, generation: 1, version: 2), at: 2017)
    #expect(stepped == [.shown(version: 1, time: 2016)] && machine.isDirty)
    #expect(
      machine.handle(.stepped(time: 2032, generation: 1, version: 3), at: 2033) == [.shown(version: 2, time: 2032)])
    #expect(!machine.isDirty && machine.shown == 2)
    #expect(machine.handle(.flipped(time: 2048), at: 2049) == [.shown(version: 3, time: 2048)])
  }

  @Test func `a step of another generation, or without a pending flip, is ignored`() {
    var machine = lit()
    #expect(!machine.isStepping(1) && machine.handle(.stepped(time: 1032, generation: 1), at: 1033) == [])
    _ = machine.handle(.modeset(version: 0, number: 2, submitted: 2000), at: 2001)
    #expect(machine.isStepping(2) && !machine.isStepping(1))
    #expect(machine.handle(.stepped(time: 1999, generation: 1), at: 2002) == [])
    #expect(machine.state == .waitingForFlip(version: 0, since: 2001))
  }

  @Test(arguments: 0..<300)
  func `after any sequence of events the newest scene is presented, with at most one pending flip`(_ seed: UInt64) {
    var world = World(seed: seed)
    for _ in 0..<200 { world.step() }
    world.settle()
    #expect(world.machine.shown == world.machine.wanted, "seed \(seed)")
    #expect(world.machine.state == .idle, "seed \(seed)")
    #expect(world.problems.isEmpty, "seed \(seed)")
  }
}

/// A machine with a painter and a card that fail at random.
private struct World {
  var machine = FrameMachine(patience: .init(flip: 1000, busy: 50))
  var problems: [String] = []
  private var random: SeededGenerator
  private var now: UInt64 = 1
  /// The generations of the frames that are being painted.
  private var paints: [Int] = []
  private var flips: [(time: UInt64, modeset: UInt32)] = []
  private var modesets: UInt32 = 0
  private var lastShown = -1

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func step() {
    now += UInt64.random(in: 1...40, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2: feed(.sceneChanged)
    case 3, 4: paint(mayFail: true)
    case 5 where Bool.random(using: &random): goOn()
    case 5: flip()
    case 6: feed(.deadlinePassed)
    case 7 where machine.state == .dark || Int.random(in: 0..<5, using: &random) == 0: modeset()
    case 8 where Int.random(in: 0..<8, using: &random) == 0: lose()
    default: break
    }
  }

  /// Completes all pending work without further faults.
  mutating func settle() {
    for _ in 0..<50 {
      now += 60
      if machine.state == .dark { modeset() }
      paint(mayFail: false)
      flip()
      feed(.deadlinePassed)
    }
  }

  private mutating func feed(_ event: FrameMachine.Event) {
    for action in machine.handle(event, at: now) {
      switch action {
      case .paint(_, let generation), .present(_, let generation):
        if !flips.isEmpty { problems.append("painted while a flip is pending") }
        paints.append(generation)
      case .shown(let version, _):
        if version < lastShown { problems.append("went back from \(lastShown) to \(version)") }
        lastShown = version
      case .stepDown, .setAgain: flips = []
      }
    }
  }

  /// Ends the painting of a frame with a random result.
  ///
  /// Occasionally, an obsolete frame reaches the card, as when it becomes obsolete between the painter's check and its
  /// call.
  private mutating func paint(mayFail: Bool) {
    guard !paints.isEmpty else { return }
    let generation = paints.removeFirst()
    if generation != machine.generation {
      guard mayFail, Int.random(in: 0..<5, using: &random) == 0 else { return }
      flips.append((now, 0))
      return feed(.presented(generation: generation))
    }
    switch mayFail ? Int.random(in: 0..<7, using: &random) : 0 {
    case 4: feed(.unchanged(generation: generation))
    case 5: feed(.busy(generation: generation))
    case 6: feed(.failed)
    default:
      flips.append((now, 0))
      feed(.presented(generation: generation))
    }
  }

  private mutating func flip() {
    guard !flips.isEmpty else { return }
    feed(.flipped(time: now, modeset: flips.removeFirst().modeset))
  }

  /// Presents the next animation frame at a flip, even if the scene has just changed.
  private mutating func goOn() {
    guard flips.first?.modeset == 0, machine.isStepping(machine.generation) else { return flip() }
    let version = Bool.random(using: &random) ? machine.wanted : nil
    feed(.stepped(time: now, generation: machine.generation, version: version))
  }

  /// Sets a mode; a pending flip is lost, or arrives during the commit or before it.
  ///
  /// The first frame is painted after all earlier frames.
  private mutating func modeset() {
    let stale = flips.first
    paints = []
    now += 5
    modesets += 1
    flips = [(now, modesets)]
    let version = Int.random(in: max(0, machine.wanted - 1)...machine.wanted, using: &random)
    feed(.modeset(version: version, number: modesets, submitted: now))
    lastShown = -1
    if let stale, Bool.random(using: &random) {
      feed(.flipped(time: Bool.random(using: &random) ? now : stale.time, modeset: stale.modeset))
      if machine.isPresented { problems.append("a flip of an earlier frame counts as the modeset's") }
    }
  }

  private mutating func lose() {
    flips = []
    feed(.switchedOff)
  }
}
