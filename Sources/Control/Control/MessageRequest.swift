public import JSON

/// A request to show a message: a text or a scene.
public struct MessageRequest: Codable, Hashable, Sendable {
  /// The text, shown as large as possible; empty for the plain background. Exactly one of `text` and `scene` is set.
  public var text: String?
  /// The scene document that is shown instead of a text.
  public var scene: JSONValue?
  /// The target display; without a display, role or tag, the target is all displays.
  public var display: String?
  /// The role of the target displays.
  public var role: DisplayRole?
  /// The tag of the target displays: that of their monitor or of their session.
  public var tag: String?
  /// The message's name; a message replaces an earlier one of the same name.
  public var name: String?
  /// The priority, -100...100; higher covers lower. Nil means 0, the priority of sessions.
  public var priority: Int?
  /// The lifetime in seconds, at least 1; nil if the message stays until it is withdrawn.
  public var seconds: Int?
  /// Whether the message stays until it is acknowledged.
  public var acknowledge: Bool?
  /// Whether to answer only after the message was presented.
  public var wait: Bool?
  /// Whether to refuse the message if a display would show it with a warning, or too small for its configured distance.
  public var requireReadable: Bool?

  /// Creates a request.
  public init(
    text: String? = nil, scene: JSONValue? = nil, display: String? = nil, role: DisplayRole? = nil, tag: String? = nil,
    name: String? = nil, priority: Int? = nil, seconds: Int? = nil, acknowledge: Bool? = nil, wait: Bool? = nil,
    requireReadable: Bool? = nil
  ) {
    self.text = text
    self.scene = scene
    self.display = display
    self.role = role
    self.tag = tag
    self.name = name
    self.priority = priority
    self.seconds = seconds
    self.acknowledge = acknowledge
    self.wait = wait
    self.requireReadable = requireReadable
  }
}

extension MessageRequest: InterfaceObject {
  /// The maximum lifetime in seconds, 30 years.
  static let mostSeconds = 30 * 366 * 86400

  package static let interface = Interface.request(
    "MessageRequest", noun: "A message",
    "A message to show: a text or a scene. Without a display, role or tag, the target is all displays.",
    [
      field(
        "text", \.text, "The text, shown as large as possible; empty for the plain background.", .example("Welcome")),
      field("scene", \.scene, "A scene document, instead of a text.", .scene),
      field("display", \.display, "The target display.", .notEmpty, .example("Virtual-1")),
      field("role", \.role, "The role of the target displays."),
      field("tag", \.tag, "The tag of the target displays: that of their monitor or of their session.", .tag),
      field("name", \.name, "The message's name; a message replaces an earlier one of the same name.", .name),
      field(
        "priority", \.priority, "The priority; higher covers lower. The default is 0, the priority of sessions.",
        .range(-100...100)),
      field(
        "seconds", \.seconds, "The lifetime in seconds; without it, the message stays until it is withdrawn.",
        .range(1...mostSeconds), .example(600)),
      field("acknowledge", \.acknowledge, "Whether the message stays until it is acknowledged."),
      field("wait", \.wait, "Whether to answer only after it was presented."),
      field(
        "requireReadable", \.requireReadable,
        "Whether to refuse the message if a display would show it with a warning, or too small for its `distance`."),
    ],
    [.exactlyOne(of: "text", "scene"), .atMostOne(of: "display", "role", "tag")])

  /// A message that replaces the one for all displays or for one display, and has no fields besides its content.
  package static let plain: Interface = {
    let plain = interface.limited(
      to: ["text", "scene", "display", "wait", "requireReadable"], "PlainMessageRequest",
      noun: "A message at this path", remark: " (one posted to /v1/messages has more)",
      "A message that covers everything else: a text or a scene.")
    return plain.describing("display", "The target display; without it, the target is all displays.")
  }()

  /// A message for the display that the path names.
  package static let forDisplay = interface.limited(
    to: ["text", "scene", "wait", "requireReadable"], "DisplayMessageRequest", noun: "A message at this path",
    "A message for the display in the path: a text or a scene.")
}

extension SchemaPart {
  // The patterns must match what `Name` in Scenes accepts.
  static let name = SchemaPart.all(.pattern("^[A-Za-z0-9._:@-]{1,64}$"), .example("fire"))
  static let tag = SchemaPart.all(.pattern("^(card:)?[A-Za-z0-9._:@-]{1,64}$"), .example("lobby"))
}
