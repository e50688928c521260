package import Configuration
import Control
package import Displays
package import Logging
package import NIOCore
import Outputs
import Scenes

/// The coordinator between the core, the cards, the render threads and the disk.
///
/// The core decides, and the director carries out its effects and returns their results as events. Painters render on
/// their own threads, and cards probe and set modes on theirs. Every call here is short.
package actor Director {
  /// The executor of the control loop.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  nonisolated let loop: any EventLoop
  nonisolated let logger: Logger
  nonisolated let environment: Environment
  /// The decisions and the state that they are based on. Only `step(_:)` changes it.
  var core: Core
  let persistence: any Persistence
  let hub: EventHub
  let painters: [Painter]
  let imageEncoder: ImageEncoder
  /// The painter of pictures that no display shows. It is not one of `painters`, so that it delays no frame.
  let renderer: Painter
  let renderMutex = AsyncMutex()
  /// The async mutex that serializes the reading of previews. A render thread is blocked for at most one part of one
  /// preview.
  let previewMutex = AsyncMutex()
  var managedCards: [CardID: ManagedCard] = [:]
  /// The handles of the outputs whose monitor is connected.
  var handles: [OutputID: OutputHandle] = [:]
  /// The start time, in nanoseconds of CLOCK_MONOTONIC.
  let began: UInt64
  /// The number of host suspend and resume notifications that were handled.
  var holdCount = 0
  /// The timer for the next agenda item.
  var scheduled: Scheduled<Void>?
  var agendaTimer = AgendaTimer()
  private var waiters: [Int: Waiter] = [:]
  private var waiterCount = 0
  private(set) var isSettled = false
  private var effects: [CoreEffect] = []
  private var isCarryingOut = false
  /// Whether the request that is being carried out inspects its content at the painters before they paint it. It is
  /// answered sooner then, and does not wait for its frame.
  private(set) var inspectsFirst = false
  private var restoration: Task<Void, Never>?
  /// The receive tasks, one per card source, kept so that `close()` can cancel them: a source may never finish its
  /// stream.
  private var receivers: [Task<Void, Never>] = []

  /// Creates a director that decides on `loop` and renders on `renderLoops`, each output on the one with the least load.
  ///
  /// Images for requests are encoded on `imageLoop`, or with nil on the last of `renderLoops`. Without any, `loop` renders as
  /// well.
  package init(
    settings: Settings, loop: any EventLoop, renderLoops: [any EventLoop], imageLoop: (any EventLoop)? = nil,
    environment: Environment, persistence: any Persistence, logger: Logger
  ) {
    self.loop = loop
    self.environment = environment
    self.logger = logger
    self.persistence = persistence
    hub = EventHub(epoch: environment.epoch)
    imageEncoder = ImageEncoder(on: imageLoop ?? renderLoops.last ?? loop)
    renderer = Painter(
      on: imageLoop ?? renderLoops.last ?? loop, fontMemory: environment.fontMemory, loader: environment.loader,
      now: environment.now)
    began = environment.now()
    painters = (renderLoops.isEmpty ? [loop] : renderLoops).map { loop in
      Painter(on: loop, fontMemory: environment.fontMemory, loader: environment.loader, now: environment.now)
    }
    core = Core(
      facts: ServiceState.Facts(
        backend: environment.backend, version: environment.version, pid: environment.pid,
        greeting: environment.greeting, host: environment.host, firstSettings: settings),
      settings: settings, patience: environment.patience, painterCount: painters.count,
      isObserved: environment.observer != nil, address: environment.address)
  }

  // MARK: Steps

  /// Passes an event or a request to the core, and carries out the effects.
  ///
  /// - Parameter body: The call of the core.
  /// - Throws: The error of the call.
  /// - Returns: The result of the call. Its effects are carried out, but not their consequences.
  @discardableResult
  func step<Result, Failure>(_ body: (inout Core) throws(Failure) -> Result) throws(Failure) -> Result {
    core.now = instant
    defer { carryOutEffects() }
    return try body(&core)
  }

  /// Carries out the change of a request that inspects its content before it is painted.
  func inspectingFirst<Result>(
    _ isFirst: Bool, _ body: () throws(ControlError) -> Result
  ) throws(ControlError) -> Result {
    inspectsFirst = isFirst
    defer { inspectsFirst = false }
    return try body()
  }

  var instant: Core.Instant {
    Core.Instant(
      wall: environment.wallClock(), monotonic: environment.now(), boot: environment.sinceBoot(),
      loop: loop.now.uptimeNanoseconds)
  }

  private func carryOutEffects() {
    let (new, wakeUp) = core.takeEffects()
    effects += new
    schedule(wakeUp)
    // An effect that fails at once is a step of its own, whose effects follow.
    guard !isCarryingOut else { return }
    isCarryingOut = true
    while !effects.isEmpty {
      let next = effects
      effects = []
      // Cards and painters are called first: they can work while the log lines, events and changes are written.
      for effect in next where !effect.isNote { carryOut(effect) }
      for effect in next where effect.isNote { carryOut(effect) }
    }
    isCarryingOut = false
    for managed in managedCards.values where managed.isAwaited && core.isIdle(managed.id) { managed.resume() }
  }

  /// The state of the whole service now.
  var state: ServiceState { core.state(at: instant) }

  // MARK: Start and end

  /// Starts to restore the stored state and to receive the cards of a source, until the source ends.
  ///
  /// Returns at once. `settled(within:)` returns after the first probe.
  ///
  /// - Parameters:
  ///   - source: The source of cards.
  ///   - isSourceStarted: Whether the source is already started. Its arrivals are buffered.
  package func start(_ source: any CardSource, isSourceStarted: Bool = false) {
    Task { await painters[0].warmUp(core.settings.style) }
    Task { await followPictures() }
    restoration = Task { await restore() }
    receivers.append(Task { await receive(source.arrivals) })
    if !isSourceStarted { Task { await source.start() } }
  }

  /// Waits until each monitor that was connected at the start is enabled, or the reason why it is not is known.
  ///
  /// It never returns before the stored state is restored, because an earlier command would be lost.
  ///
  /// - Parameter limit: The maximum time to wait after the stored state is restored; nil for no limit.
  package func settled(within limit: Duration? = nil) async {
    await restored()
    _ = await wait(within: limit, isForSettling: true)
  }

  /// Closes all cards, which frees the buffers of their outputs and lets the kernel restore its console.
  package func close() async {
    for receiver in receivers { receiver.cancel() }
    receivers = []
    let last = presentCards
    step { $0.close() }
    for managed in last {
      await managed.freeing?.value
      await managed.card.close()
    }
    scheduled?.cancel()
    hub.finish()
    await persistence.settled()
  }

  /// Waits until the stored state is restored.
  func restored() async { await restoration?.value }

  private func restore() async {
    let records = await persistence.load()
    if let sockets = records.flatMap({ VirtualRecord.sockets(in: $0) }) { environment.simulator?.restore(sockets) }
    step { $0.restore(records, offset: Int.random(in: 0..<1 << 31)) }
  }

  private func settle() async {
    for output in core.outputs { _ = await shown(output.id) }
    isSettled = true
    for (id, waiter) in waiters where waiter.isForSettling { stopWaiting(id, isInTime: true) }
    await confirmFonts()
    await checkFonts()
  }

  /// Verifies that the cached fonts are still right. This runs after the first frames are on screen, so that it does
  /// not delay them.
  private func confirmFonts() async {
    for painter in painters where await painter.confirmFonts() {
      for handle in handles.values where handle.painter === painter { step { $0.redraw(handle.id) } }
    }
  }

  // MARK: Cards

  private func receive(_ arrivals: AsyncStream<CardArrival>) async {
    for await arrival in arrivals {
      switch arrival {
      case .ready(let card): await add(card)
      case .waiting(let card): step { $0.noteWaiting(card) }
      case .gone(let path): step { $0.forgetWaiting(path) }
      case .settled: Task { await settle() }
      }
    }
  }

  private func add(_ card: any DisplayCard) async {
    // A device can return under its old name before the event stream of the old node has ended.
    if let former = presentCards.first(where: { $0.card.path == card.path }) {
      await lose(former, because: "another device has its place")
    }
    guard !core.isClosing else { return await card.close() }
    let managed = ManagedCard(step { $0.add(card.path, commitsTogether: card.commitsTogether) }, card)
    managedCards[managed.id] = managed
    // Plug in the virtual monitors from before a restart first: before the first probe, and before the event of the
    // card's initial monitor is read.
    if environment.simulator != nil {
      await restored()
      guard core.isPresent(managed.id) else { return }
    }
    Task { await listen(to: managed) }
    await reconcile(managed)
  }

  private func listen(to managed: ManagedCard) async {
    for await event in managed.card.events {
      switch event {
      case .flipped(let flip): heard(flip, managed)
      case .changed(let connector): step { $0.feed(.hint(connector: connector), to: managed.id) }
      case .masterChanged: step { $0.feed(.masterChanged, to: managed.id) }
      case .lost: await lose(managed, because: "the device is gone")
      }
    }
  }

  /// Removes a card that is unusable, and waits until it is closed. Its source adds the card again when it returns.
  func lose(_ managed: ManagedCard, because reason: String) async {
    step { $0.feed(.ended(reason: reason), to: managed.id) }
    await managed.closing?.value
  }

  /// Probes a card, and waits until its displays are in their desired state, as far as that is known.
  func reconcile(_ managed: ManagedCard) async {
    step { $0.feed(.hint(connector: nil), to: managed.id) }
    await idle(managed)
    await managed.freeing?.value
  }

  /// Waits until no operation on a card is in progress, except for frames.
  func idle(_ managed: ManagedCard) async {
    await withCheckedContinuation { continuation in
      if core.isIdle(managed.id), effects.isEmpty { continuation.resume() } else { managed.wait(continuation) }
    }
  }

  // MARK: Waiting

  /// A call that waits, for a limited time if `due` is not nil.
  private struct Waiter {
    let continuation: CheckedContinuation<Bool, Never>
    /// Whether it waits until the displays are settled.
    let isForSettling: Bool
    /// The time of the control loop's clock at which it stops waiting.
    let due: UInt64?
  }

  /// The deadlines of calls that wait, by waiter, as times of the control loop's clock.
  var waiterLimits: [Int: UInt64] { waiters.compactMapValues(\.due) }

  /// Waits until `stopWaiting` is called, or until the limit has passed. Returns which of them ended the wait: true for
  /// the call.
  private func wait(
    within limit: Duration?, isForSettling: Bool = false, _ began: (_ waiter: Int) -> Void = { _ in }
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      if isForSettling, isSettled { return continuation.resume(returning: true) }
      waiterCount += 1
      let due = limit.map { loop.now.uptimeNanoseconds &+ UInt64(max(TimeAmount($0).nanoseconds, 0)) }
      waiters[waiterCount] = Waiter(continuation: continuation, isForSettling: isForSettling, due: due)
      began(waiterCount)
      schedule(due)
    }
  }

  /// Ends the wait of a call, because what it waits for has happened, or because its limit has passed.
  func stopWaiting(_ waiter: Int, isInTime: Bool) {
    waiters.removeValue(forKey: waiter)?.continuation.resume(returning: isInTime)
  }

  /// Returns the result of a call; nil if it takes longer than a limit. The call continues then, without effect.
  func result<R: Sendable>(within limit: Duration, of call: @escaping @Sendable () async -> R) async -> R? {
    let work = Task.immediate { await call() }
    let isInTime = await wait(within: limit) { waiter in
      Task {
        _ = await work.value
        stopWaiting(waiter, isInTime: true)
      }
    }
    return isInTime ? await work.value : nil
  }

  /// The cards that are not gone.
  var presentCards: [ManagedCard] { managedCards.values.filter { core.isPresent($0.id) } }
}
