/// One thing to be kept, as a value.
public enum ArchiveChange: Hashable, Sendable {
  /// Sets a document, in place of the one that has this kind and key. The archive never looks into the JSON.
  case put(kind: String, key: String, json: String)
  /// Removes a document; one that is not there is no error.
  case remove(kind: String, key: String)
  /// Something is on the glass from now on.
  case began(HistoryEntry)
  /// The entry with this `HistoryEntry.id` is no longer on the glass, since `at`: milliseconds since 1970.
  case ended(id: Int64, at: Int64)
}

/// A document that is kept: a setting, a session, a message.
public struct StoredDocument: Hashable, Sendable {
  /// What sort of document it is.
  public var kind: String
  /// Its name among those of its kind.
  public var key: String
  /// The document itself. Whoever reads it should expect anything: a disk can change bytes that SQLite does not check.
  public var json: String
  /// When it was stored: milliseconds since 1970.
  public var changed: Int64

  /// A document from its parts.
  public init(kind: String, key: String, json: String, changed: Int64) {
    self.kind = kind
    self.key = key
    self.json = json
    self.changed = changed
  }
}
