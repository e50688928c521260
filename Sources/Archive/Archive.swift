public import NIOCore
import Glibc

/// Keeps documents (settings, sessions, messages) and the history of the displays in a file, or in memory until the file
/// can be written.
///
/// No store fails: what cannot be written now waits, bounded, and is tried again with the next store and by a timer;
/// `state` tells. Changes that come while others are being written are written together in the next transaction.
public actor Archive {
  /// Runs on the loop it was given, and waits for the disk there.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  /// Whether everything that was given is on the disk.
  public private(set) var state: ArchiveState
  /// The newest time that the file was removed or replaced while it was open, and was begun anew; nil for never.
  public private(set) var renewal: ArchiveRenewal?

  private nonisolated let loop: any EventLoop
  private let path: String?
  private let limits: ArchiveLimits
  private let patience: Patience
  private let now: @Sendable () -> Int64
  private let report: @Sendable (ArchiveNotice) -> Void
  /// Keeps other services out; nil until the file's folder can be written.
  private var lock: ArchiveLock?
  private var file: ArchiveFile?
  /// What `load` saw, until the file is opened.
  private var glance: Glance?
  private var pending = PendingChanges()
  private var waiters: [CheckedContinuation<ArchiveState, Never>] = []
  /// When what waits is written without being asked: after a failure, and after the calm of the start.
  private var timer: Scheduled<Void>?
  private var failures = 0
  private var isFlushDue = false
  /// Whether the entries that a crash left open were ended. Entries that are open later are those of this service.
  private var hasEndedAbandoned = false
  private var changesSincePruning = 0
  /// How many transactions were committed.
  private(set) var transactions = 0

  /// How long the timer waits after a failure: twice as long after each, up to a bound.
  struct Patience: Sendable {
    var first = TimeAmount.seconds(1)
    var longest = TimeAmount.seconds(60)
    /// How long nothing is written after a load, unless somebody waits for it: the processor and the disk are for the first
    /// pictures then.
    var calm = TimeAmount.seconds(1)

    func delay(after failures: Int) -> TimeAmount {
      let factor = Int64(1) << min(max(failures - 1, 0), 32)
      let (delay, isHuge) = first.nanoseconds.multipliedReportingOverflow(by: factor)
      return isHuge ? longest : min(.nanoseconds(delay), longest)
    }
  }

  /// An archive in the file at `path`, which the first call opens or makes; its folder must be there. With nil it is
  /// kept in memory, and ends with the process.
  ///
  /// `lock` is the one of that path; with nil, or where it is lost, the archive acquires it when it opens the file. `loop`
  /// is one that may block: a store waits for the disk. `report` is called on it.
  public init(
    path: String?, lock: ArchiveLock? = nil, limits: ArchiveLimits = ArchiveLimits(), loop: any EventLoop,
    report: @escaping @Sendable (ArchiveNotice) -> Void
  ) {
    self.init(path: path, lock: lock, limits: limits, loop: loop, patience: Patience(), now: wallClock, report: report)
  }

  /// `now` is in milliseconds since 1970.
  init(
    path: String?, lock: ArchiveLock? = nil, limits: ArchiveLimits, loop: any EventLoop, patience: Patience,
    now: @escaping @Sendable () -> Int64, report: @escaping @Sendable (ArchiveNotice) -> Void
  ) {
    self.path = path
    self.lock = lock
    // Memory is dearer than disk: without a file, history takes a megabyte at most.
    let bytes = path == nil ? min(limits.bytes, 1 << 20) : limits.bytes
    self.limits = ArchiveLimits(historyDays: limits.historyDays, bytes: bytes)
    self.loop = loop
    self.patience = patience
    self.now = now
    self.report = report
    state = path == nil ? .off : .stored
  }

  /// All documents, by kind and key. Call it first. It does not wait for the disk to take something, but where something is
  /// amiss: the file is made ready to be written a moment later, and the entries that a crash left open are ended then.
  ///
  /// Where the file cannot be read there are none but those that wait, and `state` says why; where it can only be read,
  /// `state` says so.
  public func load() -> [StoredDocument] {
    if file == nil, pending.count == 0, let glance = Glance(path) {
      self.glance = glance
      flush(in: patience.calm)
      return glance.documents
    }
    do throws(ArchiveError) {
      let stored = try withFile { file throws(ArchiveError) in try file.documents() }
      // Before anything that waits is written: a file in place of a damaged one is empty until then.
      let documents = pending.applied(to: stored)
      if let refusal = file?.refusal { fail(refusal) } else if pending.count > 0 { flush() } else { succeed() }
      return documents
    } catch {
      fail(error)
      return pending.applied(to: [])
    }
  }

  /// Stores changes, all or none of them: when this returns `.stored`, they are on the disk. Otherwise they wait in
  /// memory, and need not be given again.
  @discardableResult
  public func store(_ changes: [ArchiveChange]) async -> ArchiveState {
    await withCheckedContinuation { waiter in
      pending.add(changes, at: now())
      waiters.append(waiter)
      // Behind whatever else waits for this loop by now: all of that is written with it.
      if waiters.count == 1 { loop.execute { self.assumeIsolated { $0.flush() } } }
    }
  }

  /// Gives changes to be stored, in the order of the calls, without waiting for it: a `store` that is called after it
  /// stores them, too.
  public nonisolated func give(_ changes: [ArchiveChange]) {
    loop.execute { self.assumeIsolated { $0.take(changes) } }
  }

  private func take(_ changes: [ArchiveChange]) {
    pending.add(changes, at: now())
    guard waiters.isEmpty, !isFlushDue, glance == nil else { return }
    isFlushDue = true
    loop.execute { self.assumeIsolated { $0.flush() } }
  }

  /// What was shown, newest first: entries that were still shown after `since` and began before `until` (milliseconds
  /// since 1970; nil for no bound), of one output or of all, with IDs below `before`. What waits in memory is
  /// among them. Throws where the file cannot be read.
  public func history(
    since: Int64? = nil, until: Int64? = nil, display: String? = nil, limit: Int = 100, before: Int64? = nil
  ) throws(ArchiveError) -> [HistoryEntry] {
    let query = HistoryQuery(since: since, until: until, display: display, limit: limit, before: before)
    let stored = try withFile { file throws(ArchiveError) in try file.history(query) }
    return pending.applied(to: stored, for: query)
  }

  /// Looks whether the file is still at its path. Where it was removed or replaced, everything is stored again.
  ///
  /// - Returns: `state` after that.
  public func check() -> ArchiveState {
    if isDisplaced { flush() }
    return state
  }

  /// Stores what waits, closes the file and releases its lock; a later call would open it again.
  ///
  /// - Returns: Whether all is stored.
  @discardableResult
  public func close() -> ArchiveState {
    flush()
    timer?.cancel()
    file = nil
    glance = nil
    lock?.release()
    lock = nil
    return state
  }

  /// Writes what waits, if it can be, and tells those who wait for it.
  private func flush() {
    timer?.cancel()
    timer = nil
    isFlushDue = false
    do throws(ArchiveError) {
      let isRenewed = isDisplaced
      if glance != nil || isRenewed { try withFile(toWrite: true) { _ throws(ArchiveError) in } }
      // Where nothing waits, nothing was tried: what was wrong still is.
      let isWritten = pending.count > 0
      if isWritten { try write() }
      if isWritten || isRenewed { succeed() }
    } catch {
      fail(error)
    }
    for waiter in waiters { waiter.resume(returning: state) }
    waiters = []
  }

  private func write() throws(ArchiveError) {
    // Not handed over as a value: a damaged file adds to what waits before it is tried again.
    try withFile(toWrite: true) { file throws(ArchiveError) in try file.write(pending) }
    // Removed meanwhile: what was written has no name any more.
    if isDisplaced { try withFile(toWrite: true) { _ throws(ArchiveError) in } }
    transactions += 1
    changesSincePruning += pending.count
    if pending.dropped > 0 { report(.dropped(pending.dropped)) }
    pending = PendingChanges()
    if changesSincePruning >= 1000 {
      try? withFile(toWrite: true) { file throws(ArchiveError) in try prune(file) }
    }
  }

  private func prune(_ file: ArchiveFile) throws(ArchiveError) {
    changesSincePruning = 0
    try file.prune(limits, now: now())
  }

  private func succeed() {
    failures = 0
    guard case .inMemory = state else { return }
    state = .stored
    report(.state(state))
  }

  private func fail(_ error: ArchiveError) {
    failures += 1
    var trouble = ArchiveTrouble(error: error, since: now(), pending: pending.count, dropped: pending.dropped)
    var isNews = true
    if case .inMemory(let earlier) = state {
      trouble.since = earlier.since
      isNews = earlier.error.reason != error.reason
    }
    state = .inMemory(trouble)
    if isNews { report(.state(state)) }
    guard pending.count > 0 || isDisplaced, timer == nil else { return }
    flush(in: patience.delay(after: failures))
  }

  private func flush(in delay: TimeAmount) {
    timer = loop.scheduleTask(in: delay) { [weak self] in self?.assumeIsolated { $0.flush() } }
  }

  /// Does something with the file; where it turns out to be damaged, once more with the one that takes its place.
  private func withFile<Result>(
    toWrite: Bool = false, _ body: (ArchiveFile) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    do {
      return try body(opened(toWrite: toWrite))
    } catch {
      guard error.reason == .damaged, let path else { throw error }
      try replace(.damaged(path), because: error)
      return try body(opened(toWrite: toWrite))
    }
  }

  private func opened(toWrite: Bool) throws(ArchiveError) -> ArchiveFile {
    if let file, file.isInPlace, file.refusal == nil || !toWrite { return file }
    if isDisplaced, let displaced = file ?? glance?.file {
      do throws(ArchiveError) {
        return try renew(displaced)
      } catch {
        guard !toWrite else { throw error }
        return displaced
      }
    }
    // Closed before it is opened anew: of two connections, neither could have it for itself.
    file = nil
    glance = nil
    let found = try opened(path)
    file = found
    if let refusal = found.refusal {
      guard !toWrite else { throw refusal }
      return found
    }
    try endAbandoned(in: found)
    do throws(ArchiveError) { try prune(found) } catch { if error.reason == .damaged { throw error } }
    return found
  }

  private func opened(_ path: String?) throws(ArchiveError) -> ArchiveFile {
    guard let path else { return try .inMemory() }
    do throws(ArchiveError) {
      try acquireLock(of: path)
    } catch {
      guard error.reason != .inUse, let file = try? ArchiveFile.openToRead(path, refusal: error) else { throw error }
      return file
    }
    return try .open(path)
  }

  private func acquireLock(of path: String) throws(ArchiveError) {
    if let lock, lock.isInPlace { return }
    lock?.release()
    lock = nil
    lock = try ArchiveLock(of: path)
  }

  /// Whether the file was removed or replaced after it was opened to be written.
  private var isDisplaced: Bool {
    guard path != nil, let known = file ?? glance?.file else { return false }
    return known.refusal == nil && !known.isInPlace
  }

  private func renew(_ displaced: ArchiveFile) throws(ArchiveError) -> ArchiveFile {
    if let path { try acquireLock(of: path) }
    let (renewed, renewal) = try ArchiveFile.renewed(from: displaced, at: now())
    file = renewed
    glance = nil
    self.renewal = renewal
    report(.renewed(renewal))
    try endAbandoned(in: renewed)
    return renewed
  }

  private func endAbandoned(in file: ArchiveFile) throws(ArchiveError) {
    guard !hasEndedAbandoned else { return }
    try file.endAbandoned()
    hasEndedAbandoned = true
  }

  private func replace(_ damaged: UnwantedFile, because error: ArchiveError) throws(ArchiveError) {
    file = nil
    let saved = damaged.documents()
    pending.restore(saved)
    let aside = try damaged.moveAside()
    report(.replaced(ArchiveReplacement(error: error, aside: aside, saved: saved.count)))
  }
}

/// Milliseconds since 1970.
private let wallClock: @Sendable () -> Int64 = {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
