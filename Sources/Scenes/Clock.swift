public import Calendars

/// The time of day.
public struct Clock: Hashable, Sendable {
  /// The zone by its IANA name, `Europe/Berlin`; nil for the machine's own.
  public var zone: String?
  /// How hours are counted.
  public var hours: HourCycle
  /// Whether seconds show: then it changes each second, else each minute.
  public var hasSeconds: Bool
  /// Whether the date shows.
  public var hasDate: Bool
  /// What stands with it, the name of a city; nil for nothing.
  public var caption: String?

  /// A clock from its parts.
  public init(
    zone: String? = nil, hours: HourCycle = .hours24, hasSeconds: Bool = false, hasDate: Bool = true,
    caption: String? = nil
  ) {
    self.zone = zone
    self.hours = hours
    self.hasSeconds = hasSeconds
    self.hasDate = hasDate
    self.caption = caption
  }
}

/// The time that is left until a moment.
public struct Countdown: Hashable, Sendable {
  /// The moment, with an offset or in `zone`.
  public var moment: DateTime
  /// The zone by its IANA name; nil for the machine's own.
  public var zone: String?
  /// What is waited for; nil for nothing.
  public var title: String?
  /// Whether seconds show.
  public var hasSeconds: Bool
  /// What is shown from the moment on; nil for zeros.
  public var then: Scene?

  /// A countdown from its parts.
  public init(
    to moment: DateTime, zone: String? = nil, title: String? = nil, hasSeconds: Bool = true, then: Scene? = nil
  ) {
    self.moment = moment
    self.zone = zone
    self.title = title
    self.hasSeconds = hasSeconds
    self.then = then
  }
}
