import CSQLite
import Glibc

extension ArchiveFile {
  /// Opens the archive at a path, or creates one with mode 0640; falls back to read-only access.
  ///
  /// All documents are read and checked. Damage in the history is detected only when it is accessed, because checking a
  /// large one would delay startup.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - schema: The schema to require, and to which older files are migrated.
  /// - Throws: `ArchiveError` if the file can be neither opened nor read.
  /// - Returns: The archive.
  static func open(_ path: String, schema: Schema = .current) throws(ArchiveError) -> ArchiveFile {
    do {
      return try open(connect(path), schema)
    } catch {
      guard error.reason == .denied || error.reason == .full else { throw error }
      // If the file cannot be read either, the first error is the more informative one.
      guard let file = try? openToRead(path, schema, refusal: error) else { throw error }
      return file
    }
  }

  /// Creates an archive in memory, which ends with the process.
  static func inMemory() throws(ArchiveError) -> ArchiveFile {
    try open(Database(opening: ":memory:", flags: SQLITE_OPEN_READWRITE, path: ":memory:"), .current)
  }

  /// Connects to a file, creating it if necessary, and checks that it was not truncated.
  static func connect(_ path: String) throws(ArchiveError) -> Database {
    try prepare(path)
    let hasLog = logSize(path) > 0
    let database = try Database(opening: path, flags: SQLITE_OPEN_READWRITE, path: path)
    // With a log, the length means nothing: the log may hold pages that are not yet copied to the file.
    if !hasLog { try checkLength(of: database) }
    return database
  }

  private static func open(_ database: Database, _ schema: Schema) throws(ArchiveError) -> ArchiveFile {
    try database.execute(guarded)
    try schema.check(database)
    guard !database.isReadOnly else { throw ArchiveError(.denied, "open", on: database.path, "it is read-only") }
    try database.execute(durable)
    try schema.migrate(database)
    let file = ArchiveFile(database)
    try file.checkDocuments()
    file.recordIdentities()
    return file
  }

  /// The settings that limit the effect of a corrupt or foreign file: only tables are read, with little memory.
  static let guarded = """
    PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA cache_size=-512; PRAGMA temp_store=MEMORY
    """

  /// The settings for durable writes.
  ///
  /// The log is checkpointed every 256 pages (1 MB) and then truncated to that size. `auto_vacuum` takes effect only
  /// before the first page is written, so it precedes WAL mode.
  private static let durable = """
    PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
    PRAGMA wal_autocheckpoint=256; PRAGMA journal_size_limit=1048576
    """

  /// Creates the file if it does not exist, because SQLite would make it world-readable.
  private static func prepare(_ path: String) throws(ArchiveError) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw ArchiveError(.foreign, "open", on: path, "it is not a regular file")
      }
      // SQLite would take this for a new file and discard the log. The file is written before the log, so this is
      // damage.
      guard status.st_size > 0 || logSize(path) == 0 else {
        throw ArchiveError(.damaged, "open", on: path, "it is empty, but its write-ahead log is not")
      }
      return
    }
    let folder = folder(of: path)
    guard unsafe errno != ENOENT || stat(folder, &status) == 0 else {
      throw ArchiveError(.folderMissing, "open", on: path, "the folder \(folder) does not exist")
    }
    // Create only a new file: closing a descriptor of an open one would release SQLite's locks on it
    // (fcntl_locking(2)).
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    guard descriptor >= 0 else { throw ArchiveError(kernel: errno, "open", on: path) }
    close(descriptor)
  }

  /// Returns the folder that contains a path.
  static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

  /// Opens the archive for reading only, where SQLite cannot create the index of the log (`-shm`).
  ///
  /// That is the case on a read-only or full disk. Without a log, no index is needed (`immutable`). With a log, SQLite
  /// uses the index that a crash left, or one in memory. The latter takes a lock and thus needs a writable file
  /// (https://sqlite.org/wal.html#read_only_databases).
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - schema: The schema to require.
  ///   - refusal: The reason why the file cannot be written.
  /// - Throws: `refusal` if the file has another schema version, or an `ArchiveError` if it cannot be read.
  /// - Returns: The archive.
  static func openToRead(
    _ path: String, _ schema: Schema = .current, refusal: ArchiveError
  ) throws(ArchiveError) -> ArchiveFile {
    guard logSize(path) > 0 else {
      return try read(immutableURI(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, guarded, path, schema, refusal)
    }
    if let file = try? read(path, SQLITE_OPEN_READONLY, guarded, path, schema, refusal) { return file }
    // The locking mode must be set before the first read, which `cache_size` already performs.
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
    file.recordIdentities()
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

  /// Checks that the file ends with a whole page.
  ///
  /// SQLite counts a truncated last page as whole (sqlite3PagerPagecount rounds up) until it is accessed.
  ///
  /// - Parameter database: The open database.
  /// - Throws: `ArchiveError` of reason `.damaged` if the last page is truncated.
  private static func checkLength(of database: Database) throws(ArchiveError) {
    let page = Int(try database.integer("PRAGMA page_size"))
    var status = stat()
    guard unsafe stat(database.path, &status) == 0, page > 0, Int(status.st_size) % page != 0 else { return }
    throw ArchiveError(.damaged, "open", on: database.path, "its last page is truncated")
  }

  func checkDocuments() throws(ArchiveError) {
    let answer = try database.rows("PRAGMA quick_check(documents)") { $0.text(0) }
    guard answer == ["ok"] else {
      throw ArchiveError(.damaged, "quick_check", on: database.path, answer.first ?? "no answer")
    }
  }
}
