public import JSON

/// What one monitor shows, while it is plugged in and while it is not.
public struct SessionReport: Codable, Hashable, Sendable {
  /// Names the session; never given twice. Nil where the monitor shows what its role shows.
  public var id: Int?
  /// The monitor's identity; twins have the same. Empty while the session waits for a monitor on `display`.
  public var monitor: String
  /// What the monitor calls itself; nil while it is not plugged in.
  public var label: String?
  /// The display that it is on; nil while it waits for its monitor.
  public var display: String?
  /// The port where the monitor is, or was last.
  public var place: String
  /// The session's scene as a document; nil without a session.
  public var scene: JSONValue?
  /// The revision of `scene`; nil without a session.
  public var revision: String?
  /// The scene's kind, `markdown`; nil without a session.
  public var kind: String?
  /// What is on screen of it in a line for people, or what it will show; nil without a session.
  public var summary: String?
  /// What the session is called; nil where nobody said.
  public var tag: String?
  /// How far it is read; nil without a session.
  public var scroll: ScrollPlace?
  /// When it was opened; nil without a session.
  public var opened: Timestamp?
  /// Whether a message covers it now.
  public var covered: Bool
  /// The text of a session that is a banner; nil for all else.
  public var message: String?
  /// Whether it was sent to sleep.
  public var asleep: Bool
  /// How it came on the glass; only in the answer to a request that opens or moves it.
  public var delivery: Delivery?

  /// A report from its parts.
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
}

/// A session that ended, and can be opened again.
public struct ClosedSessionReport: Codable, Hashable, Sendable {
  /// The session's number, which it keeps when it is opened again.
  public var id: Int
  /// The display that it was on, or that it waited for; nil for the first monitor anywhere.
  public var display: String?
  /// The scene's kind, `markdown`.
  public var kind: String
  /// The scene in a line for people.
  public var summary: String
  /// What the session was called; nil without a tag.
  public var tag: String?
  /// When it ended.
  public var ended: Timestamp

  /// A report from its parts.
  public init(id: Int, display: String?, kind: String, summary: String, tag: String? = nil, ended: Timestamp) {
    self.id = id
    self.display = display
    self.kind = kind
    self.summary = summary
    self.tag = tag
    self.ended = ended
  }
}

/// How far a scene that is longer than its display is read: by a share or by a heading.
public struct ScrollPlace: Codable, Hashable, Sendable {
  /// A share of the way, 0 the beginning and 1 the end; nil where a heading says it.
  public var position: Double?
  /// The anchor of the heading at the top; nil where a share says it.
  public var heading: String?

  /// A share of the way.
  public static func position(_ share: Double) -> ScrollPlace { ScrollPlace(position: share) }
  /// A heading at the top.
  public static func heading(_ anchor: String) -> ScrollPlace { ScrollPlace(heading: anchor) }
}

/// How what was asked for came on the glass.
public struct Delivery: Codable, Hashable, Sendable {
  /// Which displays have shown it by now; filled only when the request asked to wait.
  public var shown: [MessageReport.Showing]
  /// Displays that did not show it although the request waited, `name: why`.
  public var notShown: [String]
  /// What a person should know of how it is shown, `name: what`.
  public var warnings: [String]
  /// Why no display shows it, and none is about to; nil if one does.
  public var unseen: String?
  /// The messages that cover it, a display each; nil if there are none.
  public var covers: [Cover]?

  /// A delivery from its parts.
  public init(
    shown: [MessageReport.Showing] = [], notShown: [String] = [], warnings: [String] = [], unseen: String? = nil,
    covers: [Cover]? = nil
  ) {
    self.shown = shown
    self.notShown = notShown
    self.warnings = warnings
    self.unseen = unseen
    self.covers = covers
  }
}

extension MessageReport {
  /// How the message came on the glass.
  public var delivery: Delivery {
    Delivery(shown: shown, notShown: notShown, warnings: warnings, unseen: unseen, covers: covers)
  }
}
