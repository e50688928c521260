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

/// A director with a card in memory. Flips come at once unless the card holds them back.
final class Rig: Sendable {
  let card: VirtualCard
  let director: Director
  let log = KeptLog()
  let clock: HandClock
  let keeper: KeptRecords
  let turns: Turns
  private let source: VirtualSource

  static let now: @Sendable () -> UInt64 = SystemClock.monotonicNanoseconds

  /// With `now` another clock than the machine's: on a busy machine seconds pass between two lines of a test. Flips are
  /// stamped so many nanoseconds ahead of it.
  init(
    _ settings: Settings = Settings(message: "Hello"), crtcs: Int = 16,
    patience: FrameMachine.Patience = .init(flip: 60_000_000_000, busy: 1_000_000), clock: HandClock = HandClock(),
    keeper: KeptRecords = KeptRecords(), now: @escaping @Sendable () -> UInt64 = Rig.now,
    stampsAhead: UInt64 = 0,
    pictures: (any PictureFolder)? = nil, keepsJournal: Bool = true,
    loop: (any EventLoop)? = nil, lanes: [any EventLoop]? = nil, painters: Int = 1,
    edids: @escaping @Sendable (_ folder: String) async -> [[UInt8]] = { _ in [] },
    loader: ImageLoader = ImageLoader(), greeting: Scene? = nil, host: String? = nil
  ) {
    self.clock = clock
    self.keeper = keeper
    card = VirtualCard(crtcs: crtcs, keepsJournal: keepsJournal, clock: { now() + stampsAhead })
    source = VirtualSource(card)
    let log = log
    let logger = Logger(label: "test") { _ in log }
    let group = NIOSingletons.posixEventLoopGroup
    let turns = Turns(on: loop ?? group.next())
    self.turns = turns
    director = Director(
      settings: settings, loop: turns.observed(),
      lanes: (lanes ?? (0..<painters).map { _ in group.next() }).map { turns.observed($0) },
      environment: Director.Environment(
        backend: "virtual", version: "test", pid: getpid(), now: now,
        wallClock: { clock.now }, sinceBoot: { clock.sinceBoot }, greeting: greeting, host: host, simulator: card,
        pictures: pictures, edids: edids,
        loader: loader, patience: patience),
      keeper: keeper, logger: logger)
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

  /// Waits until a condition that does not need the director is false, which may be busy meanwhile.
  func waitWhile(
    sourceLocation: SourceLocation = #_sourceLocation, _ isSo: @escaping @Sendable () -> Bool
  ) async {
    await turns.wait(onActor: false, sourceLocation: sourceLocation) { !isSo() }
  }

  /// Waits until nothing is on its way to any display.
  func rest() async { await waitWhile { director in !director.isResting } }

  /// Waits until all that is to be done now is done, by the director and its painters.
  func drain() async {
    for _ in 0..<4 {
      await director.hearPainters()
      await turns.flush()
    }
  }

  /// Plugs a monitor of this size and waits until it was dealt with.
  @discardableResult
  func plug(_ width: Int, _ height: Int, into name: String? = nil) async throws -> DisplayReport {
    try await director.plug(PlugRequest(display: name, width: width, height: height))
  }

  /// What a display shows, when the newest message is on it.
  func show(_ text: String, on display: String? = nil) async throws -> MessageReport {
    try await director.setMessage(MessageRequest(text: text, display: display, wait: true))
  }

  func display(_ name: String) async -> DisplayReport? { await director.display(name) }

  /// Returns once a display is being lit, or is lit already: nobody can rely on seeing it in between.
  func isBeingLit(_ name: String) async {
    await waitWhile { director in !["lighting", "lit"].contains(director.display(name)?.state) }
  }

  /// The report of a display once it is dark: the card's own hint may have made the director try once more.
  func darkness(of name: String) async -> DisplayReport? {
    var report: DisplayReport?
    await wait {
      report = await display(name)
      return report?.state ?? "dark" == "dark"
    }
    return report
  }

  /// Returns once a display is as it is to be: asked now, and whenever something is told. Nothing spins meanwhile.
  func wait(until isDone: () async -> Bool) async {
    let events = await director.events()
    if await isDone() { return }
    for await _ in events where await isDone() { return }
  }

  /// Modesets and switch-offs so far, without flips.
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

/// The errors that something met.
final class KeptErrors: Sendable {
  private let kept = Mutex<[ControlError]>([])

  var all: [ControlError] { kept.withLock { $0 } }

  func add(_ error: ControlError) { kept.withLock { $0.append(error) } }
}

/// A clock that is moved by hand: milliseconds since 1970.
final class HandClock: Sendable {
  private let time: Mutex<Int64>
  private let ahead = Mutex<Int64>(0)

  /// 2026-11-21 12:00:30 UTC, unless told otherwise.
  init(_ milliseconds: Int64 = 1_795_262_430_000) { time = Mutex(milliseconds) }

  /// What the machine's own clock says: time passed, or somebody only set this one.
  var sinceBoot: Int64 { now - ahead.withLock { $0 } }

  /// Somebody sets it, and no time passes.
  func set(_ moment: Int64) {
    ahead.withLock { $0 += moment - now }
    now = moment
  }

  /// Moved on, time passes.
  var now: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}

/// Keeps what a director wants kept, in memory: another director can begin with it.
final class KeptRecords: Persistence {
  private struct Kept {
    var records: [String: Record] = [:]
    var steps: [HistoryChange] = []
    var isSettled = true
  }

  private let kept = Mutex(Kept())
  private let isReadable: Bool
  private let keepsPlugs: Bool

  /// With false it takes what it is given, but cannot read what was there, as a disk that comes late. Unless it keeps
  /// plugs, virtual monitors are unplugged after a restart, as real ones may be.
  init(_ records: [Record] = [], isReadable: Bool = true, keepsPlugs: Bool = false) {
    self.isReadable = isReadable
    self.keepsPlugs = keepsPlugs
    write(records.map { .put($0) })
  }

  /// What went on the glass and off it, so far.
  var steps: [HistoryChange] { kept.withLock { $0.steps } }
  /// Whether somebody waited for the disk since the last change.
  var isSettled: Bool { kept.withLock { $0.isSettled } }
  /// What is kept now.
  var records: [Record] { kept.withLock { Array($0.records.values) } }

  func load() async -> [Record]? {
    isReadable ? records.filter { keepsPlugs || $0.kind != "virtual" } : nil
  }

  func write(_ changes: [RecordChange]) {
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
