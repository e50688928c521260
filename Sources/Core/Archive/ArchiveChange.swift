/// A change to the archive.
public enum ArchiveChange: Hashable, Sendable {
  /// Sets a document and replaces any other of the same kind and key. The JSON is not interpreted.
  case put(kind: String, key: String, json: String)
  /// Removes a document, if it exists.
  case remove(kind: String, key: String)
  /// Records an entry that is now on screen.
  case began(HistoryEntry)
  /// Ends the entry with this `HistoryEntry.id` at a time in milliseconds since 1970.
  case ended(id: Int64, at: Int64)
}

/// A stored document: a setting, a session, or a message.
public struct StoredDocument: Hashable, Sendable {
  /// The kind of document.
  public var kind: String
  /// The name, unique within the kind.
  public var key: String
  /// The content. Readers must expect arbitrary text: a disk can alter bytes that SQLite does not check.
  public var json: String
  /// The time of the last change, in milliseconds since 1970.
  public var changed: Int64

  /// Creates a document from its parts.
  public init(kind: String, key: String, json: String, changed: Int64) {
    self.kind = kind
    self.key = key
    self.json = json
    self.changed = changed
  }
}
