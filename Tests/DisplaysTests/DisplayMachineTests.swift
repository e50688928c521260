import SeededRandom
import Testing

@testable import Displays

@Suite struct DisplayMachineTests {
  /// Returns a machine in the state `lit`.
  private func lit() -> DisplayMachine {
    var machine = DisplayMachine(patience: .init(flip: 1000, busy: 10))
    _ = machine.handle(.modeset(version: 0, submitted: 1000), at: 1010)
    _ = machine.handle(.flipped(time: 1016), at: 1017)
    return machine
  }

  @Test func `a display is not lit before the first flip of its mode`() {
    var machine = DisplayMachine()
    #expect(machine.state == .lighting)
    _ = machine.handle(.modeset(version: 0, submitted: 500), at: 510)
    _ = machine.handle(.modeset(version: 0, submitted: 1000), at: 1010)
    #expect(machine.state == .lighting)
    _ = machine.handle(.flipped(time: 999), at: 1011)
    #expect(machine.state == .lighting, "an earlier flip does not belong to this mode")
    _ = machine.handle(.flipped(time: 1016), at: 1017)
    #expect(machine.state == .lit)
    _ = machine.handle(.modeset(version: 0, submitted: 2000), at: 2010)
    #expect(machine.state == .lighting, "each mode needs its own flip")
  }

  @Test func `missing flips are a stall, and the same mode is set again before the next one`() {
    var machine = lit()
    _ = machine.handle(.sceneChanged, at: 2000)
    _ = machine.handle(.presented(generation: 1), at: 2002)
    #expect(machine.state == .lit)
    #expect(machine.handle(.deadlinePassed, at: 3002) == [.setAgain])
    #expect(machine.state.word == "stalled" && machine.state.reason?.contains("no flip came in time") == true)
    machine.light(at: 3003)
    #expect(machine.state == .lighting)
    _ = machine.handle(.modeset(version: 1, submitted: 3004), at: 3005)
    #expect(machine.handle(.deadlinePassed, at: 4005) == [.stepDown])
    #expect(machine.state.word == "stalled")
  }

  @Test func `a card that is busy for the flip timeout has stalled`() {
    var machine = lit()
    _ = machine.handle(.sceneChanged, at: 2000)
    var actions: [FrameMachine.Action] = []
    var time: UInt64 = 2000
    while actions != [.setAgain], time < 9000 {
      #expect(machine.state == .lit)
      _ = machine.handle(.busy(generation: 1), at: time)
      time += 10
      actions = machine.handle(.deadlinePassed, at: time)
    }
    #expect(time == 3000)
    #expect(machine.state.word == "stalled")
  }

  @Test func `a dark display ignores flips, and a lost one stays lost`() {
    for darkness in Darkness.allCases {
      var machine = lit()
      machine.darken(darkness, because: "why", at: 2000)
      #expect(machine.state == .dark(darkness, reason: "why"))
      _ = machine.handle(.modeset(version: 0, submitted: 2001), at: 2002)
      _ = machine.handle(.flipped(time: 2003), at: 2003)
      #expect(machine.state == .dark(darkness, reason: "why") && machine.frames.state == .dark)
      machine.light(at: 2004)
      #expect(machine.state == .lighting)
    }
    var machine = lit()
    machine.lose(because: "gone", at: 2000)
    machine.light(at: 2001)
    machine.darken(.refused, because: "no", at: 2002)
    _ = machine.handle(.flipped(time: 2003), at: 2003)
    #expect(machine.state == .lost(reason: "gone"))
  }

  @Test(arguments: 0..<200) func `any sequence of events leads to the state of the model`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var machine = DisplayMachine(patience: .init(flip: 200, busy: 20))
    var model = Model()
    var now: UInt64 = 1
    for step in 0..<300 {
      now += UInt64.random(in: 1...60, using: &random)
      let submitted = model.submitted
      switch Int.random(in: 0..<14, using: &random) {
      case 0:
        machine.light(at: now)
        model.light()
      case 1:
        let darkness = Darkness.allCases.randomElement(using: &random) ?? .failed
        machine.darken(darkness, because: "\(step)", at: now)
        model.end(.dark(darkness, reason: "\(step)"))
      case 2 where Int.random(in: 0..<40, using: &random) == 0:
        machine.lose(because: "\(step)", at: now)
        model.end(.lost(reason: "\(step)"))
      case 3...4:
        _ = machine.handle(.modeset(version: machine.frames.wanted, submitted: now), at: now)
        model.modeset(at: now)
      case 5...7: feed(.flipped(time: now), at: now, &machine, &model)
      case 8:
        // An old time belongs to an earlier flip if one may be pending. Otherwise the driver's time is inexact.
        let isFormer = machine.frames.outstandingFlips > 0
        _ = machine.handle(.flipped(time: submitted &- 1), at: now)
        if !isFormer { model.flipped(at: now) }
      case 9: feed(.sceneChanged, at: now, &machine, &model)
      case 10: feed(.unchanged(generation: machine.frames.generation), at: now, &machine, &model)
      case 11: feed(.presented(generation: machine.frames.generation), at: now, &machine, &model)
      case 12: feed(.busy(generation: machine.frames.generation), at: now, &machine, &model)
      default: feed(.deadlinePassed, at: now, &machine, &model)
      }
      #expect(machine.state.isSame(as: model.state), "seed \(seed), step \(step)")
      #expect(machine.state.reason == nil || machine.state.word == "stalled" || machine.state == model.state)
      if machine.state != .lit, machine.frames.isOnGlass {
        Issue.record("seed \(seed), step \(step): reported lit without a flip")
      }
    }
  }

  private func feed(
    _ event: FrameMachine.Event, at now: UInt64, _ machine: inout DisplayMachine, _ model: inout Model
  ) {
    let actions = machine.handle(event, at: now)
    if case .flipped(let time) = event { model.flipped(at: time) }
    if actions == [.stepDown] || actions == [.setAgain] { model.stalled() }
  }
}

/// A model of the display state that uses only modesets and flips, not frames.
private struct Model {
  private var end: DisplayState?
  private var isModeSet = false
  private var hasFlipped = false
  private var isStalled = false
  private(set) var submitted: UInt64 = 1

  var state: DisplayState {
    end ?? (hasFlipped ? .lit : isStalled ? .stalled(reason: "") : .lighting)
  }

  private mutating func forget() { (isModeSet, hasFlipped, isStalled) = (false, false, false) }

  mutating func light() {
    if case .lost = end { return }
    end = nil
    forget()
  }

  mutating func end(_ state: DisplayState) {
    if case .lost = end { return }
    end = state
    forget()
  }

  mutating func modeset(at time: UInt64) {
    guard end == nil else { return }
    forget()
    isModeSet = true
    submitted = time
  }

  mutating func flipped(at time: UInt64) {
    if isModeSet, time >= submitted { hasFlipped = true }
  }

  mutating func stalled() {
    forget()
    isStalled = true
  }
}
