import Glibc
import SystemFiles

/// A database that was removed from its path, or replaced there, while it is open: it can still be read, and what is
/// written to it is lost with the process. The same is true of one whose log was removed.
extension ArchiveFile {
  /// Whether the open files are still those at their paths.
  var isInPlace: Bool { places.allSatisfy { FileIdentity(path: database.path + $0) == $1 } }

  /// Gives up the path for another database: SQLite would apply a log that is left there to it.
  func leavePlace() {
    database.keepLog()
    for (suffix, file) in places where !suffix.isEmpty && FileIdentity(path: database.path + suffix) == file {
      unsafe _ = unlink(database.path + suffix)
    }
  }

  /// Stores all documents of another archive; what cannot be read of it is left out.
  ///
  /// - Parameter source: An archive that is open.
  /// - Returns: The number of documents.
  func copyDocuments(of source: ArchiveFile) throws(ArchiveError) -> Int {
    var count = 0
    var failure: ArchiveError?
    try database.transaction { () throws(ArchiveError) in
      try? source.eachDocument { document in
        guard failure == nil else { return }
        do throws(ArchiveError) {
          try put(DocumentName(kind: document.kind, key: document.key), document.json, document.changed)
          count += 1
        } catch { failure = error }
      }
      if let failure { throw failure }
    }
    return count
  }

  /// Stores the whole history of another archive; what cannot be read of it is left out.
  ///
  /// - Parameter source: An archive that is open.
  /// - Returns: The number of entries.
  func copyHistory(of source: ArchiveFile) throws(ArchiveError) -> Int {
    var count = 0
    var failure: ArchiveError?
    try database.transaction { () throws(ArchiveError) in
      try? source.eachEntry { entry in
        guard failure == nil else { return }
        do throws(ArchiveError) {
          try insert(entry)
          count += 1
        } catch { failure = error }
      }
      if let failure { throw failure }
    }
    return count
  }
}

extension ArchiveFile {
  /// Begins an archive at the path of one that lost its place, with everything that one has. A file that stands there by
  /// now is set aside, and never read: the service that runs knows better what it acknowledged.
  ///
  /// - Parameter displaced: The archive that lost its place, still open.
  /// - Returns: The new archive, and what was done.
  static func renewed(
    from displaced: ArchiveFile, at now: Int64
  ) throws(ArchiveError) -> (file: ArchiveFile, renewal: ArchiveRenewal) {
    let path = displaced.database.path
    displaced.leavePlace()
    let aside = try isRegular(path) ? UnwantedFile.foreign(path).moveAside() : nil
    let file = try open(path)
    if let refusal = file.refusal { throw refusal }
    var renewal = ArchiveRenewal(path: path, aside: aside, documents: 0, entries: 0, since: now)
    do throws(ArchiveError) {
      renewal.documents = try file.copyDocuments(of: displaced)
    } catch {
      // An archive without documents would be taken for the right one by the next service.
      for suffix in ["", "-wal", "-shm"] { unsafe _ = unlink(path + suffix) }
      throw error
    }
    // On a full disk the documents matter more than the history: the old file takes its space until it is closed.
    renewal.entries = try? file.copyHistory(of: displaced)
    return (file, renewal)
  }

  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
