package import Control
package import Scenes

/// Where what must outlive the service is kept: the seam to the archive.
///
/// Writes are in the order of the calls, and return at once; `settled` waits for the disk.
package protocol Persistence: Sendable {
  /// The records that were kept, at the start; nil where they are there perhaps, but cannot be read now.
  func load() async -> [Record]?
  /// Keeps changes of the store.
  func write(_ changes: [RecordChange])
  /// Notes that something is on a display's glass, or no longer is.
  func note(_ step: HistoryChange)
  /// Returns when all that was given before is on the disk, or waits in memory since the disk does not take it.
  func settled() async
  /// What was shown, newest first.
  func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine]
  /// Where things are kept, or a sentence why they are only in memory; nil where that is what was asked for.
  func summary() async -> PersistenceSummary
}

/// How things are kept.
package struct PersistenceSummary: Hashable, Sendable {
  /// The path, or why there is none, in words.
  package var words: String?
  /// Whether something could not be written.
  package var isInTrouble: Bool

  /// A summary in words.
  package init(_ words: String?, isInTrouble: Bool = false) {
    self.words = words
    self.isInTrouble = isInTrouble
  }
}

/// A step in the history of a display.
package enum HistoryChange: Hashable, Sendable {
  /// Something is on the glass.
  case began(PresentedEntry)
  /// The thing of this number is no longer there, since this time: milliseconds since 1970.
  case ended(Int, at: Int64)
}

/// Something that is on a display's glass.
package struct PresentedEntry: Hashable, Sendable {
  /// Counts up from 1 over the service's life.
  package var id: Int
  /// The connector's name.
  package var display: String
  /// The monitor's identity.
  package var monitor: String
  /// The session that it belongs to; nil for a message or a role's scene.
  package var session: Int?
  /// The kind of scene, `banner`.
  package var kind: String
  /// What is seen, in a line.
  package var what: String
  /// When its flip came, in milliseconds since 1970.
  package var began: Int64
}

/// Keeps nothing: for tests, and for whoever wants nothing kept.
package struct ForgetfulKeeper: Persistence {
  /// Nothing is kept.
  package init() {}
  /// Nothing.
  package func load() async -> [Record]? { [] }
  /// Keeps nothing.
  package func write(_ changes: [RecordChange]) {}
  /// Keeps nothing.
  package func note(_ step: HistoryChange) {}
  /// Returns at once.
  package func settled() async {}
  /// Nothing.
  package func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine] { [] }
  /// As was asked for.
  package func summary() async -> PersistenceSummary { PersistenceSummary(nil) }
}
