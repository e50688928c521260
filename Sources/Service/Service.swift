import Access
import Archive
import CLinux
import Configuration
import Control
import ControlHTTP
import Director
import Displays
import Glibc
import KMS
import Logging
import Logind
import NIOCore
import NIOPosix
import Pictures
import Recording
import Scenes
import Systemd
import Uevents
import VirtualDisplays

/// The service: everything put together, from the first signal mask to the last buffer.
public enum Service {
  /// The version that every interface tells.
  public static let version = PlacardVersion.current

  /// Runs until SIGTERM or SIGINT. Must be called on the main thread, before any other thread starts.
  ///
  /// - Returns: the process's exit status.
  public static func run(_ options: ServiceOptions) -> Int32 {
    // Huge pages would make 2 MB of each few letters' heap, sooner or later. Where that fails, it is as it was.
    placard_use_small_pages()
    // A screenshot of 1920x1080 takes 15 MB for a moment, and not for the months that follow.
    placard_give_back_large_pieces()
    OpenFiles.allowMany()
    let signals = Signals()
    let settings: Settings
    let door: WebDoor?
    do {
      settings = try options.settings()
      door = try settings.controller.door()
    } catch {
      complain(error)
      return 2
    }
    let loops = Loops.start()
    let house: House
    do {
      house = try House(options, settings, door, loops)
      try house.wait { try await house.open() }
    } catch {
      complain(error)
      return 1
    }
    while case .reload = signals.next() { try? house.wait { await house.reload() } }
    house.limitEnd(signals)
    try? house.wait { await house.close() }
    return 0
  }

  /// Says on standard error why the service does not run.
  public static func complain(_ error: any Error) {
    LineWriter.standardError.write("placardd: \(error)\n") { "placardd: \($0) log lines were dropped\n" }
  }
}

/// What runs, for as long as it runs. Works on the control loop.
private actor House {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loops.control.executor.asUnownedSerialExecutor() }

  private nonisolated let options: ServiceOptions
  private nonisolated let loops: Loops
  private nonisolated let manager = ServiceManager.current()
  private nonisolated let logger: Logger
  private nonisolated let threshold: LogThreshold
  private nonisolated let ending = Ending()
  private let settings: Settings
  private let door: WebDoor?
  private let hardware: Hardware
  private let recorder: Recorder?
  private nonisolated let keeper: ArchiveKeeper
  private let pictures: UploadedPictures
  private let loader: PictureLoader
  private let director: Director
  private let socket: SocketClaim
  private var server: ControlServer?
  private var controllerSleep: ControllerSleep?

  init(_ options: ServiceOptions, _ settings: Settings, _ door: WebDoor?, _ loops: Loops) throws {
    self.options = options
    self.settings = settings
    self.door = door
    self.loops = loops
    let threshold = LogThreshold(settings.logLevel)
    let lines = LogLines(threshold)
    let logger = Logger(label: "placardd") { _ in lines }
    self.threshold = threshold
    self.logger = logger
    // Before a file is written or a card is opened: another service may have this socket or this state.
    socket = try SocketClaim(path: settings.socket ?? SocketPath.listening())
    keeper = try ArchiveKeeper(
      path: settings.storage.preparedPath(),
      limits: ArchiveLimits(historyDays: settings.historyDays, bytes: settings.historyBytes), loop: loops.disk,
      logger: logger)
    recorder = try Recorder(options, settings, loops, logger)
    hardware = Hardware(settings, loops, logger, recorder)
    loader = PictureLoader(PictureReader(settings.pictureFolders))
    pictures = UploadedPictures(
      path: settings.storage.picturesFolder, limit: settings.picturesBytes, loop: loops.disk, loader: loader)
    var environment = Director.Environment(
      backend: hardware.source.backend, version: Service.version, pid: getpid(), now: Clock.monotonic,
      wallClock: Clock.wall, sinceBoot: Clock.boot, greeting: Scene(.start), host: Host.name(),
      simulator: hardware.simulator,
      pictures: pictures,
      edids: { [loop = loops.disk] folder in await EDIDFolder(loop: loop).read(folder) },
      fontMemory: ServiceDirectory.cache.path("fonts"), loader: loader, witness: recorder,
      droppedLogLines: { lines.dropped() })
    environment.logLines = { lines.recent.lines }
    let checks = MachineChecks(loop: loops.disk, socket: socket.path)
    environment.examine = { await checks.report($0, $1, $2) }
    director = Director(
      settings: settings, loop: loops.control, lanes: loops.lanes, press: loops.press, environment: environment,
      keeper: keeper, logger: logger)
  }

  /// Blocks the main thread until the work on the control loop is done.
  nonisolated func wait(_ work: @escaping @Sendable () async throws -> Void) throws {
    let done = loops.control.makePromise(of: Void.self)
    done.completeWithTask { try await work() }
    try done.futureResult.wait()
  }

  /// Opens the cards and the control socket, and tells the service manager when the first displays are lit.
  ///
  /// The uevent socket is open before the cards are looked for. Nothing else is done until the first pictures are on the
  /// glass, but that the control socket does not wait for a card that takes long.
  func open() async throws {
    let listener = hardware.listener()
    await director.start(hardware.source)
    Task { [keeper, director] in
      for await loss in keeper.losses { await director.record(loss) }
    }
    await director.settled(within: .seconds(1))
    hardware.follow(listener)
    await followController(settings)
    // The configuration was read, so that a reload that the last run refused is over.
    await director.resolve(.refusedReload)
    do {
      server = try await ControlServer.start(
        service: director, socket: socket, eventLoop: loops.control, logger: logger,
        limits: settings.controller.limits, web: door, documents: PageShelf.document)
    } catch {
      await director.close()
      throw error
    }
    let page = await tellAddress(settings)
    // A driver that takes modes and never flips is stepped down its ladder for minutes; the status tells of it.
    await director.settled(within: .seconds(10))
    // Before the summary: what happens after it is told by an event, and none is missed.
    let events = await director.events()
    let summary = await summary()
    manager.notify(.ready, .status(summary))
    logger.info("ready: \(summary), control on \(socket.path)\(page.map { ", the page at \($0)" } ?? "")")
    Task { await reportStatus(events) }
    if let interval = manager.watchdogInterval { startWatchdog(interval) }
  }

  /// Reads the configuration again. What can fail comes first, so that a refused reload applies nothing.
  func reload() async {
    manager.notifyReloading()
    do {
      let settings = try options.settings()
      let door = try settings.controller.door()
      try await server?.setWeb(door, limits: settings.controller.limits)
      await apply(settings)
      await director.resolve(.refusedReload)
      logger.info("configuration read again")
    } catch {
      logger.error("\(error); the settings stay as they were")
      await director.record(
        Loss(
          .refusedReload,
          "the reload was refused, and the settings stay as they were: \(error); correct the configuration, then reload "
            + "again (systemctl reload placard)"))
    }
    manager.notify(.ready)
  }

  /// Applies new settings. None of it can fail.
  private func apply(_ new: Settings) async {
    threshold.level = Logger.Level(new.logLevel)
    loader.allow(new.pictureFolders)
    await director.apply(new)
    await followController(new)
    await tellAddress(new)
    let keys = settings.restartKeys(for: new)
    if !keys.isEmpty { logger.warning("\(Settings.restartReason(keys))") }
  }

  /// Ends everything; the console returns with the last card.
  func close() async {
    manager.notify(.stopping)
    ending.begin("the control server")
    await server?.close()
    ending.begin("the recording")
    recorder?.finish()
    ending.begin("the displays")
    await director.close()
    ending.begin("the state")
    await keeper.close()
    ending.begin("the pictures")
    await pictures.close()
    logger.info("ended")
  }

  /// Ends the process where `close` does not come to its end, or where a second signal comes meanwhile.
  nonisolated func limitEnd(_ signals: Signals) {
    ending.limit {
      signals.ends(within: $0)
    } store: { [keeper] in
      await keeper.close()
    } log: { [logger] in
      logger.error("\($0)")
    }
  }

  /// Tells displays and clients where the page is.
  @discardableResult
  private func tellAddress(_ settings: Settings) async -> String? {
    let address = settings.controller.pageAddress(await server?.webAddress())
    await director.setAddress(address)
    return address
  }

  /// Lets external displays sleep with the machine, or no longer.
  private func followController(_ settings: Settings) async {
    guard settings.sleepsWithController else {
      await controllerSleep?.end()
      controllerSleep = nil
      return await director.resolve(.missingBus)
    }
    controllerSleep = controllerSleep ?? ControllerSleep(director, Logind(loop: loops.control, logger: logger))
  }

  private func summary() async -> String {
    let status = await director.status()
    return "\(status.lit) of \(status.connected) displays lit" + (status.problems.first.map { "; \($0)" } ?? "")
  }

  /// Wakes only when something happened.
  private func reportStatus(_ events: AsyncStream<ControlEvent>) async {
    for await event in events where event.kind != .messageShown {
      manager.notify(.status(await summary()))
    }
  }

  private nonisolated func startWatchdog(_ interval: Duration) {
    let interval = TimeAmount(interval)
    let signs = SignsOfLife(of: loops.lanes)
    loops.control.scheduleRepeatedTask(initialDelay: interval, delay: interval) { [manager, logger] _ in
      if signs.areComplete() {
        manager.notify(.watchdog)
        return
      }
      logger.error(
        "a render thread has given no sign of life for \(interval); the service manager will restart the service")
    }
  }
}
