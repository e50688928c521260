package import Control
package import Scenes

/// The persistence of data that must outlive the service: the interface to the archive.
///
/// Writes are in the order of the calls, and return at once; `settled` waits for the disk.
package protocol Persistence: Sendable {
  /// Loads the stored records at the start.
  ///
  /// - Returns: The records; nil if there may be some that cannot be read now.
  func load() async -> [Record]?
  /// Stores changes of the session model.
  ///
  /// - Parameter changes: The changes, in order.
  func write(_ changes: [RecordChange])
  /// Records that content is presented on a display, or no longer is.
  ///
  /// - Parameter step: The change.
  func note(_ step: HistoryChange)
  /// Returns when all earlier writes are on the disk, or wait in memory because the disk does not accept them.
  func settled() async
  /// Returns the history of presented content.
  ///
  /// - Parameter query: The filter.
  /// - Throws: `ControlError` if the history cannot be read.
  /// - Returns: The lines, newest first.
  func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine]
  /// Returns the location of the data, or the reason that it is only in memory.
  ///
  /// - Returns: The summary. Its text is nil if persistence is disabled by request.
  func summary() async -> PersistenceSummary
}

/// The state of the persistence.
package struct PersistenceSummary: Hashable, Sendable {
  /// The path, or the reason that there is none; nil if persistence is disabled by request.
  package var words: String?
  /// Whether a write failed.
  package var isInTrouble: Bool

  /// The problem of the storage, in a sentence.
  var troubles: [String] { isInTrouble ? [words].compactMap(\.self) : [] }

  /// Creates a summary.
  ///
  /// - Parameters:
  ///   - words: The path, or the reason that there is none; nil if persistence is disabled by request.
  ///   - isInTrouble: Whether a write failed.
  package init(_ words: String?, isInTrouble: Bool = false) {
    self.words = words
    self.isInTrouble = isInTrouble
  }
}

/// A change in the history of a display.
package enum HistoryChange: Hashable, Sendable {
  /// Content was presented.
  case began(PresentedEntry)
  /// The entry with this number was replaced or removed, at a time in milliseconds since 1970.
  case ended(Int, at: Int64)
}

/// An entry of the history: content that is presented on a display.
package struct PresentedEntry: Hashable, Sendable {
  /// The number of the entry, which counts up from 1 during the service's run.
  package var id: Int
  /// The connector's name.
  package var display: String
  /// The monitor's identity.
  package var monitor: String
  /// The session of the content; nil for a message or a role's scene.
  package var session: Int?
  /// The kind of scene, such as `banner`.
  package var kind: String
  /// A description of the visible content, in one line.
  package var what: String
  /// The time of the first flip, in milliseconds since 1970.
  package var began: Int64
}

/// A persistence that stores nothing, for tests and for services with persistence disabled.
package struct ForgetfulPersistence: Persistence {
  /// Creates a persistence that stores nothing.
  package init() {}
  /// Returns no records.
  ///
  /// - Returns: An empty array.
  package func load() async -> [Record]? { [] }
  /// Does nothing.
  ///
  /// - Parameter changes: The changes, which are ignored.
  package func write(_ changes: [RecordChange]) {}
  /// Does nothing.
  ///
  /// - Parameter step: The change, which is ignored.
  package func note(_ step: HistoryChange) {}
  /// Returns at once.
  package func settled() async {}
  /// Returns no history.
  ///
  /// - Parameter query: The filter, which is ignored.
  /// - Throws: No error, although the protocol allows one.
  /// - Returns: An empty array.
  package func history(_ query: HistoryQuery) async throws(ControlError) -> [HistoryLine] { [] }
  /// Returns a summary without text.
  ///
  /// - Returns: The summary.
  package func summary() async -> PersistenceSummary { PersistenceSummary(nil) }
}
