import Glibc
import Testing

@testable import Archive

/// The obstacles to opening the file, and their errors.
struct OpeningTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func refusal(_ path: String, schema: Schema = .current) -> ArchiveError? {
    do throws(ArchiveError) { _ = try ArchiveFile.open(path, schema: schema) } catch { return error }
    return nil
  }

  @Test func `a missing folder is named`() {
    let error = refusal("\(folder.path)/none/archive.sqlite")
    #expect(error?.reason == .folderMissing)
    #expect(error?.description.contains("\(folder.path)/none/") == true)
  }

  @Test func `a folder or a device at the path is not changed`() {
    #expect(refusal(folder.path)?.reason == .foreign)
    #expect(refusal("/dev/null")?.reason == .foreign)
  }

  @Test func `the database of another program is not changed`() throws {
    try ArchiveFile.tamper(folder.file, "CREATE TABLE theirs(a); INSERT INTO theirs VALUES(1)")
    let before = bytes(of: folder.file)
    #expect(refusal(folder.file)?.reason == .foreign)
    #expect(bytes(of: folder.file) == before)
    #expect(folder.names == ["archive.sqlite"])
  }

  @Test func `a file with a newer schema is not changed, and the error names both versions`() throws {
    _ = try ArchiveFile.open(folder.file)
    try ArchiveFile.tamper(folder.file, "PRAGMA user_version = 99")
    let error = try #require(refusal(folder.file))
    #expect(error.reason == .newer)
    #expect(error.message.contains("99") && error.message.contains("\(Schema.current.version)"))
  }

  /// The schema of the first released version. A later schema gets its own sample next to this one.
  private static let firstVersion = """
    PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL;
    CREATE TABLE documents(
      kind TEXT NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL, changed INTEGER NOT NULL,
      PRIMARY KEY(kind, key)) STRICT, WITHOUT ROWID;
    CREATE TABLE history(
      id INTEGER PRIMARY KEY, display TEXT NOT NULL, monitor TEXT NOT NULL, session TEXT NOT NULL, kind TEXT NOT NULL,
      what TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER, exact INTEGER NOT NULL) STRICT;
    CREATE INDEX history_ended ON history(ended);
    INSERT INTO documents VALUES('message', 'lobby', '{"text":"Welcome"}', 1790000000000);
    INSERT INTO history VALUES(
      3753902080000000007, 'HDMI-A-1', 'DEL-1', 'lobby', 'message', 'Welcome', 1790000000000, 1790000000900, 1);
    PRAGMA application_id = 1349280099; PRAGMA user_version = 1;
    """

  @Test func `a file of the first version is migrated to the newest`() throws {
    try ArchiveFile.tamper(folder.file, Self.firstVersion)
    let file = try ArchiveFile.open(folder.file)
    #expect(try file.database.integer("PRAGMA user_version") == Schema.current.version)
    let document = StoredDocument(
      kind: "message", key: "lobby", json: "{\"text\":\"Welcome\"}", changed: 1_790_000_000_000)
    #expect(try file.documents() == [document])
    let shown = try #require(try file.history().first)
    #expect(shown.began == 1_790_000_000_000 && shown.ended == 1_790_000_000_900 && shown.isExact)
    #expect(shown.id == HistoryEntry.firstID(at: shown.began) + 7)
  }

  @Test func `migrations that a file lacks run in order, once`() throws {
    try ArchiveFile.open(folder.file).write([.put(kind: "k", key: "k", json: "old")])
    let steps = ["ALTER TABLE documents ADD COLUMN author TEXT", "UPDATE documents SET author = 'a'"]
    let schema = Schema(steps: Schema.current.steps + steps)
    for _ in 0..<2 {
      let file = try ArchiveFile.open(folder.file, schema: schema)
      #expect(try file.database.rows("SELECT json || author FROM documents") { $0.text(0) } == ["olda"])
      #expect(try file.database.integer("PRAGMA user_version") == schema.version)
    }
  }

  @Test func `a migration that fails changes nothing`() throws {
    try ArchiveFile.open(folder.file).write([.put(kind: "k", key: "k", json: "old")])
    let schema = Schema(steps: Schema.current.steps + ["DELETE FROM documents; CREATE TABLE documents(a)"])
    #expect(refusal(folder.file, schema: schema)?.reason == .other)
    #expect(try ArchiveFile.open(folder.file).documents().map(\.json) == ["old"])
  }

  // The root thread accesses the file as another user, so the kernel refuses it like any daemon's user.

  @Test(arguments: [false, true])
  func `a read-only file is opened, and the error says why it is not writable`(hasLog: Bool) throws {
    let writer = try ArchiveFile.open(folder.file)
    try writer.write([.put(kind: "k", key: "k", json: "stored")])
    // SQLite copies the log into the file when the last connection closes.
    let kept = hasLog ? writer : nil
    try withReadOnlyFolder {
      let file = try ArchiveFile.open(folder.file)
      #expect(try file.documents().map(\.json) == ["stored"])
      #expect(file.refusal?.reason == .denied)
      #expect(throws: ArchiveError.self) { try file.write([.put(kind: "k", key: "k", json: "new")]) }
    }
    #expect(try (kept ?? ArchiveFile.open(folder.file)).documents().map(\.json) == ["stored"])
  }

  @Test func `a folder that refuses a new file is named`() throws {
    try withReadOnlyFolder {
      let error = try #require(refusal(folder.file))
      #expect(error.reason == .denied)
      #expect(error.description.contains("Permission denied"), "\(error)")
    }
  }

  private func withReadOnlyFolder(_ body: () throws -> Void) throws {
    for name in folder.names { setMode("\(folder.path)/\(name)", 0o444) }
    setMode(folder.path, 0o555)
    useFiles(asUser: nobody)
    defer {
      useFiles(asUser: geteuid())
      setMode(folder.path, 0o755)
      for name in folder.names { setMode("\(folder.path)/\(name)", 0o640) }
    }
    try body()
  }
}
