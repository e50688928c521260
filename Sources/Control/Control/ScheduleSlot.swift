/// A span of time in which a display has the same content by its schedules.
public struct ScheduleSlot: Codable, Hashable, Sendable {
  /// The connector's name.
  public var display: String
  /// The start of the span, or the requested time within it.
  public var from: Timestamp
  /// The end of the span; nil if it does not end within 400 days.
  public var until: Timestamp?
  /// Whether the display is asleep, by its hours or by request.
  public var asleep: Bool
  /// The kind of the scene.
  public var kind: String
  /// The scene in one line.
  public var summary: String
  /// The source of the scene, and the library entries and schedules that lead to it.
  public var because: [String]

  /// Creates a slot.
  public init(
    display: String, from: Timestamp, until: Timestamp?, asleep: Bool, kind: String, summary: String, because: [String]
  ) {
    self.display = display
    self.from = from
    self.until = until
    self.asleep = asleep
    self.kind = kind
    self.summary = summary
    self.because = because
  }
}

extension ScheduleSlot: InterfaceObject {
  package static let interface = Interface.report(
    "ScheduleSlot", "A span of time in which a display has the same content by its schedules.",
    [
      field("display", \.display, "The connector's name.", .example("HDMI-A-1")),
      field("from", \.from, "The start of the span, or the requested time within it."),
      field("until", \.until, "The end of the span; absent if it does not end within 400 days."),
      field("asleep", \.asleep, "Whether the display is asleep, by its hours or by request."),
      field("kind", \.kind, "The kind of the scene.", .example("markdown")),
      field("summary", \.summary, "The scene in one line."),
      field(
        "because", \.because, "The source of the scene, and the library entries and schedules that lead to it."),
    ])
}

/// The times for which the slots of a display are wanted.
public struct ScheduleQuery: Hashable, Sendable {
  /// The first time, in milliseconds since 1970; nil for now.
  public var at: Int64?
  /// The number of days from the first time; nil for the slot of that time alone.
  public var days: Int?

  /// The permitted numbers of days.
  package static let permittedDays = 1...62
  /// The permitted times, in milliseconds since 1970: up to the end of the year 9999.
  package static let permittedTimes = 0...253_402_300_799_999

  /// Creates a query.
  public init(at: Int64? = nil, days: Int? = nil) {
    self.at = at
    self.days = days
  }
}
