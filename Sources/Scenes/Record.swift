/// A part of a store as it outlives the service.
public struct Record: Hashable, Sendable {
  /// `numbers`, `board`, `seat`, `session` or `message`.
  public var kind: String
  /// Its name among those of its kind: a number, as a rule.
  public var key: String
  /// What it says: an object whose member `v` is the version of its words.
  public var json: String

  /// A record from its parts.
  public init(kind: String, key: String, json: String) {
    self.kind = kind
    self.key = key
    self.json = json
  }
}

/// One step from the records of one store to those of another.
public enum RecordChange: Hashable, Sendable {
  /// Sets a record, in place of the one of its kind and key.
  case put(Record)
  /// Removes a record.
  case remove(kind: String, key: String)
}
