import CSQLite
import Glibc

/// The result of a read-only open of an archive, which avoids writes because they can be slow after a crash or on a
/// card.
struct ReadOnlySnapshot {
  /// All documents, by kind and key.
  var documents: [StoredDocument]
  /// The connection, kept open: closing it would copy a log that a crash left into the file (SQLite's checkpoint on
  /// close).
  let file: ArchiveFile?

  /// Reads the file at a path without writing.
  ///
  /// It returns nil if `ArchiveFile.open` must handle the file and report the reason. That is so if the file cannot be
  /// written, is damaged, or belongs to another program or version. An archive in memory, without a path, is empty.
  ///
  /// - Parameter path: The path of the file; nil for an archive in memory.
  init?(_ path: String?) {
    guard let path, !Self.isNew(path) else {
      (documents, file) = ([], nil)
      return
    }
    guard Self.isWritable(path), let file = try? ArchiveFile.begun(path), let documents = try? file.documents() else {
      return nil
    }
    self.documents = documents
    self.file = file
  }

  /// Returns whether neither the file nor its log exists and the folder is writable.
  private static func isNew(_ path: String) -> Bool {
    var status = stat()
    for name in [path, path + "-wal"] {
      guard unsafe stat(name, &status) != 0, errno == ENOENT else { return false }
    }
    return isWritable(ArchiveFile.folder(of: path))
  }

  /// Returns whether the effective user may write, as open(2) checks; access(2) would check the real user.
  private static func isWritable(_ path: String) -> Bool {
    unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
  }
}

extension ArchiveFile {
  /// Opens an archive of the current version and checks it, without preparing it for writing.
  fileprivate static func begun(_ path: String) throws(ArchiveError) -> ArchiveFile {
    let database = try connect(path)
    try database.execute(guarded)
    try Schema.current.check(database)
    guard !database.isReadOnly, try database.integer("PRAGMA user_version") == Schema.current.version else {
      throw ArchiveError(.denied, "read", on: path, "a daemon must open it first")
    }
    let file = ArchiveFile(database)
    try file.checkDocuments()
    file.recordIdentities()
    return file
  }
}
