import Configuration
import Control
import Displays
import Ordering
import Outputs
import Scenes

/// The decisions of the whole service, as a value: events and requests in, effects out.
///
/// The director sets the time, calls a function, and carries out the effects. The results of the effects return as
/// events. Nothing here waits, reads a clock, or calls a card, a painter or the disk. Time zones are the exception:
/// `ZoneCache` reads their files.
struct Core {
  /// The times of all clocks at an event.
  struct Instant {
    /// The wall clock, in milliseconds since 1970.
    var wall: Int64 = 0
    /// CLOCK_MONOTONIC, the clock of flips and deadlines, in nanoseconds.
    var monotonic: UInt64 = 0
    /// CLOCK_BOOTTIME, in milliseconds.
    var boot: Int64 = 0
    /// The control loop's clock, in nanoseconds.
    var loop: UInt64 = 0
  }

  private let sharedFacts: Shared<ServiceState.Facts>
  let patience: FrameMachine.Patience
  /// The number of painters, to which the outputs are distributed.
  let painterCount: Int
  /// Whether new monitors are reported to a decision observer.
  let isObserved: Bool
  /// The time of the current event.
  var now = Instant()
  private var sharedSettings: Shared<Settings>
  var store = SessionModel()
  var losses = Losses()
  /// The web page's address; nil if there is none.
  var address: String?
  var hold = ControllerHold()
  /// The displays that were woken outside their hours, with the time until which they stay lit, in milliseconds since
  /// 1970.
  var wokenUntil: [String: Int64] = [:]
  var zones = ZoneCache()
  /// The cards that are in use, and those that are gone and have surfaces to free.
  var cards: [CardID: CardRecord] = [:]
  /// The cards that cannot be used for now, by path.
  var unopened: [String: UnopenedCard] = [:]
  /// The displays whose card is gone, by name.
  var lost: [String: LostDisplay] = [:]
  /// True once the stored state is restored. Monitors that were connected before are introduced then.
  private(set) var isRestored = false
  /// True once the service stops.
  var isClosing = false
  var unintroduced: [OutputID] = []
  /// The next time at which a scene changes, a message expires or a pending mode change ends. It is given in
  /// milliseconds since 1970 and as a time of the control loop's clock.
  var scenesDue: (wallTime: Int64, loopTime: UInt64)?
  /// The messages that were posted since the start of the service and end after a duration.
  var timedMessages: Set<Int> = []
  /// The lead of the wall clock over CLOCK_MONOTONIC, the clock of flips.
  var clockLead = ClockLead()
  /// The lead of the wall clock over CLOCK_BOOTTIME.
  var bootLead = ClockLead()
  var cardCount = 0
  var outputCount = 0
  var historyCount = 0
  /// The events to handle after the effects of the current event.
  var inbox: [(CardID, CardMachine.Event)] = []
  var isHandling = false
  private var effects: [CoreEffect] = []
  /// The earliest time at which something was found to be due since the last event, by the control loop's clock.
  private var wakeUp: UInt64?

  /// Creates the state at the start, without cards.
  init(
    facts: ServiceState.Facts, settings: Settings, patience: FrameMachine.Patience = .init(), painterCount: Int = 1,
    isObserved: Bool = false, address: String? = nil
  ) {
    sharedFacts = Shared(facts)
    sharedSettings = Shared(settings)
    self.patience = patience
    self.painterCount = painterCount
    self.isObserved = isObserved
    self.address = address
  }

  var settings: Settings {
    get { sharedSettings.value }
    set { sharedSettings = Shared(newValue) }
  }

  // MARK: Effects

  mutating func emit(_ effect: CoreEffect) { effects.append(effect) }

  mutating func log(_ level: CoreEffect.LogLevel, _ words: String) { emit(.log(level, words)) }

  /// Has the timer fire at a time of the control loop's clock; does nothing for nil.
  mutating func wake(at time: UInt64?) {
    if let time { wakeUp = min(wakeUp ?? time, time) }
  }

  /// Returns the effects of the last event, and the time at which the timer must fire at the latest; nil if the event
  /// did not bring it forward.
  mutating func takeEffects() -> (effects: [CoreEffect], wakeUp: UInt64?) {
    defer { (effects, wakeUp) = ([], nil) }
    return (effects, wakeUp)
  }

  // MARK: The stored state

  /// Restores the stored state.
  ///
  /// - Parameters:
  ///   - records: The stored records; nil if there may be some that cannot be read now.
  ///   - offset: A random number from 0 to 2^31, for the numbers of sessions and messages if nothing can be read.
  mutating func restore(_ records: [Record]?, offset: Int) {
    if let records {
      let (restored, changes, warnings) = SessionModel.restored(from: records, at: now.wall)
      store = restored
      emit(.store(changes))
      for warning in warnings { log(.warning, warning) }
      losses = Losses(records)
      changeLosses { losses, now in losses.begin(leftOut: warnings, at: now) }
    } else {
      // The stored state must not be overwritten when it becomes readable again. Its numbers are smaller than the
      // seconds since 1970, unless the disk was late in an earlier run as well. Hence the random offset.
      store = SessionModel(after: max(Int(now.wall / 1000), 1 << 30) + offset)
    }
    // Nothing is pruned here. After a long time off, monitors that are still connected get their stored state.
    // `forgetMonitors()` prunes the profiles of the others after the next change.
    change { store, now in store.expire(at: now) }
    isRestored = true
    introduceMonitors()
  }

  // MARK: State

  /// The state of the whole service now.
  var state: ServiceState { state(of: outputs, on: presentCards) }

  /// Returns the state of the whole service after setting the time.
  mutating func state(at instant: Instant) -> ServiceState {
    now = instant
    return state
  }

  /// Returns the state with some of the outputs and cards, for code that runs on each frame and does not depend on the
  /// others.
  func state(of outputs: [OutputRecord], on cards: [CardRecord] = []) -> ServiceState {
    ServiceState(
      sharedFacts: sharedFacts, sharedSettings: sharedSettings, store: store, hold: hold, wokenUntil: wokenUntil,
      outputs: outputs.map { snapshot(of: $0) },
      cards: cards.map(\.snapshot), unopened: unopened, lost: lost, losses: losses, address: address, zones: zones,
      now: now.wall)
  }

  /// The cards that are not gone.
  var presentCards: [CardRecord] { cards.values.filter(\.isPresent) }

  /// All outputs, sorted by name.
  var outputs: [OutputRecord] { unorderedOutputs.naturallySorted { $0.name } }

  /// All outputs in any order, for code that runs on each flip.
  var unorderedOutputs: [OutputRecord] { presentCards.flatMap { $0.outputs.values } }

  /// Returns the output with a connector's name; nil if no monitor is connected.
  func output(named name: String) -> OutputRecord? { presentCards.lazy.compactMap { $0.outputs[name] }.first }

  /// An output; nil once its monitor is gone.
  subscript(id: OutputID) -> OutputRecord? {
    guard let output = cards[id.card]?.outputs[id.name], output.id == id else { return nil }
    return output
  }

  /// Changes an output, unless its monitor is gone.
  mutating func update(_ id: OutputID, _ body: (inout OutputFields) -> Void) {
    cards[id.card]?.outputs[id.name]?.change(of: id, body)
  }

  /// Returns the state machine of an output; nil once its monitor is gone.
  func machine(of id: OutputID) -> OutputMachine? { cards[id.card]?.machine(of: id) }

  func frames(of id: OutputID) -> FrameMachine { machine(of: id)?.frames ?? FrameMachine() }

  /// Returns the mode of an output that is set or about to be set.
  func candidate(of id: OutputID) -> ModeChoice.Candidate? { cards[id.card]?.candidate(of: id) }

  /// Returns the surface with the frames of an output's current mode.
  func surface(of id: OutputID) -> Painting.SurfaceID? { machine(of: id)?.lit?.surface }

  /// Returns the surfaces that an output is rendered into: those of its mode and of the mode that is about to be set.
  func surfaces(of id: OutputID) -> [Painting.SurfaceID] {
    self[id] == nil ? [] : cards[id.card]?.machine.surfaces(of: id.name) ?? []
  }

  func snapshot(of output: OutputRecord) -> OutputState {
    OutputState(record: output, cardRecord: cards[output.id.card])
  }
}
