package import Displays
package import Logging
package import NIOCore
import Glibc
import Ordering
package import SystemFiles
package import Uevents

/// A source of the machine's cards, which scans at start and on hotplug events and retries cards that other programs
/// hold.
///
/// The number of a card has no meaning: simpledrm can be card0 and disappear, and a render-only node can come first.
/// Any node with connectors and CRTCs counts.
package actor CardSupervisor: CardSource {
  /// The name of the backend, `kms`.
  package nonisolated let backend = "kms"
  /// The cards as they become available or unavailable, for a single consumer.
  package nonisolated let arrivals: AsyncStream<CardArrival>
  /// The executor of the loop that the supervisor was created with.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  private enum Place {
    case open(KMSCard, ReopenBackoff)
    case opening
    case ignored
    case waiting(Wait)
  }

  private struct Wait {
    var backoff = MasterBackoff()
    var since: NIODeadline
    var timer: Scheduled<Void>?
    /// The state that was last reported; nil if none was.
    var reported: WaitingCard?
    var reopening = ReopenBackoff()
  }

  private enum Signal {
    case hint(HotplugEvent)
    case retry(String)
    case released(String)
    case closed(KMSCard)
    case hintsEnded
  }

  private nonisolated let loop: any EventLoop
  private nonisolated let workers: [any EventLoop]
  private nonisolated let flips: any EventLoop
  private nonisolated let isAtomicAllowed: Bool
  private nonisolated let directory: String
  private nonisolated let files: SystemFiles
  private nonisolated let patience: TimeAmount
  private nonisolated let logger: Logger
  private nonisolated let continuation: AsyncStream<CardArrival>.Continuation
  private var places: [String: Place] = [:]
  /// The cards of the initial scan whose first attempt has neither ended nor been reported as slow.
  private var unsettled: Set<String> = []
  /// The cards whose attempt in progress was reported as slow.
  private var slow: Set<String> = []
  private var watches: [String: MasterWatchBox] = [:]
  private let signals: AsyncStream<Signal>
  private nonisolated let signal: AsyncStream<Signal>.Continuation

  /// Creates a supervisor of the nodes in a directory.
  ///
  /// - Parameters:
  ///   - loop: The event loop of the actor.
  ///   - workers: The event loops for blocking calls, at least one, on which cards are distributed by their numbers.
  ///   - flips: The event loop that reads flip events.
  ///   - isAtomicAllowed: False to use the legacy interface on all cards.
  ///   - directory: The directory of the device nodes.
  ///   - files: The reader of /proc and /sys.
  ///   - patience: The duration after which an open call that has not returned is reported.
  ///   - logger: The logger.
  package init(
    loop: any EventLoop, workers: [any EventLoop], flips: any EventLoop, isAtomicAllowed: Bool,
    directory: String = "/dev/dri", files: SystemFiles = SystemFiles(), patience: TimeAmount = .seconds(10),
    logger: Logger
  ) {
    self.loop = loop
    self.workers = workers
    self.flips = flips
    self.isAtomicAllowed = isAtomicAllowed
    self.directory = directory
    self.files = files
    self.patience = patience
    self.logger = logger
    (arrivals, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
  }

  /// Returns the paths of the card nodes in a directory, in numeric order.
  ///
  /// - Parameter directory: The directory of the device nodes.
  /// - Returns: The paths of nodes such as `card0`, without render nodes such as `renderD128`.
  package static func nodes(in directory: String = "/dev/dri") -> [String] {
    SystemFiles().names(in: directory).filter { $0.hasPrefix("card") && Int($0.dropFirst(4)) != nil }
      .sorted { (Int($0.dropFirst(4)) ?? 0) < (Int($1.dropFirst(4)) ?? 0) }.map { "\(directory)/\($0)" }
  }

  /// Begins to open all existing cards, and to handle retries and the events from `follow`.
  package func start() async {
    let paths = Self.nodes(in: directory)
    unsettled = Set(paths)
    if paths.isEmpty { continuation.yield(.settled) }
    for path in paths { attempt(path) }
    Task { await serve() }
  }

  /// Records that the first attempt to open a card has ended, or takes long.
  private func settle(_ path: String) {
    if unsettled.remove(path) != nil, unsettled.isEmpty { continuation.yield(.settled) }
  }

  /// Returns the event loop for the blocking calls of a card.
  private nonisolated func worker(of path: String) -> any EventLoop {
    let digits = path.reversed().prefix { $0.isNumber }.reversed()
    return workers[(Int(String(digits)) ?? 0) % workers.count]
  }

  /// Handles hotplug events until their stream ends.
  ///
  /// The listener must be open before `start` is called. Otherwise a card that appears in between is missed.
  ///
  /// - Parameter hints: The hotplug events.
  package func follow(_ hints: AsyncStream<HotplugEvent>) async {
    for await hint in hints { signal.yield(.hint(hint)) }
    signal.yield(.hintsEnded)
  }

  private func serve() async {
    for await signal in signals {
      switch signal {
      case .hint(let hint): act(on: hint)
      case .retry(let path): retry(path)
      case .released(let path): released(path)
      case .closed(let card): closed(card)
      case .hintsEnded: logger.warning("uevents ended: hotplug is not detected until the service is restarted")
      }
    }
  }

  private func act(on hint: HotplugEvent) {
    switch hint {
    case .cardAdded(let path): cardAppeared(path)
    case .cardRemoved(let path): cardVanished(path)
    case .connectors(let path, let connector, _): sendChanged(path, connector)
    case .overflow: rescan()
    }
  }

  /// Scans all cards again after events were lost.
  private func rescan() {
    let present = Set(Self.nodes(in: directory))
    for path in places.keys where !present.contains(path) { cardVanished(path) }
    for path in present.naturallySorted() { cardAppeared(path) }
    sendChanged(nil)
  }

  private func cardAppeared(_ path: String) {
    switch places[path] {
    case .open(let card, _): card.hint()
    case .opening: break
    case .waiting: retry(path)
    case .ignored, nil: attempt(path)
    }
  }

  private func cardVanished(_ path: String) {
    // The attempt notices that the node is gone, or that another one has its name.
    if case .opening = places[path] { return }
    switch places.removeValue(forKey: path) {
    case .open(let card, _): card.sendLost()
    case .waiting(let wait):
      wait.timer?.cancel()
      continuation.yield(.gone(path: path))
    case .ignored, .opening, nil: break
    }
    watches[path] = nil
  }

  /// Reports a change of a card, or of all cards, and of one connector if it is known.
  private func sendChanged(_ path: String?, _ connector: UInt32? = nil) {
    for (place, state) in places where path == nil || place == path {
      switch state {
      case .open(let card, _): card.hint(connector: connector)
      case .waiting: signal.yield(.retry(place))
      case .opening, .ignored: break
      }
    }
  }

  private func retry(_ path: String) {
    guard case .waiting(let wait) = places[path] else { return }
    wait.timer?.cancel()
    attempt(path, after: wait)
  }

  /// Handles the close of a card's node by another program.
  ///
  /// The minimum delay keeps two waiting programs from waking each other in a busy loop.
  private func released(_ path: String) {
    guard case .waiting(var wait) = places[path] else { return }
    logger.debug("\(path): another program closed it; opening it again")
    // The kernel reports that a file is closed before it releases DRM master: one attempt may come too early.
    wait.backoff.restart(at: .now())
    let earliest = wait.since + .milliseconds(200)
    wait.timer?.cancel()
    if NIODeadline.now() >= earliest { return attempt(path, after: wait) }
    wait.timer = loop.scheduleTask(deadline: earliest) { [signal] in _ = signal.yield(.retry(path)) }
    places[path] = .waiting(wait)
  }

  /// Begins to open a card. Attempts on several cards run side by side.
  private func attempt(_ path: String, after wait: Wait? = nil) {
    places[path] = .opening
    Task {
      await open(path, after: wait)
      slow.remove(path)
      settle(path)
    }
  }

  private func open(_ path: String, after wait: Wait?) async {
    // Remove the watch first, because our own failed attempt closes the node and would trigger it.
    watches[path] = nil
    let report = loop.scheduleTask(in: patience) { [weak self] in
      self?.assumeIsolated { supervisor in supervisor.reportSlowOpening(path) }
    }
    do {
      let card: KMSCard
      do {
        defer { report.cancel() }
        card = try await KMSCard.open(path, isAtomicAllowed: isAtomicAllowed, worker: worker(of: path), events: flips)
      }
      places[path] = .open(card, (wait?.reopening ?? ReopenBackoff()).opened(at: .now()))
      logger.info("\(path): opened, \(card.interface) KMS")
      continuation.yield(.ready(card))
      card.whenClosed { [signal] in signal.yield(.closed(card)) }
    } catch {
      await failed(path, error, after: wait)
    }
  }

  /// Reports a card whose open call has not returned, as during a commit of the kernel's console that hangs.
  ///
  /// The worker is blocked in that call, or in one of another card, so this runs on the loop. It does not read EDIDs:
  /// they need the kernel's lock of the card.
  private func reportSlowOpening(_ path: String) {
    let seconds = patience.nanoseconds / 1_000_000_000
    let reason = "\(path): the kernel has not opened it within \(seconds) s: a driver is blocked; see `dmesg`"
    logger.warning("\(reason)")
    continuation.yield(.waiting(files.waitingCard(path, .noCard, because: reason, readsEDIDs: false)))
    slow.insert(path)
    settle(path)
  }

  /// Handles the end of an open card.
  ///
  /// If its node still exists, the card failed or was replaced by another one. It is then opened again after a delay,
  /// unless `arrivals` has no consumer any more.
  private func closed(_ card: KMSCard) {
    let path = card.path
    guard case .open(let known, let reopening) = places[path], known === card else { return }
    places[path] = nil
    guard Self.nodes(in: directory).contains(path) else { return }
    guard case .enqueued = continuation.yield(.gone(path: path)) else { return }
    let (delay, next) = reopening.closed(at: .now())
    let timer = loop.scheduleTask(in: delay) { [signal] in _ = signal.yield(.retry(path)) }
    places[path] = .waiting(Wait(since: .now(), timer: timer, reported: nil, reopening: next))
  }

  private func failed(_ path: String, _ error: CardError, after wait: Wait?) async {
    switch error.reason {
    case .gone: await handleMissingCard(path, error, after: wait)
    case .other, .refused:
      // A process without free descriptors, or a machine without memory, can recover.
      if [EMFILE, ENFILE, ENOMEM].contains(error.errno) {
        let reason = "\(path): open failed: \(error.message)"
        return self.wait(for: await seen(path, .noCard, reason), after: wait)
      }
      places[path] = .ignored
      logger.info("\(path): not used: \(error.message)")
      // It may have been reported as a card that waits.
      continuation.yield(.gone(path: path))
    case .notMaster, .busy: await waitForMaster(path, error, after: wait)
    }
  }

  /// Handles a card that disappeared while it was opened.
  ///
  /// If its node still exists, the device does not respond yet, as on USB, or was replaced, so it is retried.
  private func handleMissingCard(_ path: String, _ error: CardError, after wait: Wait?) async {
    guard Self.nodes(in: directory).contains(path) else {
      logger.info("\(path): removed before it could be opened")
      (places[path], watches[path]) = (nil, nil)
      continuation.yield(.gone(path: path))
      return
    }
    let reason = "\(path): the card does not respond (\(error.operation): \(error.message))"
    self.wait(for: await seen(path, .noCard, reason), after: wait)
  }

  private func waitForMaster(_ path: String, _ error: CardError, after wait: Wait?) async {
    let isClosed = error.operation == "open"
    let reason =
      isClosed ? "\(path): \(error.message): this user may not open it (add the user to the group video)" : nil
    // The watch comes first: finding the holder reads all of /proc, and the holder may end meanwhile.
    watches[path] = await MasterWatchBox(path, on: loop) { [signal] in _ = signal.yield(.released(path)) }
    self.wait(for: await seen(path, isClosed ? .noCard : .noMaster, reason), after: wait)
  }

  /// Returns the card as the kernel shows it to all programs.
  ///
  /// Both run on the worker: the search for the card's holder reads all of /proc, and reading an EDID waits for the
  /// kernel's lock of the card. A nil `reason` means that another program is DRM master.
  private func seen(_ path: String, _ darkness: Darkness, _ reason: String?) async -> WaitingCard {
    let reading = worker(of: path).submit { [files] in
      files.waitingCard(path, darkness, because: reason ?? MasterHolder.explain(path))
    }
    return (try? await reading.get())
      ?? WaitingCard(path: path, reason: reason ?? "another program is DRM master of \(path)", darkness: darkness)
  }

  /// Schedules the next attempt.
  ///
  /// A reason is logged once, and only changes are reported.
  private func wait(for card: WaitingCard, after wait: Wait?) {
    var backoff = wait?.backoff ?? MasterBackoff()
    // A report of a slow attempt came between.
    let reported = slow.contains(card.path) ? nil : wait?.reported
    if card.reason != reported?.reason { logger.warning("\(card.reason)") }
    if card != reported { continuation.yield(.waiting(card)) }
    let (path, delay) = (card.path, backoff.next())
    logger.debug("\(path): next attempt in \(delay.nanoseconds / 1_000_000) ms")
    let timer = loop.scheduleTask(in: delay) { [signal] in _ = signal.yield(.retry(path)) }
    places[path] = .waiting(
      Wait(backoff: backoff, since: .now(), timer: timer, reported: card, reopening: wait?.reopening ?? ReopenBackoff())
    )
  }
}

/// A box that makes a noncopyable watch storable in a dictionary.
private final class MasterWatchBox {
  private let watch: MasterWatch

  init?(_ path: String, on loop: any EventLoop, released: @escaping @Sendable () -> Void) async {
    guard let watch = await MasterWatch(path, on: loop, released: released) else { return nil }
    self.watch = watch
  }
}

extension CardSupervisor {
  /// Returns whether this machine has a card with connectors, with or without monitors.
  ///
  /// - Parameter directory: The sysfs directory of the DRM class.
  /// - Returns: True if the directory has a connector, such as `card1-HDMI-A-1`.
  package static func hasDisplayCards(_ directory: String = "/sys/class/drm") -> Bool {
    SystemFiles().names(in: directory).contains { $0.hasPrefix("card") && $0.contains("-") }
  }
}
