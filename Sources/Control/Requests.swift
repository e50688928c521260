public import JSON

/// A message to show: a text, or a scene.
public struct MessageRequest: Codable, Hashable, Sendable {
  /// The text, shown as large as it can be; empty leaves the plain background. Either this or `scene`.
  public var text: String?
  /// A scene's document, instead of a text.
  public var scene: JSONValue?
  /// The display it is for. Without a display, role and tag it is for all.
  public var display: String?
  /// The displays it is for, by role: `internal` or `external`.
  public var role: String?
  /// The displays it is for, by their monitors' tag or their session's.
  public var tag: String?
  /// What it is called: another message of this name takes its place.
  public var name: String?
  /// Higher ones cover lower ones, -100...100; 0, that of sessions, where nothing is said.
  public var priority: Int?
  /// How long it lives, from 1; nil for as long as nobody takes it away.
  public var seconds: Int?
  /// Whether it is there until somebody acknowledges it.
  public var acknowledge: Bool?
  /// Whether to answer only when it is on the glass.
  public var wait: Bool?

  /// A request from its parts.
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

/// A scene to open as a session: it is its monitor's own, and ends the one that was there.
public struct OpenRequest: Codable, Hashable, Sendable {
  /// The scene's document.
  public var scene: JSONValue
  /// The display to open it on; nil leaves that to the service: where it is open already, then where nothing is.
  public var display: String?
  /// What it is called: the session of this tag is brought forward with the new scene.
  public var tag: String?
  /// Whether to answer only when it is on the glass.
  public var wait: Bool?

  /// A request from its parts.
  public init(scene: JSONValue, display: String? = nil, tag: String? = nil, wait: Bool? = nil) {
    self.scene = scene
    self.display = display
    self.tag = tag
    self.wait = wait
  }
}

/// Where a session is to go.
public struct MoveRequest: Codable, Hashable, Sendable {
  /// The display; the session that is there ends.
  public var display: String

  /// A move to this display.
  public init(display: String) { self.display = display }
}

/// How far a scene that is longer than its display is to be read: one of three ways to say it.
public struct ScrollRequest: Codable, Hashable, Sendable {
  /// A share of the way, 0 the beginning and 1 the end.
  public var position: Double?
  /// The anchor of a heading, `first-steps`.
  public var heading: String?
  /// Pages from here: 1 the next one, -1 the one before.
  public var page: Int?

  /// To a share of the way.
  public static func position(_ share: Double) -> ScrollRequest { ScrollRequest(position: share) }
  /// To a heading.
  public static func heading(_ anchor: String) -> ScrollRequest { ScrollRequest(heading: anchor) }
  /// Pages on, or with a negative number back.
  public static func page(_ count: Int) -> ScrollRequest { ScrollRequest(page: count) }
}

/// Who is to sleep, or to wake.
public struct SleepRequest: Codable, Hashable, Sendable {
  /// Whether to sleep.
  public var asleep: Bool
  /// The display; nil for all that are connected.
  public var display: String?

  /// A request from its parts.
  public init(asleep: Bool, display: String? = nil) {
    self.asleep = asleep
    self.display = display
  }
}

/// A virtual monitor to plug: a size, or a real monitor's EDID.
public struct PlugRequest: Codable, Hashable, Sendable {
  /// Name of the virtual output, `Virtual-2`; nil takes the next free one.
  public var display: String?
  /// Pixels across, 16...16384; with `height`, instead of `edid`. Width times height is at most 35,389,440 (8192x4320).
  public var width: Int?
  /// Pixels down, 16...16384.
  public var height: Int?
  /// The EDID's bytes in base64, instead of a size.
  public var edid: String?

  /// A request from its parts.
  public init(display: String? = nil, width: Int? = nil, height: Int? = nil, edid: String? = nil) {
    self.display = display
    self.width = width
    self.height = height
    self.edid = edid
  }
}
