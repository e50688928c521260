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
import SystemCalls
import Systemd
import Uevents
import VirtualDisplays

/// The daemon, assembled from its parts: startup, reload, and shutdown.
package enum Service {
  /// The version that every interface reports.
  package static let version = PlacardVersion.current

  /// Runs until SIGTERM or SIGINT; must be called on the main thread, before any other thread starts.
  ///
  /// - Parameter options: The command line.
  /// - Returns: The exit status.
  package static func run(_ options: ServiceOptions) -> Int32 {
    // Transparent huge pages would turn small heap blocks into 2 MB each over time. Ignore a failure.
    placard_use_small_pages()
    // A screenshot of 1920x1080 takes 15 MB for a moment: return that memory to the kernel afterward.
    placard_give_back_large_pieces()
    OpenFiles.allowMany()
    let signals = Signals()
    let settings: Settings
    let listener: WebListenerSettings?
    do {
      settings = try options.settings()
      listener = try settings.controller.listener()
    } catch {
      complain(error)
      return 2
    }
    let loops = Loops.start()
    let daemon: Daemon
    do {
      daemon = try Daemon(options, settings, listener, loops)
      try daemon.wait { try await daemon.open() }
    } catch {
      complain(error)
      return 1
    }
    while case .reload = signals.next() { try? daemon.wait { await daemon.reload() } }
    daemon.limitEnd(signals)
    try? daemon.wait { await daemon.close() }
    return 0
  }

  /// Writes to standard error why the daemon does not run.
  package static func complain(_ error: any Error) {
    LineWriter.standardError.write("placardd: \(error)\n") { "placardd: \($0) log lines were dropped\n" }
  }
}

/// The running application, isolated to the control loop.
private actor Daemon {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loops.control.executor.asUnownedSerialExecutor() }

  private nonisolated let options: ServiceOptions
  private nonisolated let loops: Loops
  private nonisolated let manager = ServiceManager()
  private nonisolated let notices: ManagerNotices
  private nonisolated let logger: Logger
  private nonisolated let threshold: LogThreshold
  private nonisolated let ending: Shutdown
  private let settings: Settings
  private let listener: WebListenerSettings?
  private let hardware: Hardware
  /// The listener for hotplug events, until the first frames are presented.
  private var hotplugs: HotplugListener?
  private let recorder: Recorder?
  private nonisolated let persistence: ArchivePersistence
  private let pictures: UploadedImages
  private let loader: ImageLoader
  private let director: Director
  private let socket: SocketClaim
  private var server: ControlServer?
  private var controllerSleep: HostSuspend?

  init(_ options: ServiceOptions, _ settings: Settings, _ listener: WebListenerSettings?, _ loops: Loops) throws {
    self.options = options
    self.settings = settings
    self.listener = listener
    self.loops = loops
    ending = Shutdown(on: loops.shutdown)
    notices = ManagerNotices(manager, on: loops.shutdown)
    let threshold = LogThreshold(settings.logLevel)
    let lines = LogLines(threshold)
    let logger = Logger(label: "placardd") { _ in lines }
    self.threshold = threshold
    self.logger = logger
    // Do this before writing a file or opening a card: another daemon may own this socket or this state.
    socket = try SocketClaim(path: settings.socket ?? SocketPath.listening())
    persistence = try ArchivePersistence(
      path: settings.storage.preparedPath(),
      limits: ArchiveLimits(historyDays: settings.historyDays, bytes: settings.historyBytes), loop: loops.disk,
      logger: logger)
    recorder = try Recorder(options, settings, loops, logger)
    hardware = Hardware(settings, loops, logger, recorder)
    // The socket for uevents is open before the cards are enumerated, so that no event is lost. The cards are opened
    // while the rest is created here.
    hotplugs = hardware.listener()
    Task { [source = hardware.source] in await source.start() }
    loader = ImageLoader(ImageReader(settings.pictureFolders))
    pictures = UploadedImages(
      path: settings.storage.imagesFolder, limit: settings.imagesBytes, loop: loops.disk, loader: loader)
    var environment = Director.Environment(
      backend: .init(rawValue: hardware.source.backend) ?? .kms, version: Service.version, pid: getpid(),
      now: SystemClock.monotonicNanoseconds, wallClock: SystemClock.wallMilliseconds,
      sinceBoot: SystemClock.bootMilliseconds, greeting: Scene(.start), host: Host.name(),
      simulator: hardware.simulator, pictures: pictures,
      edids: { [loop = loops.disk] folder in await EDIDFolder(loop: loop).read(folder) },
      fontMemory: ServiceDirectory.cache.path("fonts"), loader: loader, observer: recorder,
      droppedLogLines: { lines.dropped() })
    environment.logLines = { lines.recent.lines }
    let checks = MachineChecks(loop: loops.disk, socket: socket.path)
    environment.examine = { await checks.report($0, $1, $2) }
    director = Director(
      settings: settings, loop: loops.control, renderLoops: loops.renderLoops, imageLoop: loops.imageLoop,
      environment: environment,
      persistence: persistence, logger: logger)
  }

  /// Blocks the main thread until the work on the control loop is done.
  nonisolated func wait(_ work: @escaping @Sendable () async throws -> Void) throws {
    let done = loops.control.makePromise(of: Void.self)
    done.completeWithTask { try await work() }
    try done.futureResult.wait()
  }

  /// Shows the first frames, opens the control socket, and notifies the service manager when the first displays are
  /// enabled.
  ///
  /// Everything else waits for the first frames to be presented, but the control socket waits at most one second for a
  /// slow card.
  ///
  /// - Throws: Any error of the control server, after the displays are closed.
  func open() async throws {
    await director.start(hardware.source, isSourceStarted: true)
    Task { [persistence, director] in
      for await loss in persistence.losses { await director.record(loss) }
    }
    await director.settled(within: .seconds(1))
    hardware.follow(hotplugs.take())
    await followController(settings)
    // The configuration was read, so that a reload that the last run refused is over.
    await director.resolve(.refusedReload)
    do {
      server = try await ControlServer.start(
        service: director, socket: socket, eventLoop: loops.control, logger: logger,
        limits: settings.controller.limits, web: self.listener, documents: StaticDocuments.document)
    } catch {
      await director.close()
      throw error
    }
    let page = await publishAddress(settings)
    // A driver that accepts modes but never flips goes through its mode ladder for minutes; the status reports that.
    await director.settled(within: .seconds(10))
    // Subscribe before the summary, so that every later change arrives as an event.
    let events = await director.events()
    let summary = await summary()
    notices.send(.ready, .status(summary))
    logger.info("ready: \(summary), control on \(socket.path)\(page.map { ", the page at \($0)" } ?? "")")
    Task { await reportStatus(events) }
    ClockChanges(on: loops.control, logger: logger) { [director] in Task { await director.clockWasSet() } }.start()
    if let interval = manager.watchdogInterval { startWatchdog(interval) }
  }

  /// Reads the configuration again, performing fallible steps first so that a failed reload applies nothing.
  func reload() async {
    notices.send(.reloading(microseconds: SystemClock.monotonicNanoseconds() / 1000))
    do {
      let settings = try options.settings()
      let listener = try settings.controller.listener()
      try await server?.setWeb(listener, limits: settings.controller.limits)
      await apply(settings)
      await director.resolve(.refusedReload)
      logger.info("configuration reloaded")
    } catch {
      logger.error("\(error); the settings are unchanged")
      await director.record(
        Loss(
          .refusedReload,
          "the reload was refused, and the settings are unchanged: \(error); correct the configuration, then reload "
            + "again (systemctl reload placard)"))
    }
    notices.send(.ready)
  }

  /// Applies new settings; no step can fail.
  private func apply(_ new: Settings) async {
    threshold.level = Logger.Level(new.logLevel)
    loader.allow(new.pictureFolders)
    await director.apply(new)
    await followController(new)
    await publishAddress(new)
    let keys = settings.restartKeys(for: new)
    if !keys.isEmpty { logger.warning("\(Settings.restartReason(keys))") }
  }

  /// Shuts everything down; the console returns when the last card closes.
  func close() async {
    ending.begin("the control server")
    await server?.close()
    ending.begin("the recording")
    recorder?.finish()
    ending.begin("the displays")
    await director.close()
    ending.begin("the state")
    await persistence.close()
    ending.begin("the pictures")
    await pictures.close()
    logger.info("ended")
  }

  /// Ends the process if `close()` does not finish, or on a second signal meanwhile.
  nonisolated func limitEnd(_ signals: Signals) {
    // The loop of the notifications waits for the end from now on.
    notices.send(.stopping)
    ending.limit {
      signals.ends(within: $0)
    } store: { [persistence] in
      await persistence.close()
    } log: { [logger] in
      logger.error("\($0)")
    }
  }

  /// Updates the displays and clients with the address of the page, and returns it.
  @discardableResult
  private func publishAddress(_ settings: Settings) async -> String? {
    let address = settings.controller.pageAddress(await server?.webAddress())
    await director.setAddress(address)
    return address
  }

  /// Lets external displays sleep with the machine, or no longer.
  private func followController(_ settings: Settings) async {
    guard settings.sleepsOnHostSuspend else {
      await controllerSleep?.end()
      controllerSleep = nil
      return await director.resolve(.missingBus)
    }
    controllerSleep = controllerSleep ?? HostSuspend(director, Logind(loop: loops.control, logger: logger))
  }

  private func summary() async -> String {
    let status = await director.status()
    return "\(status.lit) of \(status.connected) displays lit" + (status.problems.first.map { "; \($0)" } ?? "")
  }

  /// Updates the status text of the service manager after each event about a monitor or the service's health.
  private func reportStatus(_ events: AsyncStream<ControlEvent>) async {
    for await event in events {
      switch event.kind {
      case .connected, .disconnected, .modeChanged, .stateChanged, .dark, .asleep, .healthChanged:
        notices.send(.status(await summary()))
      case .messageShown, .sessionOpened, .sessionMoved, .sessionClosed, .messagePosted, .messageAcknowledged,
        .messageEnded, .sessionChanged, .boardChanged, .libraryChanged, .modePending:
        break
      }
    }
  }

  private nonisolated func startWatchdog(_ interval: Duration) {
    let interval = TimeAmount(interval)
    let signs = ThreadLiveness(of: loops.renderLoops)
    loops.control.scheduleRepeatedTask(initialDelay: interval, delay: interval) { [notices, logger] _ in
      if signs.areComplete() {
        notices.send(.watchdog)
        return
      }
      logger.error(
        "a render thread has not responded for \(interval); the service manager will restart the service")
    }
  }
}
