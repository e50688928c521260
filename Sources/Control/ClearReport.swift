/// What a request removed, and the messages that displays show all the same.
public struct ClearReport: Codable, Hashable, Sendable {
  /// The messages that the request ended.
  public var removed: [Removed]
  /// The messages that displays show now, those that cover others first.
  public var remaining: [Remaining]

  /// A message that ended.
  public struct Removed: Codable, Hashable, Sendable {
    /// The message's number.
    public var id: Int
    /// What it showed, in a line for people.
    public var summary: String

    /// A message from its parts.
    public init(id: Int, summary: String) {
      self.id = id
      self.summary = summary
    }
  }

  /// A message that is still shown.
  public struct Remaining: Codable, Hashable, Sendable {
    /// The message's number.
    public var id: Int
    /// What it shows, in a line for people.
    public var summary: String
    /// The displays that show it.
    public var displays: [String]
    /// When it ends by itself; nil for never.
    public var expires: Timestamp?
    /// Whether it ends when someone acknowledges it.
    public var acknowledge: Bool

    /// A message from its parts.
    public init(id: Int, summary: String, displays: [String], expires: Timestamp? = nil, acknowledge: Bool = false) {
      self.id = id
      self.summary = summary
      self.displays = displays
      self.expires = expires
      self.acknowledge = acknowledge
    }
  }

  /// A report from its parts.
  public init(removed: [Removed] = [], remaining: [Remaining] = []) {
    self.removed = removed
    self.remaining = remaining
  }
}
