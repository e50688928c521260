import Configuration
import Control
import Director
import Displays
import Geometry
import Glibc
import Logging
import NIOCore
import NIOPosix
import Pictures
import Scenes
import Synchronization
import SystemCalls
import VirtualDisplays
import Testing
import Waiting

/// A director with a card in memory. Flips complete immediately unless the card holds them back.
final class Harness: Sendable {
  let card: VirtualCard
  let director: Director
  let log = KeptLog()
  let clock: ManualClock
  let persistence: KeptRecords
  let turns: Turns
  private let source: VirtualSource

  static let now: @Sendable () -> UInt64 = SystemClock.monotonicNanoseconds

  /// Creates a director that is not started.
  ///
  /// `now` replaces the host's clock, because on a busy host seconds pass between two lines of a test. Timestamps of
  /// flips are `stampsAhead` nanoseconds ahead of it.
  init(
    _ settings: Settings = Settings(message: "Hello"), crtcs: Int = 16,
    patience: FrameMachine.Patience = .init(flip: 60_000_000_000, busy: 1_000_000),
    clock: ManualClock = ManualClock(),
    persistence: KeptRecords = KeptRecords(), now: @escaping @Sendable () -> UInt64 = Harness.now,
    stampsAhead: UInt64 = 0,
    pictures: (any PictureFolder)? = nil, keepsJournal: Bool = true,
    loop: (any EventLoop)? = nil, renderLoops: [any EventLoop]? = nil, painters: Int = 1,
    edids: @escaping @Sendable (_ folder: String) async -> [[UInt8]] = { _ in [] },
    fontMemory: String? = nil, loader: ImageLoader = ImageLoader(), greeting: Scene? = nil, host: String? = nil,
    inspectionLimit: Duration = .seconds(3600)
  ) {
    self.clock = clock
    self.persistence = persistence
    card = VirtualCard(crtcs: crtcs, keepsJournal: keepsJournal, clock: { now() + stampsAhead })
    source = VirtualSource(card)
    let log = log
    let logger = Logger(label: "test") { _ in log }
    let group = NIOSingletons.posixEventLoopGroup
    let turns = Turns(on: loop ?? group.next())
    self.turns = turns
    var environment = Director.Environment(
      backend: .virtual, version: "test", pid: getpid(), now: now,
      wallClock: { clock.now }, sinceBoot: { clock.sinceBoot }, greeting: greeting, host: host, simulator: card,
      pictures: pictures, edids: edids, fontMemory: fontMemory,
      loader: loader, patience: patience)
    environment.inspectionLimit = inspectionLimit
    director = Director(
      settings: settings, loop: turns.observed(),
      renderLoops: (renderLoops ?? (0..<painters).map { _ in group.next() }).map { turns.observed($0) },
      environment: environment,
      persistence: persistence, logger: logger)
  }

  func start() async {
    await director.start(source)
    await director.settled()
  }

  /// Waits until a condition is false. It is checked now and after each job of the director and its painters.
  func waitWhile(
    sourceLocation: SourceLocation = #_sourceLocation, _ isSo: @escaping @Sendable (isolated Director) -> Bool
  ) async {
    let director = director
    await turns.wait(sourceLocation: sourceLocation) { !director.assumeIsolated(isSo) }
  }

  /// Waits until a condition that does not need the director is false. The director may be busy.
  func waitWhile(
    sourceLocation: SourceLocation = #_sourceLocation, _ isSo: @escaping @Sendable () -> Bool
  ) async {
    await turns.wait(onActor: false, sourceLocation: sourceLocation) { !isSo() }
  }

  /// Waits until no display has a pending frame, flip or modeset.
  func rest() async { await waitWhile { director in !director.isResting } }

  /// Waits until the director and its painters have completed all work that is due.
  func drain() async {
    for _ in 0..<4 {
      await director.waitForPainters()
      await turns.flush()
    }
  }

  /// Plugs in a monitor of a size, and waits until the director has handled it.
  @discardableResult
  func plug(_ width: Int, _ height: Int, into name: String? = nil) async throws -> DisplayReport {
    try await director.plug(PlugRequest(display: name, width: width, height: height))
  }

  /// Sets a message for one display or all, and waits until it is presented.
  func show(_ text: String, on display: String? = nil) async throws -> MessageReport {
    try await director.setMessage(MessageRequest(text: text, display: display, wait: true))
  }

  func display(_ name: String) async -> DisplayReport? { await director.display(name) }

  /// Waits until a display is being enabled or is lit, because the state `lighting` can be too short to observe.
  func isBeingLit(_ name: String) async {
    await waitWhile { director in ![.lighting, .lit].contains(director.display(name)?.state) }
  }

  /// Waits until a display is dark, and returns its report. The fault must last: after one that is over, the display is
  /// lit again, perhaps before the test sees that it was dark.
  func darkness(of name: String) async -> DisplayReport? {
    var report: DisplayReport?
    await wait {
      report = await display(name)
      return report?.state ?? .dark == .dark
    }
    return report
  }

  /// Waits until a condition is true. It is checked now and after each event; after ten minutes the test fails.
  func wait(sourceLocation: SourceLocation = #_sourceLocation, until isDone: () async -> Bool) async {
    let events = await director.events()
    if await isDone() { return }
    let (signals, signal) = AsyncStream.makeStream(of: Void.self)
    let forwarding = Task { for await _ in events { signal.yield() } }
    let limit = NIOSingletons.posixEventLoopGroup.next().scheduleTask(in: .minutes(10)) { signal.finish() }
    defer {
      forwarding.cancel()
      limit.cancel()
    }
    for await _ in signals where await isDone() { return }
    Issue.record("the condition was still false after the time limit", sourceLocation: sourceLocation)
  }

  /// The journal of the card without flips.
  var modesets: [String] { card.journal.filter { !$0.hasPrefix("flip") } }
}

/// The lines that a director logs.
final class KeptLog: LogHandler {
  private let kept = Mutex<[(level: Logger.Level, text: String)]>([])

  /// All lines so far.
  var lines: [String] { kept.withLock { $0.map(\.text) } }
  /// Warnings and errors so far.
  var complaints: [String] { kept.withLock { $0.filter { $0.level >= .warning }.map(\.text) } }

  func log(event: LogEvent) {
    kept.withLock { $0.append((event.level, event.message.description)) }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }

  var logLevel: Logger.Level {
    get { .debug }
    set {}
  }
}

/// A list of errors that any thread can extend.
final class KeptErrors: Sendable {
  private let kept = Mutex<[ControlError]>([])

  var all: [ControlError] { kept.withLock { $0 } }

  func add(_ error: ControlError) { kept.withLock { $0.append(error) } }
}

/// A manual clock of milliseconds since 1970.
final class ManualClock: Sendable {
  private let time: Mutex<Int64>
  private let ahead = Mutex<Int64>(0)

  /// Creates a clock; the default is 2026-11-21 12:00:30 UTC.
  init(_ milliseconds: Int64 = 1_795_262_430_000) { time = Mutex(milliseconds) }

  /// The clock since boot, which `now` advances and `set(_:)` does not.
  var sinceBoot: Int64 { now - ahead.withLock { $0 } }

  /// Sets the wall clock without letting time pass.
  func set(_ moment: Int64) {
    ahead.withLock { $0 += moment - now }
    now = moment
  }

  /// The wall time. Setting it lets time pass.
  var now: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}

/// A persistence in memory, with which another director can start.
final class KeptRecords: Persistence {
  private struct Kept {
    var records: [String: Record] = [:]
    var steps: [HistoryChange] = []
    var isSettled = true
    var writeAction: (@Sendable () -> Void)?
  }

  private let kept = Mutex(Kept())
  private let isReadable: Bool
  private let keepsPlugs: Bool

  /// Creates a persistence with records.
  ///
  /// An unreadable one accepts records, but does not load any, like a disk that is mounted late. Unless it keeps plugs,
  /// virtual monitors are unplugged after a restart, as real ones may be.
  init(_ records: [Record] = [], isReadable: Bool = true, keepsPlugs: Bool = false) {
    self.isReadable = isReadable
    self.keepsPlugs = keepsPlugs
    write(records.map { .put($0) })
  }

  /// The changes of the history so far.
  var steps: [HistoryChange] { kept.withLock { $0.steps } }
  /// Whether the director has waited for the disk since the last change.
  var isSettled: Bool { kept.withLock { $0.isSettled } }
  /// The stored records.
  var records: [Record] { kept.withLock { Array($0.records.values) } }

  func load() async -> [Record]? {
    isReadable ? records.filter { keepsPlugs || $0.kind != "virtual" } : nil
  }

  /// Has a closure called at the beginning of each write.
  func beforeWrites(_ action: @escaping @Sendable () -> Void) { kept.withLock { $0.writeAction = action } }

  func write(_ changes: [RecordChange]) {
    kept.withLock { $0.writeAction }?()
    kept.withLock { kept in
      if !changes.isEmpty { kept.isSettled = false }
      for change in changes {
        switch change {
        case .put(let record): kept.records["\(record.kind) \(record.key)"] = record
        case .remove(let kind, let key): kept.records["\(kind) \(key)"] = nil
        }
      }
    }
  }

  func note(_ step: HistoryChange) { kept.withLock { $0.steps.append(step) } }

  func settled() async { kept.withLock { $0.isSettled = true } }

  func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine] { [] }

  func summary() async -> PersistenceSummary { PersistenceSummary("in memory, for tests") }
}
