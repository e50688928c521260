import CSQLite
import Glibc

extension ArchiveFile {
  /// Opens the archive at a path, or begins one there (mode 0640). Where it cannot be written, it is opened to be read.
  ///
  /// Documents are read through and checked; damage in the history shows when it is read or written, since the check of
  /// a large one would hold up the start.
  static func open(_ path: String, schema: Schema = .current) throws(ArchiveError) -> ArchiveFile {
    do {
      return try open(connect(path), schema)
    } catch {
      guard error.reason == .denied || error.reason == .full else { throw error }
      // Where it cannot be read either, what was tried first says best why.
      guard let file = try? openToRead(path, schema, refusal: error) else { throw error }
      return file
    }
  }

  /// An archive that ends with the process.
  static func inMemory() throws(ArchiveError) -> ArchiveFile {
    try open(Database(opening: ":memory:", flags: SQLITE_OPEN_READWRITE, path: ":memory:"), .current)
  }

  /// A connection to a file that is there from then on and was not cut; nothing else is known of it.
  static func connect(_ path: String) throws(ArchiveError) -> Database {
    try prepare(path)
    let hasLog = logSize(path) > 0
    let database = try Database(opening: path, flags: SQLITE_OPEN_READWRITE, path: path)
    // A log may have what the file lacks: it is copied to it now and then.
    if !hasLog { try checkLength(of: database) }
    return database
  }

  private static func open(_ database: Database, _ schema: Schema) throws(ArchiveError) -> ArchiveFile {
    try database.execute(guarded)
    try schema.check(database)
    guard !database.isReadOnly else { throw ArchiveError(.denied, "open", on: database.path, "it can only be read") }
    try database.execute(durable)
    try schema.migrate(database)
    let file = ArchiveFile(database)
    try file.checkDocuments()
    file.rememberPlaces()
    return file
  }

  /// What is not written in the file may not make SQLite do more than read tables, nor use much memory for it.
  static let guarded = """
    PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA cache_size=-512; PRAGMA temp_store=MEMORY
    """

  /// The log is copied into the file each 256 pages (1 MB), and then cut to that size. `auto_vacuum` only has a say before
  /// the first page is written, so it comes before WAL.
  private static let durable = """
    PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
    PRAGMA wal_autocheckpoint=256; PRAGMA journal_size_limit=1048576
    """

  /// Makes the file where there is none, since SQLite would make it readable for all.
  private static func prepare(_ path: String) throws(ArchiveError) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw ArchiveError(.foreign, "open", on: path, "this is not a regular file")
      }
      // SQLite would take this for a new file and throw the log away. It is written first, so it cannot be empty then.
      guard status.st_size > 0 || logSize(path) == 0 else {
        throw ArchiveError(.damaged, "open", on: path, "it is empty, but its log is not")
      }
      return
    }
    let folder = folder(of: path)
    guard unsafe errno != ENOENT || stat(folder, &status) == 0 else {
      throw ArchiveError(.folderMissing, "open", on: path, "there is no folder \(folder)")
    }
    // Only a new file: to close a descriptor of an open one would give up SQLite's locks on it (fcntl_locking(2)).
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw ArchiveError(kernel: errno, "open", on: path) }
    close(descriptor)
  }

  /// The folder that a path is in.
  static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

  /// Reads with what is there: on a read-only or full disk SQLite cannot make the index of the log (`-shm`).
  ///
  /// Without a log it needs none (`immutable`). With one it is read by the index that a crash left, or by one in memory,
  /// which takes a lock that wants a writable file (https://sqlite.org/wal.html#read_only_databases).
  static func openToRead(
    _ path: String, _ schema: Schema = .current, refusal: ArchiveError
  ) throws(ArchiveError) -> ArchiveFile {
    guard logSize(path) > 0 else {
      return try read(immutableURI(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, guarded, path, schema, refusal)
    }
    if let file = try? read(path, SQLITE_OPEN_READONLY, guarded, path, schema, refusal) { return file }
    // Before anything is read, which `cache_size` does already.
    let alone = "PRAGMA locking_mode=EXCLUSIVE; " + guarded
    return try read(path, SQLITE_OPEN_READWRITE, alone, path, schema, refusal)
  }

  private static func read(
    _ name: String, _ flags: Int32, _ setup: String, _ path: String, _ schema: Schema, _ refusal: ArchiveError
  ) throws(ArchiveError) -> ArchiveFile {
    let database = try Database(opening: name, flags: flags, path: path)
    try database.execute(setup)
    try schema.check(database)
    guard try database.integer("PRAGMA user_version") == schema.version else { throw refusal }
    let file = ArchiveFile(database, refusal: refusal)
    try file.checkDocuments()
    file.rememberPlaces()
    return file
  }

  private static func immutableURI(_ path: String) -> String {
    let escapes = ["%": "%25", "?": "%3F", "#": "%23"]
    return "file:" + path.map { escapes[String($0)] ?? String($0) }.joined() + "?immutable=1"
  }

  private static func logSize(_ path: String) -> Int {
    var status = stat()
    return unsafe stat(path + "-wal", &status) == 0 ? status.st_size : 0
  }

  /// SQLite takes a last page of which a part is missing for a whole one (sqlite3PagerPagecount rounds up), until somebody
  /// needs it.
  private static func checkLength(of database: Database) throws(ArchiveError) {
    let page = Int(try database.integer("PRAGMA page_size"))
    var status = stat()
    guard unsafe stat(database.path, &status) == 0, page > 0, Int(status.st_size) % page != 0 else { return }
    throw ArchiveError(.damaged, "open", on: database.path, "its last page was cut")
  }

  func checkDocuments() throws(ArchiveError) {
    let answer = try database.rows("PRAGMA quick_check(documents)") { $0.text(0) }
    guard answer == ["ok"] else {
      throw ArchiveError(.damaged, "quick_check", on: database.path, answer.first ?? "no answer")
    }
  }
}
