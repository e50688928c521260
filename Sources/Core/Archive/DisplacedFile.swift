import CSQLite
import Glibc

/// A file that is moved aside for a new archive: either it is damaged, or it had replaced the archive.
struct DisplacedFile {
  let path: String
  /// The reason, as the word used in the new file name.
  let word: String

  /// Returns a file that SQLite found damaged and that has no open connection.
  static func damaged(_ path: String) -> DisplacedFile { DisplacedFile(path: path, word: "damaged") }

  /// Returns a file that was put in the archive's place.
  static func foreign(_ path: String) -> DisplacedFile { DisplacedFile(path: path, word: "foreign") }

  /// Returns the documents that can be read before the first damaged page, without changing the file.
  func documents() -> [StoredDocument] {
    var status = stat()
    // For an empty file, SQLite would remove the log, which may still contain recoverable data.
    guard unsafe stat(path, &status) == 0, status.st_size > 0 else { return [] }
    var documents: [StoredDocument] = []
    guard let database = try? Database(opening: path, flags: SQLITE_OPEN_READONLY, path: path) else { return [] }
    try? ArchiveFile(database).eachDocument { documents.append($0) }
    return documents
  }

  /// Renames the file to `NAME.damaged-1` or `NAME.foreign-1`, along with its log and the log's index.
  ///
  /// Earlier files become `-2` and `-3`. More are not kept, so that a failing disk does not fill up with them.
  ///
  /// - Throws: `ArchiveError` if a file cannot be renamed.
  /// - Returns: The new path.
  func moveAside() throws(ArchiveError) -> String {
    let places = [path] + (1...3).map { "\(path).\(word)-\($0)" }
    for (from, to) in zip(places, places.dropFirst()).reversed() { try move(from, to) }
    return places[1]
  }

  private func move(_ from: String, _ to: String) throws(ArchiveError) {
    // Rename the database first: after a power loss, SQLite discards a log without a database.
    for suffix in ["", "-wal", "-shm"] where unsafe rename(from + suffix, to + suffix) != 0 {
      guard errno == ENOENT else { throw ArchiveError(kernel: errno, "set the \(word) file aside", on: from + suffix) }
      unsafe unlink(to + suffix)
    }
  }
}
