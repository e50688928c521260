import CSQLite
import Glibc

/// A file that makes room for a new archive: SQLite finds it damaged, or it took the archive's place.
struct UnwantedFile {
  let path: String
  /// Why it makes room, in a word of its new name.
  let word: String

  /// A file that SQLite finds damaged, and that nobody has open.
  static func damaged(_ path: String) -> UnwantedFile { UnwantedFile(path: path, word: "damaged") }

  /// A file that was put where the archive was.
  static func foreign(_ path: String) -> UnwantedFile { UnwantedFile(path: path, word: "foreign") }

  /// The documents that can still be read, up to where the damage begins. Nothing of the file is changed.
  func documents() -> [StoredDocument] {
    var status = stat()
    // With an empty file SQLite would remove the log, in which somebody may still find something.
    guard unsafe stat(path, &status) == 0, status.st_size > 0 else { return [] }
    var documents: [StoredDocument] = []
    guard let database = try? Database(opening: path, flags: SQLITE_OPEN_READONLY, path: path) else { return [] }
    try? ArchiveFile(database).eachDocument { documents.append($0) }
    return documents
  }

  /// Renames it to `NAME.damaged-1` or `NAME.foreign-1`, with its log and the log's index.
  ///
  /// Earlier ones become `-2` and `-3`; there are never more, since a disk that breaks would be filled with them.
  ///
  /// - Returns: The new path.
  func moveAside() throws(ArchiveError) -> String {
    let places = [path] + (1...3).map { "\(path).\(word)-\($0)" }
    for (from, to) in zip(places, places.dropFirst()).reversed() { try move(from, to) }
    return places[1]
  }

  private func move(_ from: String, _ to: String) throws(ArchiveError) {
    // The file first: should the power go now, SQLite finds a log without a file, which it throws away.
    for suffix in ["", "-wal", "-shm"] where unsafe rename(from + suffix, to + suffix) != 0 {
      guard errno == ENOENT else { throw ArchiveError(kernel: errno, "set the \(word) file aside", on: from + suffix) }
      unsafe unlink(to + suffix)
    }
  }
}
