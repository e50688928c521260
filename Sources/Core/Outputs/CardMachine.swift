package import Displays
package import Geometry

/// The number of an effect, with which its result returns.
package struct EffectID: Hashable, Sendable {
  /// The number.
  package let number: Int

  /// The number of the plan that this effect commits (`ModesetPlan.number`); never 0.
  package var planNumber: UInt32 { UInt32(truncatingIfNeeded: number) | 1 << 31 }
}

/// The decisions for one card, as a pure state machine: events in, effects out.
///
/// The machine compares what is with what should be, and does the next thing that differs. One thing at a time is done
/// with the card, except for frames:
///
/// 1. disable CRTCs that no output uses
/// 2. end the signals of outputs that are to sleep
/// 3. light outputs, all of them by one plan
/// 4. probe
///
/// Times are nanoseconds of CLOCK_MONOTONIC.
package struct CardMachine: Sendable {
  /// Something that happened.
  package enum Event: Sendable {
    /// Connectors may have changed: the one with this object ID, or any if it is nil.
    case hint(connector: UInt32?)
    /// DRM master was lost to another program, or may be available again.
    case masterChanged
    /// The card is gone, or the service ends.
    case ended(reason: String)
    /// Outputs should be in another state, by connector name.
    case wished([String: OutputWish])
    /// An output should be in another state, and be tried with these modes instead of those of its policy.
    case tried(display: String, OutputWish, [ModeChoice.Candidate])
    /// A probe returned.
    case probed(EffectID, Result<CardSnapshot, CardError>)
    /// A first frame was rendered, or not.
    case rendered(EffectID, RenderError?)
    /// A test, a commit, or a request for a buffer returned.
    case finished(EffectID, CardError?)
    /// The result of rendering and presenting a frame.
    case presented(display: String, generation: Int, FrameResult)
    /// A flip was reported.
    case flipped(Flip)
    /// A flip was reported, and the render thread has presented the next frame of an animation: that of another scene
    /// version, or with nil of the same one.
    case stepped(display: String, generation: Int, time: UInt64, version: Int?)
    /// The time of `due` was reached. Some outputs are still busy with a result that came in time.
    case timePassed(except: Set<String> = [])
  }

  /// Something that the caller must do.
  package enum Effect: Hashable, Sendable {
    /// Probe connectors, nil for all; answer with `probed`.
    case probe(EffectID, connectors: Set<UInt32>?)
    /// Find out what these new monitors are to show; answer with `wished`.
    case arrived([ConnectorSnapshot])
    /// Allocate a buffer for a new surface and render the first frame; answer with `rendered`.
    case render(EffectID, display: String, surface: Int, ModeChoice.Candidate)
    /// Test a plan; answer with `finished`.
    case test(EffectID, [PlannedOutput])
    /// Light outputs by one commit; answer with `finished`.
    case commit(EffectID, [PlannedOutput])
    /// Disable CRTCs by one commit; answer with `finished`.
    case disable(EffectID, [UInt32])
    /// End signals by one commit; answer with `finished`.
    case sleep(EffectID, [SleepingOutput])
    /// Allocate the second buffer of a surface; answer with `finished`.
    case addBuffer(EffectID, display: String, surface: Int, Size)
    /// Render the newest content and present it; answer with `presented`.
    case paint(display: String, generation: Int)
    /// Present the frame that was rendered last again; answer with `presented`.
    case present(display: String, generation: Int)
    /// Free a surface with its buffers.
    case free(display: String, surface: Int)
    /// Report something to the log, the clients and the history.
    case report(display: String, Report)
  }

  /// Something to report of a display.
  package enum Report: Hashable, Sendable {
    /// A monitor was connected, or its EDID arrived late.
    case connected
    /// The monitor was disconnected.
    case disconnected
    /// The state changed.
    case state(DisplayState)
    /// The card refused a mode.
    case refused(Mode, reason: String)
    /// There is no second buffer, so that smaller modes are tried.
    case noBuffer(CardError)
    /// A mode was set.
    case mode(ModeChoice.Candidate)
    /// A version of the content is on screen.
    case shown(version: Int, time: UInt64, isFirst: Bool)
    /// The signal could not be ended.
    case sleepless(reason: String)
  }

  /// An output of a plan, with the surface of its first frame.
  package struct PlannedOutput: Hashable, Sendable {
    /// The connector's object ID.
    package var connector: UInt32
    /// The connector's name.
    package var display: String
    /// The CRTC's object ID.
    package var crtc: UInt32
    /// The mode.
    package var mode: Mode
    /// The surface with the first frame.
    package var surface: Int
  }

  /// The reason that there is no first frame.
  package enum RenderError: Hashable, Sendable {
    /// The card has no buffer.
    case card(CardError)
    /// The text cannot be rendered.
    case text(String)
  }

  /// The result of rendering and presenting a frame.
  package enum FrameResult: Hashable, Sendable {
    /// The frame is the same as the one on screen.
    case unchanged
    /// The card accepted the frame; its flip follows.
    case accepted
    /// The card rejected the frame.
    case rejected(CardError)
    /// The text cannot be rendered.
    case text(String)
  }

  /// The call that the card is carrying out.
  enum Job: Sendable {
    case none
    case probing(EffectID)
    case disabling(EffectID, Set<UInt32>)
    case sleeping(EffectID, [String])
    case planning(Plan)
  }

  /// The card's name, for messages.
  package let path: String
  /// The outputs by connector name.
  package internal(set) var outputs: [String: OutputMachine] = [:]
  /// The newest snapshot.
  package internal(set) var snapshot: CardSnapshot?
  /// The reason that the card is of no use anymore; nil while it is in use.
  package internal(set) var endReason: String?
  /// The time at which the card is probed again; nil if only a uevent helps.
  package internal(set) var retryDue: UInt64?
  /// The number of hints.
  var hints = 0
  /// The number of probes since the last change.
  package internal(set) var retries = 0

  let patience: FrameMachine.Patience
  let commitsTogether: Bool
  var job = Job.none
  /// The connectors to probe next; an empty set for no probe, nil for all.
  var hinted: Set<UInt32>? = []
  /// The error of the last probe; nil if it succeeded.
  var complaint: CardError?
  /// CRTCs that are enabled for no output.
  var orphans: Set<UInt32> = []
  /// CRTCs and outputs that the card refused to switch off. They are tried again after the next probe.
  var keptOn: Set<UInt32> = []
  /// True if signals are ended one by one, because the card refused to end them together.
  var isSleepingAlone = false
  /// Outputs that lost their EDID and keep their mode for now.
  var edidLost: Set<String> = []
  /// Requests for second buffers.
  var bufferRequests: [EffectID: String] = [:]
  /// Renderings whose plan ended before them, with the surfaces to free.
  var abandoned: [EffectID: (display: String, surface: Int)] = [:]
  /// The generation after those of all outputs that were removed, whose results may still arrive.
  var nextGeneration = 0
  /// True if something may differ from what should be, beyond frames.
  var mustProceed = false
  /// The outputs that the last event may have changed.
  package private(set) var changed: Set<String> = []
  private var effects: [Effect] = []
  private var effectCount = 0
  private var surfaceCount: Int

  /// Creates a machine for a card that was just opened.
  ///
  /// - Parameters:
  ///   - path: The card's name, for messages.
  ///   - commitsTogether: True if several outputs are one commit.
  ///   - patience: The timeouts of flips.
  ///   - firstSurface: The number before that of the first surface.
  package init(
    path: String, commitsTogether: Bool = true, patience: FrameMachine.Patience = .init(), firstSurface: Int = 0
  ) {
    self.path = path
    surfaceCount = firstSurface
    self.commitsTogether = commitsTogether
    self.patience = patience
    hinted = nil
  }

  /// The time of the next `timePassed`; nil if nothing changes by itself.
  package var due: UInt64? { due(holding: [:]) }

  /// Returns the time of the next `timePassed`.
  ///
  /// - Parameter held: The times before which the deadlines of some outputs are of no interest, by connector name.
  /// - Returns: The time; nil if nothing changes by itself.
  package func due(holding held: [String: UInt64]) -> UInt64? {
    guard endReason == nil else { return nil }
    let deadlines = outputs.values.compactMap { output in output.frames.deadline.map { max($0, held[output.name] ?? 0) }
    }
    return (deadlines + [retryDue].compactMap(\.self)).min()
  }

  /// The earliest time of a `timePassed` that the last event may have set; nil if it set none.
  package var changedDue: UInt64? {
    guard endReason == nil else { return nil }
    return (changed.compactMap { outputs[$0]?.frames.deadline } + [retryDue].compactMap(\.self)).min()
  }

  /// True if the card is not being probed or changed, and all outputs have their wishes.
  package var isIdle: Bool {
    guard endReason == nil else { return true }
    guard case .none = job else { return false }
    return outputs.values.allSatisfy { $0.wish != nil }
  }

  /// True if the card is of no use anymore, and all its surfaces are freed.
  package var isOver: Bool { endReason != nil && abandoned.isEmpty }

  /// Returns the mode that is set on an output, or that a plan is about to set.
  ///
  /// - Parameter display: The connector's name.
  /// - Returns: The mode; nil if there is none.
  package func candidate(of display: String) -> ModeChoice.Candidate? {
    guard let output = outputs[display] else { return nil }
    if case .planning(let plan) = job, let frame = plan.frames[output.connector.id] { return frame.first.candidate }
    return output.lit?.candidate
  }

  /// Returns the surfaces that an output is rendered into: the one of its mode, and the one that a plan is about to set.
  ///
  /// - Parameter display: The connector's name.
  /// - Returns: The surfaces.
  package func surfaces(of display: String) -> [Int] {
    guard let output = outputs[display] else { return [] }
    guard case .planning(let plan) = job, let frame = plan.frames[output.connector.id] else {
      return [output.lit?.surface].compactMap(\.self)
    }
    return [output.lit?.surface, frame.first.surface].compactMap(\.self)
  }

  /// Returns whether a plan concerns an output.
  ///
  /// - Parameter display: The connector's name.
  /// - Returns: True until the plan is carried out.
  package func isInPlan(_ display: String) -> Bool { outputs[display].map(isInPlan) ?? false }

  /// Returns the output of a commit that has not returned. A flip of its CRTC until then may belong to it.
  ///
  /// - Parameter crtc: The CRTC's object ID.
  /// - Returns: The connector's name; nil if no commit for the CRTC is being carried out.
  package func committing(_ crtc: UInt32) -> String? {
    guard case .planning(let plan) = job, case .commit = plan.call, case .commit(let assignments)? = plan.search.next,
      let assignment = assignments.first(where: { $0.crtc == crtc })
    else { return nil }
    return plan.names[assignment.connector]
  }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: The event. The result of an effect that is of no interest anymore is ignored.
  ///   - now: The current time.
  /// - Returns: The effects to carry out, in order.
  package mutating func handle(_ event: Event, at now: UInt64) -> [Effect] {
    defer { effects = [] }
    changed = []
    receive(event, at: now)
    if mustProceed || !event.isFrequent { proceed(at: now) }
    return effects
  }

  private mutating func receive(_ event: Event, at now: UInt64) {
    switch event {
    case .rendered(let id, let error): rendered(id, error, at: now)
    case .finished(let id, let error): finished(id, error, at: now)
    case .ended(let reason): end(because: reason, at: now)
    case _ where endReason != nil: return
    case .hint(let connector): hint(connector)
    case .masterChanged:
      // The node is closed before the kernel releases master (drm_release), so the next tries come soon.
      retries = 0
      hint(nil)
    case .wished(let wishes): for (name, wish) in wishes.sorted(by: { $0.key < $1.key }) { follow(wish, name, at: now) }
    case .tried(let name, let wish, let candidates): follow(wish, name, with: candidates, at: now)
    case .probed(let id, let result): probed(id, result, at: now)
    case .presented(let name, let generation, let result): presented(name, generation, result, at: now)
    case .flipped(let flip): flipped(flip, at: now)
    case .stepped(let name, let generation, let time, let version):
      handle(FrameMachine.Event.stepped(time: time, generation: generation, version: version), of: name, at: now)
    case .timePassed(let held): timePassed(except: held, at: now)
    }
  }

  /// Begins what differs most urgently from what should be, unless the card is busy.
  private mutating func proceed(at now: UInt64) {
    mustProceed = false
    while endReason == nil, case .none = job {
      if beginDisabling() || beginSleeping(at: now) { continue }
      // New monitors are part of the next plan, and are lit before the next probe.
      guard outputs.values.allSatisfy({ $0.wish != nil }) else { return }
      if beginPlan(at: now) || beginProbe() { continue }
      return scheduleRetry(at: now)
    }
  }

  // MARK: Helpers

  mutating func emit(_ effect: Effect) { effects.append(effect) }

  mutating func nextEffect() -> EffectID {
    effectCount += 1
    return EffectID(number: effectCount)
  }

  mutating func nextSurface() -> Int {
    surfaceCount += 1
    return surfaceCount
  }

  /// Changes an output, and reports its state if that is another one afterwards.
  @discardableResult
  mutating func update<R>(_ name: String, _ body: (inout OutputMachine) -> R) -> R? {
    guard let index = outputs.index(forKey: name) else { return nil }
    changed.insert(name)
    let before = outputs.values[index].state
    let result = body(&outputs.values[index])
    let state = outputs.values[index].state
    if state != before { emit(.report(display: name, .state(state))) }
    return result
  }

  /// Frees all surfaces of a mode.
  mutating func free(_ lit: Lit?, of name: String) {
    guard let lit else { return }
    for surface in lit.retired + [lit.surface] { emit(.free(display: name, surface: surface)) }
  }

  mutating func end(because reason: String, at now: UInt64) {
    guard endReason == nil else { return }
    endReason = reason
    retryDue = nil
    abandonPlan()
    job = .none
    for name in outputs.keys.sorted() {
      free(outputs[name]?.lit, of: name)
      emit(.report(display: name, .state(.lost(reason: "\(path) is gone: \(reason)"))))
    }
    outputs = [:]
  }
}

extension CardMachine.Event {
  /// True for events of each frame, after which there is rarely anything else to do.
  fileprivate var isFrequent: Bool {
    switch self {
    case .presented, .flipped, .stepped, .wished: true
    default: false
    }
  }
}
