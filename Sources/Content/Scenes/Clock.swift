package import Calendars

/// The time of day.
package struct Clock: Hashable, Sendable {
  /// The IANA name of the time zone, such as `Europe/Berlin`; nil for the host's own zone.
  package var zone: String?
  /// The 12-hour or 24-hour format.
  package var hours: HourCycle
  /// Whether the clock shows seconds and changes each second instead of each minute.
  package var hasSeconds: Bool
  /// Whether the clock shows the date.
  package var hasDate: Bool
  /// A caption, such as the name of a city; nil for none.
  package var caption: String?

  /// Creates a clock from its parts.
  package init(
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

/// The time left until a given moment.
package struct Countdown: Hashable, Sendable {
  /// The moment, with its own UTC offset or in `zone`.
  package var moment: DateTime
  /// The IANA name of the time zone; nil for the host's own zone.
  package var zone: String?
  /// The event that the countdown leads to; nil for none.
  package var title: String?
  /// Whether the countdown shows seconds.
  package var hasSeconds: Bool
  /// The scene to show from the moment on; nil to keep showing zeros.
  package var then: Scene?

  /// Creates a countdown from its parts.
  package init(
    to moment: DateTime, zone: String? = nil, title: String? = nil, hasSeconds: Bool = true, then: Scene? = nil
  ) {
    self.moment = moment
    self.zone = zone
    self.title = title
    self.hasSeconds = hasSeconds
    self.then = then
  }
}
