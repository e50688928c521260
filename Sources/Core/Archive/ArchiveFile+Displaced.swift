import Glibc
import SystemFiles

/// Recovery of a database whose file, or write-ahead log, was removed from its path or replaced while it is open.
///
/// Such a database can still be read, but everything written to it is lost when the process ends.
extension ArchiveFile {
  /// Whether the open files are still those at their paths.
  var isInPlace: Bool { places.allSatisfy { FileIdentity(path: database.path + $0) == $1 } }

  /// Removes the log and its index from the path, because SQLite would apply the log to the next database there.
  func leavePlace() {
    database.keepLog()
    for (suffix, file) in places where !suffix.isEmpty && FileIdentity(path: database.path + suffix) == file {
      unsafe _ = unlink(database.path + suffix)
    }
  }

  /// Copies all readable documents of another archive.
  ///
  /// - Parameter source: The other archive, which must be open.
  /// - Throws: `ArchiveError` if a document cannot be written.
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

  /// Copies all readable history entries of another archive.
  ///
  /// - Parameter source: The other archive, which must be open.
  /// - Throws: `ArchiveError` if an entry cannot be written.
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
  /// Creates an archive at the path of a displaced one and copies its content.
  ///
  /// A file that is now at the path is set aside without being read, because the running daemon has the acknowledged
  /// state.
  ///
  /// - Parameters:
  ///   - displaced: The displaced archive, still open.
  ///   - now: The current time, in milliseconds since 1970.
  /// - Throws: `ArchiveError` if the documents cannot be stored.
  /// - Returns: The new archive, and a description of what was done.
  static func renewed(
    from displaced: ArchiveFile, at now: Int64
  ) throws(ArchiveError) -> (file: ArchiveFile, renewal: ArchiveRenewal) {
    let path = displaced.database.path
    displaced.leavePlace()
    let aside = try isRegular(path) ? DisplacedFile.foreign(path).moveAside() : nil
    let file = try open(path)
    if let refusal = file.refusal { throw refusal }
    var renewal = ArchiveRenewal(path: path, aside: aside, documents: 0, entries: 0, since: now)
    do throws(ArchiveError) {
      renewal.documents = try file.copyDocuments(of: displaced)
    } catch {
      // Remove the incomplete file: the next start would accept an archive without documents.
      for suffix in ["", "-wal", "-shm"] { unsafe _ = unlink(path + suffix) }
      throw error
    }
    // On a full disk, documents matter more than history: the old file occupies its space until it is closed.
    renewal.entries = try? file.copyHistory(of: displaced)
    return (file, renewal)
  }

  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
