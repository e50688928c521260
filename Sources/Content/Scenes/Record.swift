/// The persistent form of one part of a session model.
package struct Record: Hashable, Sendable {
  /// The kind: `numbers`, `board`, `profile`, `session`, `closed-session`, `message`, `entry` or `value`.
  package var kind: String
  /// The key, which is unique within its kind; usually a number.
  package var key: String
  /// The content: a JSON object whose member `v` is the format version.
  package var json: String

  /// Creates a record from its parts.
  package init(kind: String, key: String, json: String) {
    self.kind = kind
    self.key = key
    self.json = json
  }
}

/// One change from the records of one session model to those of another.
package enum RecordChange: Hashable, Sendable {
  /// Sets a record, and replaces the one with the same kind and key.
  case put(Record)
  /// Removes a record.
  case remove(kind: String, key: String)
}
