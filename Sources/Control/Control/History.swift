/// A query that selects entries of the display history.
public struct HistoryQuery: Hashable, Sendable {
  /// The time after which an entry was still shown, in milliseconds since 1970; nil for no bound.
  public var since: Int64?
  /// The time before which an entry began, in milliseconds since 1970; nil for no bound.
  public var until: Int64?
  /// The connector's name of the display; nil for all displays.
  public var display: String?
  /// The maximum number of entries, of which the newest are returned; nil for as many as the daemon allows.
  public var limit: Int?
  /// The ID of an entry: only older entries are returned; nil for no bound.
  public var after: String?

  /// Creates a query.
  public init(
    since: Int64? = nil, until: Int64? = nil, display: String? = nil, limit: Int? = nil, after: String? = nil
  ) {
    self.after = after
    self.since = since
    self.until = until
    self.display = display
    self.limit = limit
  }
}

/// The entry of the history for what a display showed during one period.
public struct HistoryLine: Codable, Hashable, Sendable {
  /// The ID of the entry: a number in decimal digits, larger for newer entries.
  public var id: String
  /// The connector's name.
  public var display: String
  /// The monitor that was connected there.
  public var monitor: String
  /// The ID of the session that was shown; nil for a message and for the scene of a role.
  public var session: Int?
  /// The scene's kind, such as `markdown`.
  public var kind: String
  /// A one-line summary of the scene, for people.
  public var what: String
  /// The time of the first flip.
  public var began: Timestamp
  /// The time of the flip that replaced it, or at which the display went dark; nil while it is shown.
  public var ended: Timestamp?
  /// Whether the end is exact; false if it was not observed (a crash, a power cut) and came some time after `ended`.
  public var exact: Bool

  /// Creates an entry.
  public init(
    id: String, display: String, monitor: String, session: Int? = nil, kind: String, what: String, began: Timestamp,
    ended: Timestamp? = nil, exact: Bool = true
  ) {
    self.id = id
    self.display = display
    self.monitor = monitor
    self.session = session
    self.kind = kind
    self.what = what
    self.began = began
    self.ended = ended
    self.exact = exact
  }
}

extension HistoryLine: InterfaceObject {
  package static let interface = Interface.report(
    "HistoryLine", "The history entry for what a display showed during one period.",
    [
      field(
        "id", \.id, "The ID of the entry; newer entries have larger numbers.", .example("3755000000000000001")),
      field("display", \.display, "The connector's name.", .example("HDMI-A-1")),
      field("monitor", \.monitor, "The monitor that was connected there."),
      field("session", \.session, "The ID of the session that was shown.", .id),
      field("kind", \.kind, "The scene's kind.", .example("banner")),
      field("what", \.what, "A one-line summary of the scene, for people."),
      field("began", \.began, "The time of the first flip."),
      field(
        "ended", \.ended,
        "The time of the flip that replaced it, or at which the display went dark; absent while it is shown."),
      field(
        "exact", \.exact, "Whether the end is exact; false if it was not observed and came some time after `ended`."),
    ])
}
