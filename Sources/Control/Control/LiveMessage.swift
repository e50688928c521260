public import JSON

/// A message that is shown, or that would be shown if nothing covered it.
public struct LiveMessage: Codable, Hashable, Sendable {
  /// The message's ID, which is never used again.
  public var id: Int
  /// The message's name; nil if it has none.
  public var name: String?
  /// The text; nil if the message is a scene of another kind.
  public var text: String?
  /// The scene document.
  public var scene: JSONValue
  /// The scene's kind, such as `banner`.
  public var kind: String
  /// A one-line summary of the scene, for people.
  public var summary: String
  /// The target: `all`, `role:external`, `display:HDMI-A-1` or `tag:lobby`.
  public var target: String
  /// The priority, -100...100; messages of higher priority cover those of lower priority.
  public var priority: Int
  /// The time at which the message was posted.
  public var created: Timestamp
  /// The time at which the message was last posted under its name.
  public var changed: Timestamp
  /// The time at which the message expires; nil if it does not expire.
  public var expires: Timestamp?
  /// Whether the message stays until it is acknowledged.
  public var acknowledge: Bool
  /// The displays that show the message now.
  public var shown: [String]

  /// Creates a message.
  public init(
    id: Int, name: String? = nil, text: String? = nil, scene: JSONValue, kind: String, summary: String, target: String,
    priority: Int = 0, created: Timestamp, changed: Timestamp, expires: Timestamp? = nil, acknowledge: Bool = false,
    shown: [String] = []
  ) {
    self.id = id
    self.name = name
    self.text = text
    self.scene = scene
    self.kind = kind
    self.summary = summary
    self.target = target
    self.priority = priority
    self.created = created
    self.changed = changed
    self.expires = expires
    self.acknowledge = acknowledge
    self.shown = shown
  }
}

extension LiveMessage: InterfaceObject {
  package static let interface = Interface.report(
    "LiveMessage", "A message that is shown, or that would be shown if nothing covered it.",
    [
      field("id", \.id, "The message's ID, which is never used again.", .id),
      field("name", \.name, "The message's name.", .example("fire")),
      field("text", \.text, "The text; absent if the message is a scene of another kind.", .example("Welcome")),
      field("scene", \.scene, "The scene."), field("kind", \.kind, "The scene's kind.", .example("banner")),
      field("summary", \.summary, "A one-line summary of the scene, for people."),
      field(
        "target", \.target, "The target: all, role:NAME, display:NAME or tag:NAME.", .example("role:external")),
      field(
        "priority", \.priority, "The priority; messages of higher priority cover those of lower priority.",
        .range(-100...100)),
      field("created", \.created, "The time at which the message was posted."),
      field("changed", \.changed, "The time at which the message was last posted under its name."),
      field("expires", \.expires, "The time at which the message expires; absent if it does not expire."),
      field("acknowledge", \.acknowledge, "Whether the message stays until it is acknowledged."),
      field("shown", \.shown, "The displays that show the message now.", .example("HDMI-A-1")),
    ])
}
