/// The messages that a request removed, and the messages that displays still show.
public struct ClearReport: Codable, Hashable, Sendable {
  /// The messages that the request ended.
  public var removed: [Removed]
  /// The messages that displays show now; a message that covers another comes first.
  public var remaining: [Remaining]

  /// A message that the request ended.
  public struct Removed: Codable, Hashable, Sendable {
    /// The message's ID.
    public var id: Int
    /// A one-line summary of what the message showed, for people.
    public var summary: String

    /// Creates a removed message.
    public init(id: Int, summary: String) {
      self.id = id
      self.summary = summary
    }
  }

  /// A message that is still shown.
  public struct Remaining: Codable, Hashable, Sendable {
    /// The message's ID.
    public var id: Int
    /// A one-line summary of what the message shows, for people.
    public var summary: String
    /// The displays that show the message.
    public var displays: [String]
    /// The time at which the message expires; nil if it does not expire.
    public var expires: Timestamp?
    /// Whether the message ends when it is acknowledged.
    public var acknowledge: Bool

    /// Creates a remaining message.
    public init(id: Int, summary: String, displays: [String], expires: Timestamp? = nil, acknowledge: Bool = false) {
      self.id = id
      self.summary = summary
      self.displays = displays
      self.expires = expires
      self.acknowledge = acknowledge
    }
  }

  /// Creates a report.
  public init(removed: [Removed] = [], remaining: [Remaining] = []) {
    self.removed = removed
    self.remaining = remaining
  }
}

extension ClearReport: InterfaceObject {
  package static let interface = Interface.report(
    "ClearReport", "The messages that a request removed, and the messages that displays still show.",
    [
      field("removed", \.removed, "The messages that the request ended."),
      field(
        "remaining", \.remaining, "The messages that displays show now; a message that covers another comes first."),
    ])
}

extension ClearReport.Removed: InterfaceObject {
  package static let interface = Interface.part(
    "A message that the request ended.",
    [
      field("id", \.id, "The message's ID.", .id),
      field("summary", \.summary, "A one-line summary of what the message showed."),
    ])
}

extension ClearReport.Remaining: InterfaceObject {
  package static let interface = Interface.part(
    "A message that is still shown.",
    [
      field("id", \.id, "The message's ID.", .id),
      field("summary", \.summary, "A one-line summary of what the message shows."),
      field("displays", \.displays, "The displays that show the message.", .example("HDMI-A-1")),
      field("expires", \.expires, "The time at which the message expires; absent if it does not expire."),
      field("acknowledge", \.acknowledge, "Whether the message ends when it is acknowledged."),
    ])
}
