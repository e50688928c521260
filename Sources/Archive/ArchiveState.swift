/// Whether what the archive was given is on the disk.
public enum ArchiveState: Hashable, Sendable {
  /// All of it is.
  case stored
  /// Not all of it: changes wait in memory until they can be written. What was stored before is still there.
  case inMemory(ArchiveTrouble)
  /// Nothing is, as was asked for: the archive has no file.
  case off
}

/// Why changes wait in memory.
public struct ArchiveTrouble: Hashable, Sendable {
  /// What the newest attempt failed at.
  public var error: ArchiveError
  /// When the first one failed: milliseconds since 1970.
  public var since: Int64
  /// How many changes wait; later ones of the same document count once.
  public var pending: Int
  /// How many were too many to wait; they are lost with the end of the service.
  public var dropped: Int
}

/// An archive that was begun anew with everything it had, since its file was removed or replaced while it was open.
public struct ArchiveRenewal: Hashable, Sendable {
  /// The file.
  public var path: String
  /// Where the file is now that was put in its place; nil where there was none.
  public var aside: String?
  /// How many documents were stored again.
  public var documents: Int
  /// How many entries of the history were stored again; nil where the disk did not take them.
  public var entries: Int?
  /// When it was noticed: milliseconds since 1970.
  public var since: Int64
}

/// What should be in the log: told once, when it happens.
public enum ArchiveNotice: Hashable, Sendable {
  /// The state is another, or has another reason.
  case state(ArchiveState)
  /// The file was damaged, and a new one was begun with those of its documents that could still be read.
  case replaced(ArchiveReplacement)
  /// The file was removed or replaced, and was begun anew.
  case renewed(ArchiveRenewal)
  /// The file is written again, but so many changes had been too many to wait for it.
  case dropped(Int)
}

/// A damaged file that was set aside.
public struct ArchiveReplacement: Hashable, Sendable {
  /// What showed the damage.
  public var error: ArchiveError
  /// Where the damaged file is now.
  public var aside: String
  /// How many documents could still be read from it.
  public var saved: Int
}
