/// A change to the archive.
package enum ArchiveChange: Hashable, Sendable {
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
package struct StoredDocument: Hashable, Sendable {
  /// The kind of document.
  package var kind: String
  /// The name, unique within the kind.
  package var key: String
  /// The content. Readers must expect arbitrary text: a disk can alter bytes that SQLite does not check.
  package var json: String
  /// The time of the last change, in milliseconds since 1970.
  package var changed: Int64

  /// Creates a document from its parts.
  package init(kind: String, key: String, json: String, changed: Int64) {
    self.kind = kind
    self.key = key
    self.json = json
    self.changed = changed
  }
}
