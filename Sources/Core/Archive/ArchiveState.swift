/// The persistence state of an archive.
public enum ArchiveState: Hashable, Sendable {
  /// All changes are on disk.
  case stored
  /// Some changes wait in memory until they can be written. Earlier data is still on disk.
  case inMemory(ArchiveFailure)
  /// Persistence is disabled: the archive has no file.
  case off
}

/// The reason why changes wait in memory.
public struct ArchiveFailure: Hashable, Sendable {
  /// The error of the latest attempt.
  public var error: ArchiveError
  /// The time of the first failure, in milliseconds since 1970.
  public var since: Int64
  /// The number of pending changes; several changes of one document count once.
  public var pending: Int
  /// The number of changes beyond the limit, which are lost when the daemon ends.
  public var dropped: Int
}

/// A re-creation of the archive with all its content, after its file was removed or replaced while open.
public struct ArchiveRenewal: Hashable, Sendable {
  /// The path of the file.
  public var path: String
  /// The new path of the file that had taken its place; nil if there was none.
  public var aside: String?
  /// The number of documents stored again.
  public var documents: Int
  /// The number of history entries stored again; nil if they could not be written.
  public var entries: Int?
  /// The time of detection, in milliseconds since 1970.
  public var since: Int64
}

/// An event for the log, reported once when it happens.
public enum ArchiveNotice: Hashable, Sendable {
  /// A change of the state or of its reason.
  case state(ArchiveState)
  /// The replacement of a damaged file by a new one with the documents that could still be read.
  case replaced(ArchiveReplacement)
  /// The re-creation of a file that was removed or replaced.
  case renewed(ArchiveRenewal)
  /// The number of changes lost because the queue was full, reported when the file can be written again.
  case dropped(Int)
}

/// A damaged file that was set aside.
public struct ArchiveReplacement: Hashable, Sendable {
  /// The error that revealed the damage.
  public var error: ArchiveError
  /// The new path of the damaged file.
  public var aside: String
  /// The number of documents recovered from it.
  public var saved: Int
}
