import CLibical
import Calendars

/// An iCalendar file (RFC 5545), which becomes events.
package enum ICalendarFile {
  /// The largest size of a file, in bytes.
  package static let mostBytes = 4 << 20
  /// The largest number of events that are not over.
  package static let mostEvents = 1000

  /// Reads the events of a file.
  ///
  /// Canceled events, and those that are over, are left out. Of a repeated event, the times that were moved become events
  /// of their own.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - now: The time before which an event must have ended to be left out, as Unix time.
  /// - Throws: `CalendarError`, for a file that is too large or not an iCalendar file, for the first event with a mistake,
  ///   or if libical is not installed.
  /// - Returns: The events in the file's order.
  package static func events(in bytes: [UInt8], at now: Int64) throws(CalendarError) -> [CalendarEvent] {
    guard bytes.count <= mostBytes else {
      throw .file("the file has \(bytes.count) bytes: it may have at most \(mostBytes); export less of the past")
    }
    let parts = try components(in: bytes)
    // The times of a repeated event that have components of their own, by the event's identifier.
    var moved: [String: [CalendarTime]] = [:]
    for part in parts where part.time("RECURRENCE-ID") != nil {
      guard let id = part.text("UID"), let time = try part.calendarTime("RECURRENCE-ID") else { continue }
      moved[id, default: []].append(time)
    }
    var events: [CalendarEvent] = []
    for part in parts where part.text("STATUS")?.uppercased() != "CANCELLED" {
      let isMoved = part.time("RECURRENCE-ID") != nil
      let others = isMoved ? [] : part.text("UID").flatMap { moved[$0] } ?? []
      guard let event = try part.event(without: others), !event.isOver(at: now) else { continue }
      events.append(event)
    }
    guard events.count <= mostEvents else {
      throw .file("the file has \(events.count) events that are not over: it may have at most \(mostEvents)")
    }
    return events
  }

  /// Returns the properties of all events of a file.
  private static func components(in bytes: [UInt8]) throws(CalendarError) -> [EventComponent] {
    let libical = try Libical.load()
    guard !bytes.contains(0) else { throw .file("the file has a NUL byte: it must be an iCalendar file (.ics)") }
    let root = unsafe (bytes + [0]).withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { unsafe libical.functions.parse($0.baseAddress) }
    }
    guard let root = unsafe root else {
      throw .file("the file is not an iCalendar file (.ics), or it was cut off; export it again")
    }
    defer { unsafe libical.functions.free_component(root) }
    var parts: [EventComponent] = []
    func collect(_ parent: OpaquePointer) {
      if unsafe libical.functions.component_kind(parent) == ICAL_VCALENDAR_COMPONENT {
        var next = unsafe libical.functions.first_component(parent, ICAL_VEVENT_COMPONENT)
        while let event = unsafe next {
          parts.append(EventComponent(event, libical))
          unsafe next = libical.functions.next_component(parent, ICAL_VEVENT_COMPONENT)
        }
      }
    }
    guard unsafe libical.functions.component_kind(root) != ICAL_VCALENDAR_COMPONENT else {
      unsafe collect(root)
      return parts
    }
    // A file with several calendars has a root of its own.
    var next = unsafe libical.functions.first_component(root, ICAL_VCALENDAR_COMPONENT)
    guard unsafe next != nil else { throw .file("the file has no VCALENDAR: it must be an iCalendar file (.ics)") }
    while let calendar = unsafe next {
      unsafe collect(calendar)
      unsafe next = libical.functions.next_component(root, ICAL_VCALENDAR_COMPONENT)
    }
    return parts
  }
}

extension CalendarEvent {
  /// Returns whether the event and all its repetitions have ended, by a day more than zones can differ.
  fileprivate func isOver(at now: Int64) -> Bool {
    let latest = now - 3 * 86_400
    if let rule {
      let parts = rule.uppercased().split(separator: ";")
      guard also.isEmpty, parts.contains(where: { $0.hasPrefix("UNTIL") || $0.hasPrefix("COUNT") }) else {
        return false
      }
      return (try? times(in: latest..<max(latest, from.local) + 40 * 366 * 86_400, zone: .utc).last) == nil
    }
    let last = ([until] + also).map { $0.local }.max() ?? 0
    return last + max(until.local - from.local, 0) < latest
  }
}
