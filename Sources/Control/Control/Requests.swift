public import JSON

/// A request to show a message: a text or a scene.
public struct MessageRequest: Codable, Hashable, Sendable {
  /// The text, shown as large as possible; empty for the plain background. Exactly one of `text` and `scene` is set.
  public var text: String?
  /// The scene document that is shown instead of a text.
  public var scene: JSONValue?
  /// The target display; without a display, role or tag, the target is all displays.
  public var display: String?
  /// The role of the target displays: `internal` or `external`.
  public var role: String?
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

  /// Creates a request.
  public init(
    text: String? = nil, scene: JSONValue? = nil, display: String? = nil, role: String? = nil, tag: String? = nil,
    name: String? = nil, priority: Int? = nil, seconds: Int? = nil, acknowledge: Bool? = nil, wait: Bool? = nil
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
  }
}

/// A request to open a scene as a session.
///
/// The session belongs to one monitor and ends the session that was open there.
public struct OpenRequest: Codable, Hashable, Sendable {
  /// The scene document.
  public var scene: JSONValue
  /// The display; nil lets the daemon choose the display that has the scene open, or else one without a session.
  public var display: String?
  /// The session's tag; a session with this tag is brought forward with the new scene.
  public var tag: String?
  /// Whether to answer only after the scene was presented.
  public var wait: Bool?

  /// Creates a request.
  public init(scene: JSONValue, display: String? = nil, tag: String? = nil, wait: Bool? = nil) {
    self.scene = scene
    self.display = display
    self.tag = tag
    self.wait = wait
  }
}

/// A request to move a session.
public struct MoveRequest: Codable, Hashable, Sendable {
  /// The target display; the session that is open there ends.
  public var display: String

  /// Creates a request.
  public init(display: String) { self.display = display }
}

/// A request to scroll a scene that is longer than its display.
///
/// Exactly one of the fields is set.
public struct ScrollRequest: Codable, Hashable, Sendable {
  /// The position as a fraction: 0 is the beginning and 1 the end.
  public var position: Double?
  /// The anchor of a heading, such as `first-steps`.
  public var heading: String?
  /// The number of pages relative to the current one: 1 is the next page, -1 the previous page.
  public var page: Int?

  /// Returns a request to scroll to a fraction of the scene, 0...1.
  public static func position(_ share: Double) -> ScrollRequest { ScrollRequest(position: share) }
  /// Returns a request to scroll to the heading with an anchor.
  public static func heading(_ anchor: String) -> ScrollRequest { ScrollRequest(heading: anchor) }
  /// Returns a request to scroll by pages, backward if the number is negative.
  public static func page(_ count: Int) -> ScrollRequest { ScrollRequest(page: count) }
}

/// A request to put displays to sleep or to wake them.
public struct SleepRequest: Codable, Hashable, Sendable {
  /// Whether to sleep.
  public var asleep: Bool
  /// The display; nil for all connected displays.
  public var display: String?

  /// Creates a request.
  public init(asleep: Bool, display: String? = nil) {
    self.asleep = asleep
    self.display = display
  }
}

/// A request to plug in a virtual monitor, given by its size or by a real monitor's EDID.
public struct PlugRequest: Codable, Hashable, Sendable {
  /// The name of the virtual output, such as `Virtual-2`; nil for the next free one.
  public var display: String?
  /// The width in pixels, 16...16384; set with `height` instead of `edid`.
  ///
  /// Width times height is at most 35,389,440 (8192x4320).
  public var width: Int?
  /// The height in pixels, 16...16384.
  public var height: Int?
  /// The bytes of the EDID in base64; set instead of a size.
  public var edid: String?

  /// Creates a request.
  public init(display: String? = nil, width: Int? = nil, height: Int? = nil, edid: String? = nil) {
    self.display = display
    self.width = width
    self.height = height
    self.edid = edid
  }
}
