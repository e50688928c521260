package import Configuration
import Control
package import Displays
package import Logging
package import NIOCore
import Ordering
import Outputs
import Scenes

/// The coordinator between the cards, the session model and the render threads.
///
/// It handles everything from a card's hotplug event to an enabled output, and from a message to its flip. It makes the
/// decisions and holds the state. Painters render on their own threads, and cards probe and set modes on theirs. Every
/// call here is short. Operations on one card are serialized, so that each decision is based on the newest probe.
package actor Director {
  /// The executor of the control loop.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  nonisolated let loop: any EventLoop
  nonisolated let logger: Logger
  nonisolated let environment: Environment
  var settings: Settings
  nonisolated let facts: ServiceState.Facts
  var store = SessionModel()
  let persistence: any Persistence
  var losses = Losses()
  /// The web page's address; nil if there is none.
  var address: String?
  /// The start time, in nanoseconds of CLOCK_MONOTONIC.
  let began: UInt64
  /// The timer for the next agenda item.
  var scheduled: Scheduled<Void>?
  var agendaTimer = AgendaTimer()
  /// The next time at which a scene changes, a message expires or a pending mode change ends. It is given in
  /// milliseconds since 1970 and as a time of the control loop's clock.
  var scenesDue: (wallTime: Int64, loopTime: UInt64)?
  /// The deadlines of the calls of `settled(within:)`, by waiter, as times of the control loop's clock.
  var settleLimits: [Int: UInt64] = [:]
  /// The lead of the wall clock over CLOCK_MONOTONIC, the clock of flips.
  var clockLead = ClockLead()
  /// The lead of the wall clock over CLOCK_BOOTTIME.
  var bootLead = ClockLead()
  /// The messages that were posted since the start of the service and end after a duration.
  var timedMessages: Set<Int> = []
  var zones = ZoneCache()
  var controllerHold = ControllerHold()
  /// The number of host suspend and resume notifications that were handled.
  var holdCount = 0
  var managedCards: [String: ManagedCard] = [:]
  /// The cards that cannot be used for now, by path.
  var unopened: [String: UnopenedCard] = [:]
  /// The displays whose card is gone, by name.
  var lost: [String: LostDisplay] = [:]
  let chronicle: Chronicle
  let painters: [Painter]
  let imageEncoder: ImageEncoder
  /// The async mutex that serializes the reading of previews. A render thread is blocked for at most one part of one
  /// preview.
  let previewMutex = AsyncMutex()
  private var managedCardCount = 0
  private var settledWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var waiterCount = 0
  private var restoration: Task<Void, Never>?
  /// The receive tasks, one per card source, kept so that `close()` can cancel them: a source may never finish its
  /// stream.
  private var receivers: [Task<Void, Never>] = []
  private(set) var isSettled = false
  private(set) var isClosing = false

  /// Creates a director that decides on `loop` and renders on `renderLoops`, each output on the one with the least load.
  ///
  /// Images for requests are encoded on `imageLoop`, or with nil on the last of `renderLoops`. Without any, `loop` renders as
  /// well.
  package init(
    settings: Settings, loop: any EventLoop, renderLoops: [any EventLoop], imageLoop: (any EventLoop)? = nil,
    environment: Environment, persistence: any Persistence, logger: Logger
  ) {
    self.settings = settings
    self.loop = loop
    self.environment = environment
    facts = ServiceState.Facts(
      backend: environment.backend, version: environment.version, pid: environment.pid, greeting: environment.greeting,
      host: environment.host, firstSettings: settings)
    self.logger = logger
    self.persistence = persistence
    chronicle = Chronicle(environment, persistence)
    imageEncoder = ImageEncoder(on: imageLoop ?? renderLoops.last ?? loop)
    address = environment.address
    began = environment.now()
    painters = (renderLoops.isEmpty ? [loop] : renderLoops).map { loop in
      Painter(on: loop, fontMemory: environment.fontMemory, loader: environment.loader, now: environment.now)
    }
  }

  /// Starts to restore the stored state and to receive the cards of a source, until the source ends.
  ///
  /// Returns at once. `settled(within:)` returns after the first probe.
  ///
  /// - Parameter source: The source of cards.
  package func start(_ source: any CardSource) {
    Task { await painters[0].warmUp(settings.style) }
    Task { await followPictures() }
    restoration = Task { await restore() }
    receivers.append(Task { await receive(source.arrivals) })
    Task { await source.start() }
  }

  /// Waits until each monitor that was connected at the start is enabled, or the reason why it is not is known.
  ///
  /// It never returns before the stored state is restored, because an earlier command would be lost.
  ///
  /// - Parameter limit: The maximum time to wait after the stored state is restored; nil for no limit.
  package func settled(within limit: Duration? = nil) async {
    await restored()
    await withCheckedContinuation { continuation in
      if isSettled { return continuation.resume() }
      waiterCount += 1
      settledWaiters[waiterCount] = continuation
      guard let limit else { return }
      settleLimits[waiterCount] = due(in: limit)
      schedule(settleLimits[waiterCount])
    }
  }

  /// Resumes a call of `settled(within:)`: the displays are settled, or its limit has passed.
  func stopWaiting(_ waiter: Int) {
    settleLimits[waiter] = nil
    settledWaiters.removeValue(forKey: waiter)?.resume()
  }

  /// Closes all cards, which frees the buffers of their outputs and lets the kernel restore its console.
  package func close() async {
    isClosing = true
    for receiver in receivers { receiver.cancel() }
    receivers = []
    let last = managedCards.values
    // Remove the cards first, so that a hotplug event during the shutdown does not enable an output again.
    managedCards = [:]
    for managed in last {
      for output in managed.outputs.values {
        enter(.dark(.noMonitor, reason: "the service stops"), output)
        changeAtOnce { store, now in store.detach(output.name, at: now) }
      }
      forgetMonitors()
      feed(.ended(reason: "the service stops"), to: managed)
      await managed.freeing?.value
      await managed.card.close()
    }
    scheduled?.cancel()
    chronicle.hub.finish()
    await persistence.settled()
  }

  /// Waits until the stored state is restored.
  func restored() async { await restoration?.value }

  private func restore() async {
    if let records = await persistence.load() {
      if let sockets = VirtualRecord.sockets(in: records) { environment.simulator?.restore(sockets) }
      let (restored, changes, warnings) = SessionModel.restored(from: records, at: environment.wallClock())
      store = restored
      persistence.write(changes)
      for warning in warnings { logger.warning("\(warning)") }
      losses = Losses(records)
      changeLosses { losses, now in losses.begin(leftOut: warnings, at: now) }
    } else {
      // The stored state must not be overwritten when it becomes readable again. Its numbers are smaller than the
      // seconds since 1970, unless the disk was late in an earlier run as well. Hence the random offset.
      store = SessionModel(after: max(Int(environment.wallClock() / 1000), 1 << 30) + Int.random(in: 0..<1 << 31))
    }
    // Nothing is pruned here. After a long time off, monitors that are still connected get their stored state.
    // `forgetMonitors()` prunes the profiles of the others after the next change.
    changeAtOnce { store, now in store.expire(at: now) }
  }

  /// The time for which absent monitors are remembered.
  var retention: SessionModel.Retention {
    SessionModel.Retention(milliseconds: Int64(settings.monitorDays) * 86_400_000)
  }

  private func receive(_ arrivals: AsyncStream<CardArrival>) async {
    for await arrival in arrivals {
      switch arrival {
      case .ready(let card): await add(card)
      case .waiting(let card): noteWaiting(card)
      case .gone(let path): forgetWaiting(path)
      case .settled: Task { await settle() }
      }
    }
  }

  private func settle() async {
    for output in outputs { _ = await shown(output) }
    isSettled = true
    for waiter in settledWaiters.keys { stopWaiting(waiter) }
    await confirmFonts()
    await checkFonts()
  }

  /// Verifies that the cached fonts are still right. This runs after the first frames are on screen, so that it does
  /// not delay them.
  private func confirmFonts() async {
    for painter in painters where await painter.confirmFonts() {
      for output in outputs where output.painter === painter { redraw(output) }
    }
  }

  private func add(_ card: any DisplayCard) async {
    // A device can return under its old name before the event stream of the old node has ended.
    if let former = managedCards[card.path] { await lose(former, because: "another device has its place") }
    guard !isClosing else { return await card.close() }
    unopened[card.path] = nil
    managedCardCount += 1
    let machine = CardMachine(
      path: card.path, commitsTogether: card.commitsTogether, patience: environment.patience,
      // Painters serve outputs of several cards, so each card needs its own range of surface IDs.
      firstSurface: managedCardCount << 32)
    let managed = ManagedCard(card, machine: machine)
    managedCards[card.path] = managed
    // Plug in the virtual monitors from before a restart first: before the first probe, and before the event of the
    // card's initial monitor is read.
    if environment.simulator != nil {
      await restored()
      guard managedCards[card.path] === managed else { return }
    }
    Task { await listen(to: managed) }
    await reconcile(managed)
  }

  private func listen(to managed: ManagedCard) async {
    for await event in managed.card.events {
      switch event {
      case .flipped(let flip): heard(flip, managed)
      case .changed(let connector): feed(.hint(connector: connector), to: managed)
      case .masterChanged: feed(.masterChanged, to: managed)
      case .lost: await lose(managed, because: "the device is gone")
      }
    }
  }

  /// The painter with the least load. A new monitor's first frame takes longer than one refresh interval, and must not
  /// delay an animation on another output. If the loads are equal, the first painter is used, because `start(_:)`
  /// warmed it up.
  var freestPainter: Painter {
    let served = unorderedOutputs
    func load(of painter: Painter) -> (Int, Int) {
      let own = served.filter { $0.painter === painter }
      return (own.count { $0.isLit && $0.moving != nil }, own.count)
    }
    return painters.min { load(of: $0) < load(of: $1) } ?? painters[0]
  }

  /// All outputs, sorted by name.
  var outputs: [Output] { unorderedOutputs.naturallySorted { $0.name } }

  /// All outputs in any order, for code that runs on each flip.
  var unorderedOutputs: [Output] { managedCards.values.flatMap(\.outputs.values) }

  func output(_ name: String) -> (ManagedCard, Output)? {
    for managed in managedCards.values { if let output = managed.outputs[name] { return (managed, output) } }
    return nil
  }
}
