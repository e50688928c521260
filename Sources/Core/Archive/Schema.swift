/// The tables of the file, built by migration steps; a released step never changes.
struct Schema {
  /// The SQL of each step; the first one creates version 1.
  var steps: [String]

  /// The version after all steps; the file stores its own in `PRAGMA user_version`.
  var version: Int64 { Int64(steps.count) }

  /// The application ID in the file's header: `Plac` (https://sqlite.org/fileformat.html#application_id).
  static let applicationID: Int64 = 0x506C_6163

  /// The schema that this version of Placard reads and writes.
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
      throw ArchiveError(.foreign, "open", on: database.path, "it is the database of another program")
    }
    // The first step writes both values in one transaction, so an archive of Placard without a version is damaged.
    guard owner == 0 || version > 0 else {
      throw ArchiveError(.damaged, "open", on: database.path, "its header has schema version \(version)")
    }
    guard version <= self.version else {
      let message = "its schema version is \(version), and this version of Placard supports \(self.version)"
      throw ArchiveError(.newer, "open", on: database.path, message)
    }
  }

  /// Applies the missing steps, each in one transaction.
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
