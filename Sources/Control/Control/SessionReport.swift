public import JSON

/// The content of one monitor, whether it is connected or not.
public struct SessionReport: Codable, Hashable, Sendable {
  /// The session's ID, which is never used again; nil if the monitor shows the scene of its role.
  public var id: Int?
  /// The monitor's identity; identical monitors share it. Empty while the session waits for a monitor on `display`.
  public var monitor: String
  /// The monitor's name; nil if it is unknown.
  public var label: String?
  /// The display of the monitor; nil while the session waits for its monitor.
  public var display: String?
  /// The connector of the monitor, or its last one.
  public var place: String
  /// The session's scene document; nil without a session.
  public var scene: JSONValue?
  /// The revision of `scene`; nil without a session.
  public var revision: String?
  /// The scene's kind, such as `markdown`; nil without a session.
  public var kind: String?
  /// The content that is on screen, or that will be, in one line; nil without a session.
  public var summary: String?
  /// The session's tag; nil if it has none.
  public var tag: String?
  /// The scroll position; nil without a session.
  public var scroll: ScrollPlace?
  /// The time at which the session was opened; nil without a session.
  public var opened: Timestamp?
  /// Whether a message covers the session now.
  public var covered: Bool
  /// The text if the session is a banner; nil otherwise.
  public var message: String?
  /// Whether the monitor was put to sleep.
  public var asleep: Bool
  /// The delivery of the scene to the display; set only in the answer to a request that opens a session.
  public var delivery: Delivery?

  /// Creates a report.
  public init(
    id: Int?, monitor: String, label: String?, display: String?, place: String, scene: JSONValue? = nil,
    kind: String? = nil, summary: String? = nil, tag: String? = nil, scroll: ScrollPlace? = nil,
    opened: Timestamp? = nil, covered: Bool = false, message: String?, asleep: Bool, delivery: Delivery? = nil
  ) {
    self.id = id
    self.monitor = monitor
    self.label = label
    self.display = display
    self.place = place
    self.scene = scene
    self.revision = scene.map(Revision.of)
    self.kind = kind
    self.summary = summary
    self.tag = tag
    self.scroll = scroll
    self.opened = opened
    self.covered = covered
    self.message = message
    self.asleep = asleep
    self.delivery = delivery
  }

  /// Replaces the scene, its revision and its description.
  package mutating func setScene(_ scene: JSONValue, _ kind: String, _ summary: String) {
    self.scene = scene
    revision = Revision.of(scene)
    self.kind = kind
    self.summary = summary
    message = kind == "banner" ? scene["text"]?.text : nil
  }
}

extension SessionReport: InterfaceObject {
  package static let interface = Interface.report(
    "SessionReport", "The content of one monitor, whether it is connected or not.",
    [
      field("id", \.id, "The session's ID; absent if the monitor shows the scene of its role.", .id),
      field("monitor", \.monitor, "The monitor's identity."),
      field("label", \.label, "The monitor's name from its EDID."),
      field(
        "display", \.display, "The display of the monitor; absent while the session waits for its monitor.",
        .example("HDMI-A-1")),
      field("place", \.place, "The connector of the monitor, or its last one.", .example("HDMI-A-1")),
      field("scene", \.scene, "The session's scene document."),
      field(
        "revision", \.revision, "The revision of the scene, which is its entity tag.", .example("9ae16a3b2f90404f")),
      field("kind", \.kind, "The scene's kind.", .example("markdown")),
      field("summary", \.summary, "A one-line summary of the scene, for people."),
      field("tag", \.tag, "The session's tag.", .example("lobby")),
      field("scroll", \.scroll, "The scroll position."),
      field("opened", \.opened, "The time at which the session was opened."),
      field("covered", \.covered, "Whether a message covers the session now."),
      field("message", \.message, "The text if the session is a banner."),
      field("asleep", \.asleep, "Whether the monitor was put to sleep."),
      field(
        "delivery", \.delivery,
        "The result of showing the scene; only in the answer to a request that opens a session."),
    ])
}

/// A session that has ended and can be reopened.
public struct ClosedSessionReport: Codable, Hashable, Sendable {
  /// The session's ID, which it keeps when it is reopened.
  public var id: Int
  /// The display that the session was on or waited for; nil if it waited for the first monitor on any display.
  public var display: String?
  /// The scene's kind, such as `markdown`.
  public var kind: String
  /// A one-line summary of the scene, for people.
  public var summary: String
  /// The session's tag; nil if it had none.
  public var tag: String?
  /// The time at which the session ended.
  public var ended: Timestamp

  /// Creates a report.
  public init(id: Int, display: String?, kind: String, summary: String, tag: String? = nil, ended: Timestamp) {
    self.id = id
    self.display = display
    self.kind = kind
    self.summary = summary
    self.tag = tag
    self.ended = ended
  }
}

extension ClosedSessionReport: InterfaceObject {
  package static let interface = Interface.report(
    "ClosedSessionReport", "A session that has ended and can be reopened.",
    [
      field("id", \.id, "The session's ID, which it keeps when it is reopened.", .id),
      field(
        "display", \.display, "The display that the session was on or waited for.", .example("HDMI-A-1")),
      field("kind", \.kind, "The scene's kind.", .example("markdown")),
      field("summary", \.summary, "A one-line summary of the scene, for people."),
      field("tag", \.tag, "The session's tag.", .example("lobby")),
      field("ended", \.ended, "The time at which the session ended."),
    ])
}

/// The scroll position in a scene that is longer than its display, as a fraction or a heading.
public struct ScrollPlace: Codable, Hashable, Sendable {
  /// The position as a fraction, 0 for the beginning and 1 for the end; nil if a heading is given.
  public var position: Double?
  /// The anchor of the heading at the top; nil if a fraction is given.
  public var heading: String?

  /// Returns a position given as a fraction.
  public static func position(_ share: Double) -> ScrollPlace { ScrollPlace(position: share) }
  /// Returns a position with a heading at the top.
  public static func heading(_ anchor: String) -> ScrollPlace { ScrollPlace(heading: anchor) }
}

extension ScrollPlace: InterfaceObject {
  package static let interface = Interface.report(
    "ScrollPlace", "The scroll position in a scene that is longer than its display.",
    [
      field("position", \.position, "The position as a fraction: 0 is the beginning and 1 the end.", .fraction),
      field("heading", \.heading, "The anchor of the heading at the top.", .example("first-steps")),
    ])
}

/// The result of showing the requested content on displays.
public struct Delivery: Codable, Hashable, Sendable {
  /// The displays that have shown the content; filled in only if the request asked to wait.
  public var shown: [MessageReport.Showing]
  /// The displays that did not show the content, as `name: reason`.
  public var notShown: [String]
  /// Warnings for people about how the content is shown, as `name: warning`.
  public var warnings: [String]
  /// The reason why no display shows the content or is about to; nil if one does.
  public var unseen: String?
  /// The messages that cover the content, one per display; nil if there are none.
  public var covers: [Cover]?
  /// The distances from which the smallest text is readable, one per display whose size is known.
  public var legibility: [LegibilityReport]?

  /// Creates a delivery.
  public init(
    shown: [MessageReport.Showing] = [], notShown: [String] = [], warnings: [String] = [], unseen: String? = nil,
    covers: [Cover]? = nil, legibility: [LegibilityReport]? = nil
  ) {
    self.shown = shown
    self.notShown = notShown
    self.warnings = warnings
    self.unseen = unseen
    self.covers = covers
    self.legibility = legibility
  }
}

extension MessageReport {
  /// The delivery of the message to displays.
  public var delivery: Delivery {
    Delivery(
      shown: shown, notShown: notShown, warnings: warnings, unseen: unseen, covers: covers, legibility: legibility)
  }
}

extension Delivery: InterfaceObject {
  package static let interface = Interface.report(
    "Delivery", "The result of showing the requested content on displays.",
    [
      field("shown", \.shown, "The displays that have shown it; filled in only if the request asked to wait."),
      field("notShown", \.notShown, "The displays that did not show it, as `name: reason`."),
      field("warnings", \.warnings, "Warnings for people about how the content is shown."),
      field(
        "unseen", \.unseen, "The reason why no display shows it or is about to; absent if one does.",
        .example("no monitor is connected")),
      field("covers", \.covers, "The messages that cover it, one per display."),
      field(
        "legibility", \.legibility,
        "The distances from which the smallest text is readable, one per display whose size is known."),
    ])
}
