/// The persistence state of an archive.
package enum ArchiveState: Hashable, Sendable {
  /// All changes are on disk.
  case stored
  /// Some changes wait in memory until they can be written. Earlier data is still on disk.
  case inMemory(ArchiveFailure)
  /// Persistence is disabled: the archive has no file.
  case off
}

/// The reason why changes wait in memory.
package struct ArchiveFailure: Hashable, Sendable {
  /// The error of the latest attempt.
  package var error: ArchiveError
  /// The time of the first failure, in milliseconds since 1970.
  package var since: Int64
  /// The number of pending changes; several changes of one document count once.
  package var pending: Int
  /// The number of changes beyond the limit, which are lost when the daemon ends.
  package var dropped: Int
}

/// A re-creation of the archive with all its content, after its file was removed or replaced while open.
package struct ArchiveRenewal: Hashable, Sendable {
  /// The path of the file.
  package var path: String
  /// The new path of the file that had taken its place; nil if there was none.
  package var aside: String?
  /// The number of documents stored again.
  package var documents: Int
  /// The number of history entries stored again; nil if they could not be written.
  package var entries: Int?
  /// The time of detection, in milliseconds since 1970.
  package var since: Int64
}

/// An event for the log, reported once when it happens.
package enum ArchiveNotice: Hashable, Sendable {
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
package struct ArchiveReplacement: Hashable, Sendable {
  /// The error that revealed the damage.
  package var error: ArchiveError
  /// The new path of the damaged file.
  package var aside: String
  /// The number of documents recovered from it.
  package var saved: Int
}
