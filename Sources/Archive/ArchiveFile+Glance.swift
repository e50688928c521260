import CSQLite
import Glibc

/// What a first look at an archive finds, without a write: nothing waits for the disk, which can take long to take
/// something after a crash, or on a card.
struct Glance {
  /// All documents, by kind and key.
  var documents: [StoredDocument]
  /// Keeps the connection: its end would copy a log that a crash left into the file (SQLite's checkpoint on close).
  let file: ArchiveFile?

  /// Looks at the file at a path; nil where that is for `ArchiveFile.open`, which then says why: it cannot be written, it is
  /// damaged, another's or of another version. In memory, at no path, there is nothing yet.
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

  /// Whether there is neither file nor log, and a folder that takes them.
  private static func isNew(_ path: String) -> Bool {
    var status = stat()
    for name in [path, path + "-wal"] {
      guard unsafe stat(name, &status) != 0, errno == ENOENT else { return false }
    }
    return isWritable(ArchiveFile.folder(of: path))
  }

  /// The same that open(2) would say, and not access(2), which asks for who the process was started by.
  private static func isWritable(_ path: String) -> Bool {
    unsafe faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
  }
}

extension ArchiveFile {
  /// An archive of this version that was checked but not made ready to be written.
  fileprivate static func begun(_ path: String) throws(ArchiveError) -> ArchiveFile {
    let database = try connect(path)
    try database.execute(guarded)
    try Schema.current.check(database)
    guard !database.isReadOnly, try database.integer("PRAGMA user_version") == Schema.current.version else {
      throw ArchiveError(.denied, "look at", on: path, "it must be opened for that")
    }
    let file = ArchiveFile(database)
    try file.checkDocuments()
    file.rememberPlaces()
    return file
  }
}
