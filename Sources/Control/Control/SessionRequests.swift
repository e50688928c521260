public import JSON

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

extension OpenRequest: InterfaceObject {
  package static let interface = Interface.request(
    "OpenRequest", noun: "A session",
    "A scene to open as a session, which belongs to one monitor and ends the session there.",
    [
      field("scene", \.scene, "The scene document.", .scene),
      field(
        "display", \.display,
        "The display; the default is the one that has the scene open, or else one without a session.", .notEmpty,
        .example("Virtual-1")),
      field(
        "tag", \.tag, "The session's tag; a session with this tag is brought forward with the new scene.", .tag),
      field("wait", \.wait, "Whether to answer only after it was presented."),
    ])
}

/// A request to move a session.
public struct MoveRequest: Codable, Hashable, Sendable {
  /// The target display; the session that is open there ends.
  public var display: String

  /// Creates a request.
  public init(display: String) { self.display = display }
}

extension MoveRequest: InterfaceObject {
  package static let interface = Interface.request(
    "MoveRequest", noun: "A request to move", "A request to move a session.",
    [
      field(
        "display", \.display, "The target display; the session that is open there ends.", .notEmpty,
        .example("Virtual-1"))
    ])
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

extension ScrollRequest: InterfaceObject {
  package static let interface = Interface.request(
    "ScrollRequest", noun: "A request to scroll",
    "A request to scroll a scene that is longer than its display, with exactly one of the fields.",
    [
      field("position", \.position, "The position as a fraction: 0 is the beginning and 1 the end.", .fraction),
      field("heading", \.heading, "The anchor of a heading.", .notEmpty, .example("first-steps")),
      field(
        "page", \.page, "The number of pages relative to the current one: 1 is the next page, -1 the previous page.",
        .range(-1000...1000), .example(1)),
    ],
    [.exactlyOne(of: "position", "heading", "page")])
}
