/// Which part of the history is asked for.
public struct HistoryQuery: Hashable, Sendable {
  /// What was still shown after this time; milliseconds since 1970, nil for no bound.
  public var since: Int64?
  /// What began before this time; milliseconds since 1970, nil for no bound.
  public var until: Int64?
  /// What was on the display of this name; nil for all.
  public var display: String?
  /// At most so many lines, the newest; nil for as many as the service gives.
  public var limit: Int?
  /// The ID of a line: only older ones are asked for; nil for no bound.
  public var after: String?

  /// A query from its parts.
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

/// What was on a display, from when to when.
public struct HistoryLine: Codable, Hashable, Sendable {
  /// Names the line; a number in decimal digits, larger for newer lines.
  public var id: String
  /// The connector's name.
  public var display: String
  /// The monitor that was plugged in there.
  public var monitor: String
  /// The session that it belonged to; nil for a message, and for what a role shows.
  public var session: Int?
  /// The scene's kind, `markdown`.
  public var kind: String
  /// The scene in a line for people.
  public var what: String
  /// When its first flip came.
  public var began: Timestamp
  /// When the flip of the next thing came, or the display went dark; nil while it is shown.
  public var ended: Timestamp?
  /// False where nobody saw the end (a crash, a power cut): it was some time after `ended`.
  public var exact: Bool

  /// A line from its parts.
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
