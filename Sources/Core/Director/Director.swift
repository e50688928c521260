package import Configuration
package import Control
package import Displays
package import Logging
package import NIOCore
import Ordering
import Outputs
package import Pictures
package import Scenes

/// The only place that knows the whole way: from a card's hint to a lit output, from a message to its flip.
///
/// It decides and keeps the state; painters paint on their own threads, cards probe and set modes on theirs. Every
/// call here is short. Work on one card is done in turn, so that a decision always stands on the newest probe.
package actor Director {
  /// Runs on the control loop.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  nonisolated let loop: any EventLoop
  nonisolated let logger: Logger
  nonisolated let environment: Environment
  var settings: Settings
  let firstSettings: Settings
  var store = SessionModel()
  let keeper: any Persistence
  var losses = Losses()
  /// The web page's address; nil where there is none.
  var address: String?
  /// When it began, in nanoseconds of CLOCK_MONOTONIC.
  let began: UInt64
  /// The timer of the agenda.
  var scheduled: Scheduled<Void>?
  var agendaTimer = AgendaTimer()
  /// When scenes, messages and pending mode changes are due: in milliseconds since 1970, and by the control loop's clock.
  var scenesDue: (wallTime: Int64, loopTime: UInt64)?
  /// When those that wait for `settled(within:)` are answered.
  var settleLimits: [Int: UInt64] = [:]
  /// By how many milliseconds the clock of people was ahead of that of flips at the last look.
  var clockLead: Int64?
  /// By how many milliseconds it was ahead of that of the machine at the last look.
  var bootLead: Int64?
  /// The messages that were posted in this life, to end some time from then.
  var timedMessages: Set<Int> = []
  var zones = ZoneCache()
  private var entryCount = 0
  var controllerHold = ControllerHold()
  /// The number of times that the machine went to sleep or woke.
  var holdCount = 0
  var desks: [String: CardDesk] = [:]
  /// Cards that cannot be used for now, by path.
  var unopened: [String: UnopenedCard] = [:]
  /// Displays whose card is gone, by name.
  var lost: [String: LostDisplay] = [:]
  nonisolated let hub: EventHub
  let painters: [Painter]
  let press: PicturePress
  /// One preview is read at a time, so that those who paint wait for no more than a part of one.
  let previewTurn = Turn()
  private var deskCount = 0
  private var settledWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var waiterCount = 0
  private var restoration: Task<Void, Never>?
  /// Those that hear of cards, a source each: what waits for a source that tells no more would be there for ever.
  private var receivers: [Task<Void, Never>] = []
  private(set) var isSettled = false
  private(set) var isClosing = false

  /// What the director needs of the world besides cards.
  package struct Environment: Sendable {
    /// `kms` or `virtual`, for reports.
    package var backend: String
    /// The service's version, for reports.
    package var version: String
    /// The service's process id, for reports.
    package var pid: Int32
    /// Nanoseconds of CLOCK_MONOTONIC.
    package var now: @Sendable () -> UInt64
    /// Milliseconds since 1970.
    package var wallClock: @Sendable () -> Int64
    /// Milliseconds of CLOCK_BOOTTIME, which nobody sets, and which goes on while the machine sleeps.
    package var sinceBoot: @Sendable () -> Int64
    /// What displays show that have no message, session or scene of the settings; nil for the plain ground.
    package var greeting: Scene?
    /// The host's name, for the first screen and the controller screen; nil where it has none.
    package var host: String?
    /// The web page's address at the start; nil where there is none. `setAddress` changes it.
    package var address: String?
    /// Plugs virtual monitors, where the backend has them.
    package var simulator: (any MonitorSimulator)?
    /// Where uploaded pictures are kept; nil for nowhere.
    package var pictures: (any PictureFolder)?
    /// Reads the EDIDs of a folder's files, as many as a menu has room for.
    package var edids: @Sendable (_ folder: String) async -> [[UInt8]]
    /// The file that remembers which font was found where; nil for none.
    package var fontMemory: String?
    /// Reads the pictures that scenes name; by default none.
    package var loader: ImageLoader
    /// Names this life of the service, in letters and digits: places in its events are places in no other's.
    package var epoch: String
    /// How long a flip may take before the display counts as stalled, and how long a busy card is left alone.
    package var patience: FrameMachine.Patience
    /// Hears what is decided; nil for nobody.
    package var witness: (any Witness)?
    /// How many log lines wait to be reported as dropped.
    package var droppedLogLines: @Sendable () -> Int
    /// Returns the newest lines of the log, oldest first.
    package var logLines: @Sendable () -> [String] = { [] }
    /// Checks the machine, with what the service reports of itself.
    package var examine: @Sendable (ServiceStatus, [DisplayReport], [String: WhyReport]) async -> DoctorReport = {
      _, _, _ in DoctorReport()
    }

    /// An environment from its parts.
    package init(
      backend: String, version: String, pid: Int32, now: @escaping @Sendable () -> UInt64,
      wallClock: @escaping @Sendable () -> Int64, sinceBoot: @escaping @Sendable () -> Int64, greeting: Scene? = nil,
      host: String? = nil, address: String? = nil,
      simulator: (any MonitorSimulator)? = nil, pictures: (any PictureFolder)? = nil,
      edids: @escaping @Sendable (_ folder: String) async -> [[UInt8]] = { _ in [] }, fontMemory: String? = nil,
      loader: ImageLoader = ImageLoader(),
      epoch: String = String(UInt64.random(in: 0 ... .max), radix: 16), patience: FrameMachine.Patience = .init(),
      witness: (any Witness)? = nil, droppedLogLines: @escaping @Sendable () -> Int = { 0 }
    ) {
      self.backend = backend
      self.version = version
      self.pid = pid
      self.now = now
      self.wallClock = wallClock
      self.sinceBoot = sinceBoot
      self.greeting = greeting
      self.host = host
      self.address = address
      self.simulator = simulator
      self.pictures = pictures
      self.edids = edids
      self.fontMemory = fontMemory
      self.loader = loader
      self.epoch = epoch
      self.patience = patience
      self.witness = witness
      self.droppedLogLines = droppedLogLines
    }
  }

  /// A director that decides on `loop` and paints on `lanes`, each output on the freest. Pictures that somebody asks
  /// for are written as files on `press`, or with nil on the last lane.
  package init(
    settings: Settings, loop: any EventLoop, lanes: [any EventLoop], press: (any EventLoop)? = nil,
    environment: Environment, keeper: any Persistence, logger: Logger
  ) {
    self.settings = settings
    firstSettings = settings
    self.loop = loop
    self.environment = environment
    self.logger = logger
    self.keeper = keeper
    hub = EventHub(epoch: environment.epoch)
    self.press = PicturePress(on: press ?? lanes.last ?? loop)
    address = environment.address
    began = environment.now()
    painters = (lanes.isEmpty ? [loop] : lanes).map { loop in
      Painter(on: loop, fontMemory: environment.fontMemory, loader: environment.loader, now: environment.now)
    }
  }

  /// Takes cards as they come, until the source ends. Returns at once; `settled` tells when the first look is over.
  package func start(_ source: any CardSource) {
    Task { await painters[0].warmUp(settings.style) }
    Task { await followPictures() }
    restoration = Task { await restore() }
    receivers.append(Task { await receive(source.arrivals) })
    Task { await source.start() }
  }

  /// Returns when every monitor that was there at the start is lit, or it is known why not; or after `limit`, but not
  /// before what was kept is there again: a command before that would be lost.
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

  /// Answers a caller of `settled(within:)`, whose limit is over.
  func stopWaiting(_ waiter: Int) {
    settleLimits[waiter] = nil
    settledWaiters.removeValue(forKey: waiter)?.resume()
  }

  /// Gives all cards back. The outputs' buffers go with it, and the console returns.
  package func close() async {
    isClosing = true
    for receiver in receivers { receiver.cancel() }
    receivers = []
    let last = desks.values
    // What is not known any more is not lit again by a hint that comes meanwhile.
    desks = [:]
    for desk in last {
      for output in desk.outputs.values {
        enter(.dark(.noMonitor, reason: "the service stops"), output)
        changeAtOnce { store, now in store.detach(output.name, at: now) }
      }
      forgetMonitors()
      feed(.ended(reason: "the service stops"), to: desk)
      await desk.freeing?.value
      await desk.card.close()
    }
    scheduled?.cancel()
    hub.finish()
    await keeper.settled()
  }

  /// Returns when what was kept is there again.
  func restored() async { await restoration?.value }

  private func restore() async {
    if let records = await keeper.load() {
      if let sockets = VirtualRecord.sockets(in: records) { environment.simulator?.restore(sockets) }
      let (restored, changes, warnings) = SessionModel.restored(from: records, at: environment.wallClock())
      store = restored
      keeper.write(changes)
      for warning in warnings { logger.warning("\(warning)") }
      losses = Losses(records)
      changeLosses { losses, now in losses.begin(leftOut: warnings, at: now) }
    } else {
      // What is kept must not be written over when it can be reached again: it has smaller numbers than seconds, unless
      // the disk came late before, too.
      store = SessionModel(after: max(Int(environment.wallClock() / 1000), 1 << 30) + Int.random(in: 0..<1 << 31))
    }
    // Nothing is forgotten here: what was off for a season is remembered by monitors that are there still, and those that
    // are not are forgotten with what happens next.
    changeAtOnce { store, now in store.expire(at: now) }
  }

  /// How long monitors that are gone are remembered.
  var retention: SessionModel.Retention {
    SessionModel.Retention(milliseconds: Int64(settings.monitorDays) * 86_400_000)
  }

  private func receive(_ arrivals: AsyncStream<CardArrival>) async {
    for await arrival in arrivals {
      switch arrival {
      case .ready(let card): await take(card)
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

  /// The first pictures are on the glass: now there is time to ask whether their fonts are still the right ones.
  private func confirmFonts() async {
    for painter in painters where await painter.confirmFonts() {
      for output in outputs where output.painter === painter { redraw(output) }
    }
  }

  private func take(_ card: any DisplayCard) async {
    // A device can come back under its old name before the reading of the old node has come to its end.
    if let former = desks[card.path] { await lose(former, because: "another device has its place") }
    guard !isClosing else { return await card.close() }
    unopened[card.path] = nil
    deskCount += 1
    let machine = CardMachine(
      path: card.path, commitsTogether: card.commitsTogether, patience: environment.patience,
      // Painters serve outputs of several cards.
      firstSurface: deskCount << 32)
    let desk = CardDesk(card, machine: machine)
    desks[card.path] = desk
    // Virtual monitors that were plugged before a restart are plugged again before the first probe, and before the event
    // of the monitor that the card has at first.
    if environment.simulator != nil {
      await restored()
      guard desks[card.path] === desk else { return }
    }
    Task { await listen(to: desk) }
    await reconcile(desk)
  }

  private func listen(to desk: CardDesk) async {
    for await event in desk.card.events {
      switch event {
      case .flipped(let crtc, let sequence, let time):
        heard(Flip(crtc: crtc, sequence: sequence, time: time), desk)
      case .changed(let connector): feed(.hint(connector: connector), to: desk)
      case .masterChanged: feed(.masterChanged, to: desk)
      case .lost: await lose(desk, because: "the device is gone")
      }
    }
  }

  /// The painter with the least to do: a new monitor's first picture takes longer than a frame, and is not to hold up what
  /// moves on another one. The first one was warmed up.
  var freestPainter: Painter {
    let served = unorderedOutputs
    func load(of painter: Painter) -> (Int, Int) {
      let own = served.filter { $0.painter === painter }
      return (own.count { $0.isLit && $0.moving != nil }, own.count)
    }
    return painters.min { load(of: $0) < load(of: $1) } ?? painters[0]
  }

  func nextEntry() -> Int {
    entryCount += 1
    return entryCount
  }

  /// All outputs, by name.
  var outputs: [Output] { unorderedOutputs.naturallySorted { $0.name } }

  /// All outputs in any order, for what happens on each flip.
  var unorderedOutputs: [Output] { desks.values.flatMap(\.outputs.values) }

  func output(_ name: String) -> (CardDesk, Output)? {
    for desk in desks.values { if let output = desk.outputs[name] { return (desk, output) } }
    return nil
  }
}
