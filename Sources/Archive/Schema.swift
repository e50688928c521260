/// The tables of the file. A step makes them out of those of the version before; a step that was released never changes.
struct Schema {
  /// SQL of each step: the first one makes version 1.
  var steps: [String]

  /// The version that all steps lead to; the file has its own in `PRAGMA user_version`.
  var version: Int64 { Int64(steps.count) }

  /// Says in the file's header whose it is: `Plac` (https://sqlite.org/fileformat.html#application_id).
  static let applicationID: Int64 = 0x506C_6163

  /// What this version of Placard reads and writes.
  static let current = Schema(steps: [
    """
    CREATE TABLE documents(
      kind TEXT NOT NULL, key TEXT NOT NULL, json TEXT NOT NULL, changed INTEGER NOT NULL,
      PRIMARY KEY(kind, key)) STRICT, WITHOUT ROWID;
    CREATE TABLE history(
      id INTEGER PRIMARY KEY, display TEXT NOT NULL, monitor TEXT NOT NULL, session TEXT NOT NULL, kind TEXT NOT NULL,
      what TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER, exact INTEGER NOT NULL) STRICT;
    CREATE INDEX history_ended ON history(ended);
    """
  ])

  /// Throws unless the file is empty or an archive that this schema can read; changes nothing.
  func check(_ database: Database) throws(ArchiveError) {
    let owner = try database.integer("PRAGMA application_id")
    let version = try database.integer("PRAGMA user_version")
    let tables = try database.integer("SELECT count(*) FROM sqlite_schema")
    guard owner == Self.applicationID || (owner == 0 && version == 0 && tables == 0) else {
      throw ArchiveError(.foreign, "open", on: database.path, "this is the database of another program")
    }
    // The first step writes owner and version together, so that a file of ours without a version is damaged.
    guard owner == 0 || version > 0 else {
      throw ArchiveError(.damaged, "open", on: database.path, "its header says that its schema is version \(version)")
    }
    guard version <= self.version else {
      let message = "its schema is version \(version), and this version of Placard knows \(self.version)"
      throw ArchiveError(.newer, "open", on: database.path, message)
    }
  }

  /// Takes the steps that the file has not seen, each whole or not at all.
  func migrate(_ database: Database) throws(ArchiveError) {
    let done = try database.integer("PRAGMA user_version")
    for (place, step) in steps.enumerated() where place >= done {
      try database.transaction { () throws(ArchiveError) in
        try database.execute(step)
        try database.execute("PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(place + 1)")
      }
    }
  }
}
