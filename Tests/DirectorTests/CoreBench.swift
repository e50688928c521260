import Configuration
import Control
import Displays
import Geometry
import Outputs
import Scenes

@testable import Director

/// A core whose effects are carried out at once: the card accepts everything, and each frame is painted. Flips, and
/// what a test holds back, are sent by the test.
struct CoreBench {
  /// An effect that a test can hold back.
  enum Held { case render, paint }

  var core: Core
  /// The connectors with a monitor, by name.
  var monitors: [String: Size] = [:]
  var held: Set<Held> = []
  private(set) var renders: [CoreEffect.FirstFrameJob] = []
  private(set) var paints: [(id: OutputID, generation: Int)] = []
  private(set) var offers: [(id: OutputID, job: PaintJob, generation: Int)] = []
  private(set) var plans: [ModesetPlan] = []
  private(set) var log: [String] = []
  private(set) var events: [CoreEffect.Event] = []
  private(set) var history: [HistoryChange] = []
  private(set) var records: [RecordChange] = []
  private(set) var settled: [(display: String, result: ShowResult)] = []
  private(set) var freed: [Painting.SurfaceID] = []
  private(set) var forgotten: [CardID] = []
  private(set) var followed: [OutputID] = []
  private(set) var wakeUps: [UInt64] = []
  private var modesets: [UInt32: UInt32] = [:]
  private var buffers: UInt32 = 0
  var now = Core.Instant(wall: 1_800_000_000_000, monotonic: 1_000_000_000, boot: 1000, loop: 1_000_000_000)

  init(settings: Settings = Settings()) {
    core = Core(facts: ServiceState.Facts(greeting: Scene(.banner("Welcome"))), settings: settings)
  }

  /// The content that was prepared, as summaries.
  var prepared: [String] = []
  /// The animation of frames that are painted from now on.
  var moving: Moving?

  /// Calls the core, and carries out the effects and their consequences.
  @discardableResult
  mutating func step<Result, Failure>(_ body: (inout Core) throws(Failure) -> Result) throws(Failure) -> Result {
    core.now = now
    let result = try body(&core)
    carryOutAll()
    return result
  }

  private mutating func carryOutAll() {
    while true {
      let (effects, wakeUp) = core.takeEffects()
      if let wakeUp { wakeUps.append(wakeUp) }
      if effects.isEmpty { return }
      for effect in effects { carryOut(effect) }
    }
  }

  private mutating func carryOut(_ effect: CoreEffect) {
    switch effect {
    case .log(_, let words): log.append(words)
    case .send(let event): events.append(event)
    case .history(let change): history.append(change)
    case .store(let changes): records += changes
    case .modelChanged(let change):
      records += change.records
      events += change.events
    case .probe(let card, let id, _): core.probed(card, id, .success(snapshot))
    case .render(let job): if held.contains(.render) { renders.append(job) } else { render(job) }
    case .call(let card, let id, let call):
      if case .apply(let plan) = call {
        plans.append(plan)
        for lit in plan.lit { modesets[lit.crtc] = plan.number }
      }
      core.feed(.finished(id, nil), to: card)
    case .free(_, let surface): freed.append(surface)
    case .forget(let card): forgotten.append(card)
    case .paint(let id, let generation):
      if held.contains(.paint) { paints.append((id, generation)) } else { paint(id, generation) }
    case .offer(let id, let job, let generation): offers.append((id, job, generation))
    case .prepare(let id, _, let moment):
      prepared.append(moment.seen.scene.summary)
      core.prepared(id, moment, lost(in: moment))
    case .settled(let id, let result, _): settled.append((id.name, result))
    case .followChoice(let id): followed.append(id)
    case .observe, .close, .connected, .disconnected, .permit, .present, .restoreFrames: break
    }
  }

  private var snapshot: CardSnapshot {
    let names = ["HDMI-A-1", "HDMI-A-2"]
    let connectors = names.enumerated().map { place, name in
      ConnectorSnapshot(
        id: UInt32(place) + 1, name: name, kind: ConnectorKind(11),
        status: monitors[name] == nil ? .disconnected : .connected,
        modes: monitors[name].map { [Mode(size: $0, refresh: 60_000)] } ?? [],
        edid: monitors[name] == nil ? [] : [0, 255, UInt8(place)], possibleCRTCs: 3)
    }
    let crtcs = [UInt32(41), 42].map { CRTCSnapshot(id: $0, isEnabled: modesets[$0] != nil) }
    return CardSnapshot(card: "card", driver: "test", connectors: connectors, crtcs: crtcs)
  }

  // MARK: Events

  /// Adds a card and restores the stored state, in this order.
  mutating func start() -> CardID {
    let card = step { $0.add("card", commitsTogether: true) }
    step { $0.feed(.hint(connector: nil), to: card) }
    return card
  }

  mutating func restore(_ records: [Record] = []) { step { $0.restore(records, offset: 0) } }

  mutating func render(_ job: CoreEffect.FirstFrameJob) {
    buffers += 1
    let frame = FirstFrame(
      buffer: BufferID(buffers), showing: Showing(job.shown, job.moment, painted), moving: nil,
      nextChange: job.moment.nextChange)
    step { $0.rendered(job, frame) }
  }

  /// Renders a frame, which the card accepts.
  mutating func paint(_ id: OutputID, _ generation: Int) {
    guard let job = step({ $0.paintJob(id, generation) }) else { return }
    var painted = painted
    painted.lostPictures = lost(in: job.moment)
    step { $0.painted(job, painted, id, generation) }
  }

  /// Returns why the image of a view is not shown: those in the folder `/gone` are not.
  private func lost(in moment: ResolvedScene) -> [String] {
    guard case .image(let image) = moment.seen.scene.content, image.path.hasPrefix("/gone/") else { return [] }
    return ["the image \(image.path) cannot be shown: no such file"]
  }

  private var painted: Painting.Painted {
    Painting.Painted(
      frame: Painting.Frame(buffer: BufferID(7), damage: []), warnings: [], moving: moving, answer: .presented)
  }

  /// Reports the flip of the newest frame or modeset of a display.
  mutating func flip(_ display: String) {
    guard let id = core.output(named: display)?.id, let crtc = core.machine(of: id)?.crtc else { return }
    pass(16)
    let flip = Flip(
      crtc: crtc, sequence: 1, time: now.monotonic, modeset: modesets.updateValue(0, forKey: crtc) ?? 0)
    step { _ = $0.note(flip, on: id) }
    step { $0.feed(.flipped(flip), to: id.card) }
  }

  /// Reports the flip of an animation's newest frame. The next frame has the content that was offered last.
  mutating func stepWithOffer() {
    guard let offer = offers.last, let moving else { return }
    pass(16)
    let (time, frame) = (now.monotonic, Painting.Frame(buffer: BufferID(7), damage: []))
    let content = Painting.Step.Content(job: offer.job, painted: painted)
    let next = Painting.Step.Next(
      generation: offer.generation, moving: moving, frame: frame, missed: nil, content: content)
    step { $0.stepped(next, at: time, on: offer.id) }
  }

  /// Advances all clocks by milliseconds.
  mutating func pass(_ milliseconds: Int64) {
    now.wall += milliseconds
    now.boot += milliseconds
    now.monotonic += UInt64(milliseconds) * 1_000_000
    now.loop += UInt64(milliseconds) * 1_000_000
  }

  /// Handles everything that is due.
  mutating func wakeUp() {
    core.now = now
    for item in core.agenda.items(dueAt: now.loop) { step { $0.perform(item, [:]) } }
  }

  mutating func post(_ text: String) throws -> Int {
    try step { core throws(ControlError) in
      try core.attempt { store, now throws(SessionModelError) in
        try store.post(Scene(.banner(text)), at: now).id
      }
    }
  }

  // MARK: State

  func id(_ display: String) -> OutputID? { core.output(named: display)?.id }

  func state(_ display: String) -> DisplayState? { core.output(named: display)?.state }

  func summary(_ display: String) -> String? { core.output(named: display)?.showing.summary }

  func words(_ display: String) -> String? { core.output(named: display)?.showing.words }

  func kinds(_ kind: ControlEvent.Kind) -> [String] { events.filter { $0.kind == kind }.map(\.display) }
}
