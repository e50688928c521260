public import JSON

/// A message that is shown, or would be if nothing covered it.
public struct LiveMessage: Codable, Hashable, Sendable {
  /// Names it; never given twice.
  public var id: Int
  /// What it is called; nil where nobody said.
  public var name: String?
  /// Its text; nil where it is a scene of another kind.
  public var text: String?
  /// The scene as a document.
  public var scene: JSONValue
  /// The scene's kind, `banner`.
  public var kind: String
  /// The scene in a line for people.
  public var summary: String
  /// Who it is for: `all`, `role:external`, `display:HDMI-A-1` or `tag:lobby`.
  public var target: String
  /// Higher ones cover lower ones, -100...100.
  public var priority: Int
  /// When it was posted.
  public var created: Timestamp
  /// When it was posted last under its name.
  public var changed: Timestamp
  /// When it is over; nil for never.
  public var expires: Timestamp?
  /// Whether it is there until somebody acknowledges it.
  public var acknowledge: Bool
  /// The displays that show it now.
  public var shown: [String]

  /// A message from its parts.
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
