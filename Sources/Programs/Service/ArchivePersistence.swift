package import Archive
package import Control
package import Director
package import Logging
package import NIOCore
package import Scenes
import Synchronization
import SystemCalls

/// The director's persistence, backed by an archive.
package final class ArchivePersistence: Persistence {
  private let archive: Archive
  private let path: String?
  /// The archive's IDs of the entries now on screen, keyed by the director's IDs.
  private let entries = Mutex<[Int: Int64]>([:])
  /// The losses of the archive as they occur, for one consumer. The stream ends with `close`.
  package let losses: AsyncStream<Loss>
  private let reporter: AsyncStream<Loss>.Continuation

  /// Creates the persistence in a file, or in memory.
  ///
  /// - Parameters:
  ///   - path: The path of the file; nil for memory.
  ///   - limits: The limits of the history.
  ///   - loop: An event loop that may block.
  ///   - now: Returns milliseconds since 1970.
  ///   - logger: The logger for notices of the archive.
  /// - Throws: `ArchiveError` if another daemon uses the file.
  package init(
    path: String?, limits: ArchiveLimits, loop: any EventLoop,
    now: @escaping @Sendable () -> Int64 = SystemClock.wallMilliseconds, logger: Logger
  ) throws(ArchiveError) {
    self.path = path
    let lock = try ArchiveLock.acquire(path)
    let (losses, reporter) = AsyncStream.makeStream(of: Loss.self, bufferingPolicy: .bufferingNewest(16))
    (self.losses, self.reporter) = (losses, reporter)
    archive = Archive(path: path, lock: lock, limits: limits, loop: loop, now: now) { notice in
      Self.log(notice, logger)
      if let loss = Loss(notice, path: path) { reporter.yield(loss) }
    }
  }

  /// Returns the stored records; nil if they cannot be read now.
  package func load() async -> [Record]? {
    let stored = await archive.load()
    if stored.isEmpty, case .inMemory = await archive.state { return nil }
    return stored.map { Record(kind: $0.kind, key: $0.key, json: $0.json) }
  }

  /// Stores changes.
  package func write(_ changes: [RecordChange]) { archive.give(changes.map(ArchiveChange.init)) }

  /// Adds a step to the history.
  package func note(_ step: HistoryChange) {
    switch step {
    case .began(let entry):
      let kept = HistoryEntry(entry)
      entries.withLock { $0[entry.id] = kept.id }
      archive.give([.began(kept)])
    case .ended(let id, let time):
      guard let kept = entries.withLock({ $0.removeValue(forKey: id) }) else { return }
      archive.give([.ended(id: kept, at: time)])
    }
  }

  /// Waits until all earlier changes are on the disk, or wait in memory because the disk fails.
  package func settled() async { await archive.store([]) }

  /// Returns what was shown, newest first.
  ///
  /// - Parameter query: The query.
  /// - Throws: `ControlError` if the file cannot be read.
  /// - Returns: The lines.
  package func history(_ query: Control.HistoryQuery) async throws(ControlError) -> [HistoryLine] {
    do throws(ArchiveError) {
      let entries = try await archive.history(
        since: query.since, until: query.until, display: query.display, limit: query.limit ?? 100,
        before: query.after.map { Int64($0) ?? .max })
      return entries.map(HistoryLine.init)
    } catch {
      throw ControlError(.failed, "the history cannot be read: \(error)")
    }
  }

  /// Returns where changes are stored, or why they are only in memory.
  package func summary() async -> PersistenceSummary {
    switch await archive.check() {
    case .off: PersistenceSummary("in memory only, as configured")
    case .stored:
      await archive.renewal.map { PersistenceSummary($0.words, isInTrouble: true) } ?? PersistenceSummary(path)
    case .inMemory(let trouble):
      PersistenceSummary("in memory only, \(trouble.pending) changes wait: \(trouble.error)", isInTrouble: true)
    }
  }

  /// Stores what waits, and closes the file.
  package func close() async {
    await archive.close()
    reporter.finish()
  }

  private static func log(_ notice: ArchiveNotice, _ logger: Logger) {
    switch notice {
    case .state(.inMemory(let trouble)):
      logger.warning("\(trouble.error); until then changes are held in memory")
    case .state: logger.info("what waited in memory is stored")
    case .replaced(let replacement):
      logger.warning(
        "\(replacement.error); it was moved to \(replacement.aside), and \(replacement.saved) documents were recovered from it"
      )
    case .renewed(let renewal): logger.warning("\(renewal.words)")
    case .dropped(let count): logger.warning("\(count) changes were lost: the disk accepted no writes for too long")
    }
  }
}

extension Loss {
  /// Creates the loss that an archive reports; nil for any other notice.
  ///
  /// - Parameters:
  ///   - notice: The archive's notice.
  ///   - path: The archive's file; nil for none.
  init?(_ notice: ArchiveNotice, path: String?) {
    switch notice {
    case .state, .renewed: return nil
    case .replaced(let replacement):
      let error = replacement.error
      self.init(
        .damagedDatabase,
        "\(error.path): the database was damaged (\(error.message)), and a new one was created with the documents that "
          + "could be read (\(replacement.saved)); the damaged file is \(replacement.aside); check sessions and messages, and "
          + "check `journalctl -k` for errors of this disk")
    case .dropped(let count):
      let changes = count == 1 ? "1 change was" : "\(count) changes were"
      self.init(
        .droppedChanges,
        "\(path ?? "memory"): the disk accepted no writes for too long, and \(changes) lost; check sessions, messages and the "
          + "history")
    }
  }
}

extension ArchiveRenewal {
  /// A sentence that describes what happened to the file.
  fileprivate var words: String {
    let cause = aside.map { "was replaced while the service ran, and the other file was moved to \($0)" }
    let history = entries.map { ", and \($0) lines of history" } ?? " without the history, which could not be written"
    return "\(path): the file \(cause ?? "was removed while the service ran"); it was created again with "
      + "\(documents) documents\(history); stop the service before you change its file"
  }
}

extension ArchiveChange {
  fileprivate init(_ change: RecordChange) {
    switch change {
    case .put(let record): self = .put(kind: record.kind, key: record.key, json: record.json)
    case .remove(let kind, let key): self = .remove(kind: kind, key: key)
    }
  }
}

extension HistoryEntry {
  fileprivate init(_ entry: PresentedEntry) {
    self.init(
      display: entry.display, monitor: entry.monitor, session: entry.session.map(String.init) ?? "", kind: entry.kind,
      what: entry.what, began: entry.began)
  }
}

extension HistoryLine {
  fileprivate init(_ entry: HistoryEntry) {
    self.init(
      id: "\(entry.id)", display: entry.display, monitor: entry.monitor, session: Int(entry.session), kind: entry.kind,
      what: entry.what, began: Timestamp(milliseconds: entry.began),
      ended: entry.ended.map(Timestamp.init(milliseconds:)),
      exact: entry.isExact)
  }
}
