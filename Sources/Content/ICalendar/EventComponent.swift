import CLibical
import Calendars

/// A time in an iCalendar file.
struct CalendarTime {
  /// The date and time; with an offset of 0 for a time in UTC.
  var time: DateTime
  /// The IANA name of the time zone; nil for none.
  var zone: String?
  /// Whether it is a date without a time.
  var isDate: Bool
}

/// The properties of an event in an iCalendar file.
struct EventComponent {
  /// A property with its value.
  struct Property {
    var name: String
    var value: String
    var zone: String?
    var range: String?
  }

  private var properties: [Property] = []

  /// Reads the properties of a component.
  ///
  /// - Parameters:
  ///   - component: A component of libical, which stays the caller's.
  ///   - libical: The library.
  @safe
  init(_ component: OpaquePointer, _ libical: Libical) {
    var next = unsafe libical.functions.first_property(component, ICAL_ANY_PROPERTY)
    while let property = unsafe next {
      let name = unsafe libical.text(libical.functions.name_of(property)) ?? ""
      func parameter(_ name: String) -> String? {
        unsafe libical.text(libical.functions.parameter_as_string(property, name))
      }
      var value = unsafe libical.text(libical.functions.value_as_string(property)) ?? ""
      if let content = unsafe libical.functions.value_of(property),
        unsafe libical.functions.value_kind(content) == ICAL_TEXT_VALUE,
        let text = unsafe libical.functions.text_of(content)
      {
        value = unsafe String(cString: text)
      }
      properties.append(Property(name: name, value: value, zone: parameter("TZID"), range: parameter("RANGE")))
      unsafe next = libical.functions.next_property(component, ICAL_ANY_PROPERTY)
    }
  }

  /// Returns the value of the first property with a name.
  func text(_ name: String) -> String? { time(name)?.value }

  /// Returns the first property with a name.
  func time(_ name: String) -> Property? { properties.first { $0.name == name } }

  /// The event's name in messages.
  private var label: String { text("SUMMARY") ?? text("UID") ?? "without a name" }

  private func mistake(_ reason: String) -> CalendarError { .event(label, reason) }

  /// The properties that an event is made from, which therefore must not have mistakes.
  private static let used = ["DTSTART", "DTEND", "DURATION", "RRULE", "EXDATE", "RDATE", "RECURRENCE-ID"]

  /// Returns the event.
  ///
  /// - Parameter moved: Times at which the event does not take place, because they have components of their own.
  /// - Throws: `CalendarError.event` or `.noLibrary`.
  /// - Returns: The event; nil for one without a duration.
  func event(without moved: [CalendarTime]) throws(CalendarError) -> CalendarEvent? {
    try mustHaveNoMistakes()
    guard let start = try calendarTime("DTSTART") else {
      throw mistake("it has no DTSTART, which must be its first start, like DTSTART;TZID=Europe/Berlin:20261130T090000")
    }
    let zone = start.zone
    /// Returns a time relative to the event's zone, and a date as the time of day at which the event starts.
    func relative(_ time: CalendarTime) -> DateTime {
      if time.isDate { return DateTime(local: time.time.date.days * 86_400 + Int64(start.time.secondOfDay)) }
      guard time.zone != zone, let other = time.zone, let its = try? Zone(named: other) else { return time.time }
      return DateTime(local: its.seconds(of: time.time), utcOffset: 0)
    }
    var event = CalendarEvent(text("SUMMARY") ?? "", from: start.time, until: start.time, zone: zone)
    if let end = try calendarTime("DTEND") {
      event.until = end.isDate ? end.time : relative(end)
    } else if let duration = text("DURATION") {
      let libical = try Libical.load()
      let seconds = unsafe libical.functions.duration_as_int(libical.functions.duration(duration))
      event.until = DateTime(local: start.time.local + Int64(seconds), utcOffset: start.time.utcOffset)
    } else if start.isDate {
      event.until = DateTime(local: start.time.local + 86_400)
    }
    let span = (zone.flatMap { try? Zone(named: $0) } ?? .utc)
    let length = span.seconds(of: event.until) - span.seconds(of: event.from)
    guard length >= 0 else { throw mistake("it ends at \(event.until), before it starts at \(event.from)") }
    event.rule = text("RRULE")
    if let rule = event.rule {
      do throws(CalendarError) { _ = try Recurrence(rule) } catch { throw error.of(event: label) }
    }
    event.except = (try calendarTimes("EXDATE") + moved).map(relative)
    event.also = try calendarTimes("RDATE").map(relative)
    return length == 0 ? nil : event
  }

  private func mustHaveNoMistakes() throws(CalendarError) {
    for property in properties where property.name == "X-LIC-ERROR" {
      // The sentences of libical's parser name the property, and end with its value.
      let sides = property.value.split(separator: ":", maxSplits: 1)
      guard let words = sides.first?.split(separator: " "),
        let name = Self.used.first(where: { words.contains($0[...]) })
      else { continue }
      let value = String(sides.count > 1 ? sides[1].drop { $0 == " " }.prefix(60) : "")
      throw mistake("\(name) is \(value.debugDescription), which is not a value of RFC 5545")
    }
    if properties.contains(where: { $0.name == "EXRULE" }) {
      throw mistake(
        "it has an EXRULE, which RFC 5545 no longer has; use EXDATE for times at which it does not take place")
    }
    if properties.count(where: { $0.name == "RRULE" }) > 1 {
      throw mistake("it has more than one RRULE; make one event for each")
    }
    if let range = time("RECURRENCE-ID")?.range {
      throw mistake("its RECURRENCE-ID has RANGE=\(range), which is not supported; end the event and make a new one")
    }
  }

  /// Returns the time of the first property with a name; nil without one.
  func calendarTime(_ name: String) throws(CalendarError) -> CalendarTime? { try calendarTimes(name).first }

  /// Returns the times of the properties with a name.
  private func calendarTimes(_ name: String) throws(CalendarError) -> [CalendarTime] {
    var times: [CalendarTime] = []
    for property in properties where property.name == name {
      // The start of a period counts.
      let text = property.value.split(separator: "/").first.map(String.init) ?? ""
      guard var time = Self.time(text) else {
        throw mistake("\(name) is \(property.value.debugDescription), which is not a date or a time of RFC 5545")
      }
      if let zone = property.zone, time.time.utcOffset == nil, !time.isDate {
        guard let known = Self.zone(zone) else {
          throw mistake("\(name) is in the time zone \(zone.debugDescription), which the tz database does not have")
        }
        time.zone = known
      }
      times.append(time)
    }
    return times
  }

  /// Returns a time such as `20261130T090000`, `20261130T080000Z` or `20261130`; nil if it is none of these.
  private static func time(_ text: String) -> CalendarTime? {
    let digits = Array(text)
    guard digits.count == 8 || digits.count == 15 || (digits.count == 16 && digits[15] == "Z") else { return nil }
    let date = "\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))"
    guard digits.count > 8 else {
      return (try? DateTime(date)).map { CalendarTime(time: $0, zone: nil, isDate: true) }
    }
    // A leap second counts as the one before it.
    let seconds = String(digits[13..<15]) == "60" ? "59" : String(digits[13..<15])
    let clock = "\(String(digits[9..<11])):\(String(digits[11..<13])):\(seconds)\(digits.count == 16 ? "Z" : "")"
    return (try? DateTime("\(date)T\(clock)")).map { CalendarTime(time: $0, zone: nil, isDate: false) }
  }

  /// Returns the name of a zone in the tz database.
  ///
  /// Some programs put a path before that name, and those for Windows use names of their own.
  private static func zone(_ name: String) -> String? {
    let parts = name.split(separator: "/")
    let endings = [name] + (1...3).reversed().map { parts.suffix($0).joined(separator: "/") }
    if let known = endings.first(where: { (try? Zone(named: $0)) != nil }) { return known }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let start = buffer.baseAddress, unsafe placard_zone_of_windows(name, start, 128) != 0 else {
        return nil
      }
      return unsafe String(cString: start)
    }
  }
}
