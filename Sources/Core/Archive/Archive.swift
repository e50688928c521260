package import NIOCore
import SystemCalls

/// A persistent store of documents (settings, sessions, messages) and of the displays' history.
///
/// Storing never fails: changes that cannot be written wait in memory, up to a limit. They are retried with the next
/// store and by a timer, and `state` reports them. Changes that arrive during a write are written together in the next
/// transaction.
package actor Archive {
  /// The executor of the event loop passed to `init`, on which the archive waits for the disk.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.executor.asUnownedSerialExecutor() }

  /// Whether all changes are on disk.
  package private(set) var state: ArchiveState
  /// The latest re-creation of the file after it was removed or replaced while open; nil if there was none.
  package private(set) var renewal: ArchiveRenewal?

  private nonisolated let loop: any EventLoop
  private let path: String?
  private let limits: ArchiveLimits
  private let patience: Patience
  private let now: @Sendable () -> Int64
  private let report: @Sendable (ArchiveNotice) -> Void
  /// The lock against other daemons; nil until the file's folder is writable.
  private var lock: ArchiveLock?
  private var file: ArchiveFile?
  /// The result of the read-only open by `load`, until the file is opened for writing.
  private var snapshot: ReadOnlySnapshot?
  private var pending = PendingChanges()
  private var waiters: [CheckedContinuation<ArchiveState, Never>] = []
  /// The timer of the next unrequested write: after a failure, and after the quiet period at startup.
  private var timer: Scheduled<Void>?
  private var failures = 0
  private var isFlushDue = false
  /// Whether entries that a crash left open were ended. Entries opened later belong to this process.
  private var hasEndedAbandoned = false
  private var changesSincePruning = 0
  /// The number of committed transactions.
  private(set) var transactions = 0

  /// The retry delays after failures: each is twice the previous one, up to a limit.
  package struct Patience: Sendable {
    /// The delay after the first failure, and the longest one.
    var first: TimeAmount, longest: TimeAmount
    /// The time without writes after a load, unless a caller waits for one: the first frames get the CPU and the disk.
    var calm: TimeAmount

    /// Creates delays; by default those of a service.
    package init(
      first: TimeAmount = .seconds(1), longest: TimeAmount = .seconds(60), calm: TimeAmount = .seconds(1)
    ) {
      self.first = first
      self.longest = longest
      self.calm = calm
    }

    func delay(after failures: Int) -> TimeAmount {
      let factor = Int64(1) << min(max(failures - 1, 0), 32)
      let (delay, isHuge) = first.nanoseconds.multipliedReportingOverflow(by: factor)
      return isHuge ? longest : min(.nanoseconds(delay), longest)
    }
  }

  /// Creates an archive; the first call opens or creates its file.
  ///
  /// - Parameters:
  ///   - path: The path of the file, in an existing folder. With nil, the archive is kept in memory and ends with the
  ///     process.
  ///   - lock: The lock of that path. If it is nil or was lost, the archive acquires it when it opens the file.
  ///   - limits: The limits of the history.
  ///   - loop: An event loop that may block, because a store waits for the disk.
  ///   - report: The receiver of notices. It is called on `loop`.
  package init(
    path: String?, lock: ArchiveLock? = nil, limits: ArchiveLimits = ArchiveLimits(), loop: any EventLoop,
    report: @escaping @Sendable (ArchiveNotice) -> Void
  ) {
    self.init(
      path: path, lock: lock, limits: limits, loop: loop, patience: Patience(), now: SystemClock.wallMilliseconds,
      report: report)
  }

  /// Creates an archive with a given clock; `now` returns milliseconds since 1970.
  package init(
    path: String?, lock: ArchiveLock? = nil, limits: ArchiveLimits, loop: any EventLoop,
    patience: Patience = Patience(), now: @escaping @Sendable () -> Int64,
    report: @escaping @Sendable (ArchiveNotice) -> Void
  ) {
    self.path = path
    self.lock = lock
    // Memory is scarcer than disk space: without a file, the history is limited to 1 MB.
    let bytes = path == nil ? min(limits.bytes, 1 << 20) : limits.bytes
    self.limits = ArchiveLimits(historyDays: limits.historyDays, bytes: bytes)
    self.loop = loop
    self.patience = patience
    self.now = now
    self.report = report
    state = path == nil ? .off : .stored
  }

  /// Returns all documents, by kind and key; the first call to make.
  ///
  /// It normally reads without writing: the file is opened for writing shortly afterward, and entries that a crash left
  /// open are ended then. If the file cannot be read, only pending documents are returned and `state` has the reason.
  /// If it is read-only, `state` reports that.
  ///
  /// - Returns: The documents.
  package func load() -> [StoredDocument] {
    if file == nil, pending.count == 0, let snapshot = ReadOnlySnapshot(path) {
      self.snapshot = snapshot
      flush(in: patience.calm)
      return snapshot.documents
    }
    do throws(ArchiveError) {
      let stored = try withFile { file throws(ArchiveError) in try file.documents() }
      // Apply pending changes before they are written: the replacement of a damaged file is empty until then.
      let documents = pending.applied(to: stored)
      if let refusal = file?.refusal { fail(refusal) } else if pending.count > 0 { flush() } else { succeed() }
      return documents
    } catch {
      fail(error)
      return pending.applied(to: [])
    }
  }

  /// Stores changes atomically.
  ///
  /// - Parameter changes: The changes, in order.
  /// - Returns: `.stored` if they are on disk; otherwise they wait in memory and need not be passed again.
  @discardableResult
  package func store(_ changes: [ArchiveChange]) async -> ArchiveState {
    await withCheckedContinuation { waiter in
      pending.add(changes, at: now())
      waiters.append(waiter)
      // Runs after everything already queued on this loop, so that all of it is written together.
      if waiters.count == 1 { loop.execute { self.assumeIsolated { $0.flush() } } }
    }
  }

  /// Queues changes in call order without waiting; a later `store` call writes them with its own.
  package nonisolated func give(_ changes: [ArchiveChange]) {
    loop.execute { self.assumeIsolated { $0.receive(changes) } }
  }

  private func receive(_ changes: [ArchiveChange]) {
    pending.add(changes, at: now())
    guard waiters.isEmpty, !isFlushDue, snapshot == nil else { return }
    isFlushDue = true
    loop.execute { self.assumeIsolated { $0.flush() } }
  }

  /// Returns what was shown, newest first, including pending entries.
  ///
  /// - Parameters:
  ///   - since: Only entries shown after this time, in milliseconds since 1970; nil for no limit.
  ///   - until: Only entries that began before this time, in milliseconds since 1970; nil for no limit.
  ///   - display: Only entries of this output; nil for all.
  ///   - limit: The maximum number of entries.
  ///   - before: Only entries with a lower ID; nil for no limit.
  /// - Throws: `ArchiveError` if the file cannot be read.
  /// - Returns: The entries.
  package func history(
    since: Int64? = nil, until: Int64? = nil, display: String? = nil, limit: Int = 100, before: Int64? = nil
  ) throws(ArchiveError) -> [HistoryEntry] {
    let query = HistoryQuery(since: since, until: until, display: display, limit: limit, before: before)
    let stored = try withFile { file throws(ArchiveError) in try file.history(query) }
    return pending.applied(to: stored, for: query)
  }

  /// Checks whether the file is still at its path, and stores everything again if it was removed or replaced.
  ///
  /// - Returns: `state` after that.
  package func check() -> ArchiveState {
    if isDisplaced { flush() }
    return state
  }

  /// Stores pending changes, closes the file, and releases its lock; a later call opens it again.
  ///
  /// - Returns: Whether everything is stored.
  @discardableResult
  package func close() -> ArchiveState {
    flush()
    timer?.cancel()
    file = nil
    snapshot = nil
    lock?.release()
    lock = nil
    return state
  }

  /// Writes pending changes if possible, and resumes the callers that wait for them.
  private func flush() {
    timer?.cancel()
    timer = nil
    isFlushDue = false
    do throws(ArchiveError) {
      let isRenewed = isDisplaced
      if snapshot != nil || isRenewed { try withFile(toWrite: true) { _ throws(ArchiveError) in } }
      // Without pending changes nothing was tried, so an earlier error still applies.
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
    // Read `pending` inside the closure: replacing a damaged file adds to it before the retry.
    try withFile(toWrite: true) { file throws(ArchiveError) in try file.write(pending) }
    // If the file was removed during the write, the new data has no name: store it again.
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
    var trouble = ArchiveFailure(error: error, since: now(), pending: pending.count, dropped: pending.dropped)
    var isNew = true
    if case .inMemory(let earlier) = state {
      trouble.since = earlier.since
      isNew = earlier.error.reason != error.reason
    }
    state = .inMemory(trouble)
    if isNew { report(.state(state)) }
    guard pending.count > 0 || isDisplaced, timer == nil else { return }
    flush(in: patience.delay(after: failures))
  }

  private func flush(in delay: TimeAmount) {
    timer = loop.scheduleTask(in: delay) { [weak self] in self?.assumeIsolated { $0.flush() } }
  }

  /// Runs an operation on the file; if the file is damaged, replaces it and retries once.
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
    if isDisplaced, let displaced = file ?? snapshot?.file {
      do throws(ArchiveError) {
        return try renew(displaced)
      } catch {
        guard !toWrite else { throw error }
        return displaced
      }
    }
    // Close before reopening: with two connections, neither can get exclusive access.
    file = nil
    snapshot = nil
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

  /// Whether the file was removed or replaced after it was opened for writing.
  private var isDisplaced: Bool {
    guard path != nil, let known = file ?? snapshot?.file else { return false }
    return known.refusal == nil && !known.isInPlace
  }

  private func renew(_ displaced: ArchiveFile) throws(ArchiveError) -> ArchiveFile {
    if let path { try acquireLock(of: path) }
    let (renewed, renewal) = try ArchiveFile.renewed(from: displaced, at: now())
    file = renewed
    snapshot = nil
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

  private func replace(_ damaged: DisplacedFile, because error: ArchiveError) throws(ArchiveError) {
    file = nil
    let saved = damaged.documents()
    pending.restore(saved)
    let aside = try damaged.moveAside()
    report(.replaced(ArchiveReplacement(error: error, aside: aside, saved: saved.count)))
  }
}
