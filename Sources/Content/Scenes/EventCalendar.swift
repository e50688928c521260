import Calendars
package import ICalendar

/// Events, each of which is shown while it takes place.
///
/// An event shows the library entry with its name, or else its name as a banner. Of several events at a time, the one
/// that began last is shown, and of several that began at the same time the first.
package struct EventCalendar: Hashable, Sendable {
  /// The events.
  package var events: [CalendarEvent] { didSet { fingerprint = Self.fingerprint(of: events) } }
  /// The IANA name of the time zone of events without their own; nil for the host's own zone.
  package var zone: String?
  /// The scene to show while there is no event; nil for the plain background.
  package var otherwise: Scene?
  /// A number that differs between different events, in most cases.
  private(set) var fingerprint: Int

  /// Creates a calendar from its parts.
  package init(_ events: [CalendarEvent], zone: String? = nil, otherwise: Scene? = nil) {
    self.events = events
    self.zone = zone
    self.otherwise = otherwise
    fingerprint = Self.fingerprint(of: events)
  }

  private static func fingerprint(of events: [CalendarEvent]) -> Int { events.hashValue }

  /// The names of the events, each of which can be that of a library entry.
  var names: Set<String> { Set(events.map(\.summary)) }
}

extension EventCalendar {
  /// Rejects events that can never be shown.
  ///
  /// - Parameter zones: The time zones.
  /// - Throws: `DocumentError` with the field of the first event that has an unknown time zone, a mistake in its rule, or
  ///   an end that is not after its start.
  package func check(_ zones: ZoneCache) throws(DocumentError) {
    for (index, event) in events.enumerated() {
      let zone = zones[event.zone ?? zone]
      func refusal(_ field: String, _ reason: String) -> DocumentError {
        DocumentError(path: "events[\(index)].\(field)", reason: reason)
      }
      if let name = event.zone, zone.warning != nil {
        throw refusal("zone", "is \(name), which is not a time zone: write one like Europe/Berlin")
      }
      guard zone.zone.seconds(of: event.until) > zone.zone.seconds(of: event.from) else {
        throw refusal("until", "is \(event.until), which is not after the start, \(event.from)")
      }
      guard let rule = event.rule else { continue }
      do throws(CalendarError) { _ = try Recurrence(rule) } catch {
        guard case .rule(_, let reason) = error else { throw refusal("rule", "cannot be read: \(error)") }
        throw refusal("rule", "is \(DocumentError.quote(rule)): \(reason)")
      }
    }
  }
}

/// A record of which event takes place at each time, without gaps.
package struct Timeline: Hashable, Sendable {
  /// A span of time that ends with the next one.
  struct Span: Hashable, Sendable {
    /// The start, as Unix time.
    var from: Int64
    /// The index of the event; nil for none.
    var event: Int?
  }

  /// The spans in ascending order, of which the first begins before all times that are asked for.
  let spans: [Span]

  /// Creates a timeline.
  ///
  /// - Parameter times: The times of events, each with the index of its event.
  init(_ times: [(time: Range<Int64>, event: Int)]) {
    var spans = [Span(from: .min, event: nil)]
    // The events that take place, the one that is shown at the end.
    var open: [(time: Range<Int64>, event: Int)] = []
    func show(from moment: Int64) {
      let event = open.last?.event
      if spans[spans.count - 1].from == moment { spans.removeLast() }
      if spans.last?.event != event || spans.isEmpty { spans.append(Span(from: moment, event: event)) }
    }
    func close(until moment: Int64) {
      while let last = open.last, last.time.upperBound <= moment {
        open.removeLast()
        // Those that have ended in the meantime are not shown again.
        while let next = open.last, next.time.upperBound <= last.time.upperBound { open.removeLast() }
        show(from: last.time.upperBound)
      }
    }
    for next in times.sorted(by: { ($0.time.lowerBound, -$0.event) < ($1.time.lowerBound, -$1.event) }) {
      close(until: next.time.lowerBound)
      open.append(next)
      show(from: next.time.lowerBound)
    }
    close(until: .max)
    self.spans = spans
  }

  /// Returns the index of the span at a point in time.
  private func place(at seconds: Int64) -> Int {
    var (low, high) = (0, spans.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if spans[middle].from <= seconds { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the event at a point in time, and the time at which another one or none takes place.
  func event(at seconds: Int64) -> (event: Int?, until: Int64?) {
    let place = place(at: seconds)
    return (spans[place].event, place + 1 < spans.count ? spans[place + 1].from : nil)
  }

  /// Returns whether an event takes place at a point in time.
  func isBusy(at seconds: Int64) -> Bool { spans[place(at: seconds)].event != nil }

  /// Returns the first time after a point in time at which events begin or end to take place; nil if there is none.
  func nextChange(after seconds: Int64) -> Int64? {
    let place = place(at: seconds)
    let isBusy = spans[place].event != nil
    return spans[(place + 1)...].first { ($0.event != nil) != isBusy }?.from
  }
}

/// A cache of the times of calendars' events.
///
/// The times are a function of a calendar, a zone and a point in time. The cache is not thread-safe: use it only in the
/// isolation domain that created it.
package final class EventCache {
  /// The times of a calendar for 400 days or more, and the reason for missing ones.
  package struct Entry: Sendable {
    /// The times.
    package let timeline: Timeline
    /// The reason why events are missing, as a sentence; nil if none are.
    package let warning: String?
    /// The time from which another timeline applies, as Unix time; nil if nothing takes place after this one.
    package let end: Int64?
    fileprivate let events: [CalendarEvent]
    /// The end of the times, as Unix time: later ones are not known.
    fileprivate let known: Int64

    /// Returns the event at a point in time.
    ///
    /// - Parameter seconds: Unix time.
    /// - Returns: The index of the event, nil for none, and the time from which there is another one or from which it has
    ///   to be looked up again; nil if nothing takes place afterwards.
    func event(at seconds: Int64) -> (event: Int?, until: Int64?) {
      let (event, until) = timeline.event(at: seconds)
      if let until, until < known { return (event, until) }
      return (event, end)
    }
  }

  fileprivate struct Key: Hashable, Sendable {
    let fingerprint: Int
    let zone: String?
    let part: Int64
  }

  /// The times of a calendar that were found on another thread.
  package struct Prepared: Sendable {
    fileprivate let key: Key
    fileprivate let entry: Entry
  }

  private var entries: [Key: Entry] = [:]

  /// The time for which a timeline is used, in seconds: 128 days.
  private static let part: Int64 = 128 * 86_400
  /// The maximum number of timelines; the cache is emptied when it is full.
  private static let most = 64
  /// The maximum number of times in a timeline: those of 1,000 weekly events, or of 190 daily ones.
  static let mostTimes = 100_000

  /// Creates an empty cache.
  init() {}

  /// Empties the cache, after the host's zone or the tz database has changed.
  func forget() { entries = [:] }

  /// Returns the times of a calendar's events around a point in time, and for at least 400 days from then.
  func entry(of calendar: EventCalendar, at seconds: Int64, _ zones: ZoneCache) -> Entry {
    let key = Self.key(of: calendar, at: seconds)
    if let entry = entries[key], entry.events == calendar.events { return entry }
    let entry = Self.entry(of: calendar, in: key.part, zones)
    put(Prepared(key: key, entry: entry))
    return entry
  }

  /// Adds times that were found on another thread.
  package func put(_ prepared: Prepared) {
    if entries.count >= Self.most { forget() }
    entries[prepared.key] = prepared.entry
  }

  /// Finds the times of a calendar's events around a point in time, on any thread.
  ///
  /// A thousand repeated events take a quarter of a second.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - seconds: Unix time.
  /// - Returns: The times, for a cache.
  package static func prepare(_ calendar: EventCalendar, at seconds: Int64) -> Prepared {
    let key = key(of: calendar, at: seconds)
    return Prepared(key: key, entry: entry(of: calendar, in: key.part, ZoneCache()))
  }

  private static func key(of calendar: EventCalendar, at seconds: Int64) -> Key {
    Key(fingerprint: calendar.fingerprint, zone: calendar.zone, part: seconds >= 0 ? seconds / part : -1)
  }

  private static func entry(of calendar: EventCalendar, in part: Int64, _ zones: ZoneCache) -> Entry {
    let start = part * Self.part
    let range = start..<start + Self.part + Schedule.horizon
    var mayContinue = calendar.events.contains { event in
      event.rule != nil || ([event.from] + event.also).contains { $0.local > range.upperBound - 2 * 86_400 }
    }
    var times: [(time: Range<Int64>, event: Int)] = []
    var warning: String?
    for (index, event) in calendar.events.enumerated() {
      let zone = zones[event.zone ?? calendar.zone]
      warning = warning ?? zone.warning
      do throws(CalendarError) {
        let found = try event.times(in: range, zone: zone.zone)
        mayContinue = mayContinue || found.contains { $0.upperBound > range.upperBound }
        // What ends later may be followed by events that are not known yet.
        times += found.map { ($0.clamped(to: range), index) }
      } catch {
        warning = "the event \(event.summary.debugDescription) is not shown: \(error)"
      }
      guard times.count <= mostTimes else {
        warning =
          "the calendar has more than \(mostTimes) times in 17 months; the events from "
          + "\(event.summary.debugDescription) on are not shown"
        times.removeLast(times.count - mostTimes)
        break
      }
    }
    return Entry(
      timeline: Timeline(times), warning: warning, end: mayContinue ? start + Self.part : nil, events: calendar.events,
      known: range.upperBound)
  }
}

extension ZoneCache {
  /// Returns the rule of a schedule that applies at a point in time.
  ///
  /// - Parameters:
  ///   - schedule: The schedule.
  ///   - seconds: Unix time.
  ///   - library: The library entries, of which rules can name calendars.
  /// - Returns: The choice.
  package func choice(
    of schedule: Schedule, at seconds: Int64, _ library: [String: LibraryEntry]
  ) -> Schedule.Choice {
    let timelines = timelines(of: schedule, at: seconds, library)
    var choice = schedule.choice(at: seconds, in: self[schedule.zone].zone, events: timelines)
    // Events that are not known yet may come before a change that far away.
    if !timelines.isEmpty, let until = choice.until, until > seconds + Schedule.horizon { choice.until = nil }
    return choice
  }

  /// Returns the times of the calendars that a schedule's rules name, by the indices of the rules.
  func timelines(of schedule: Schedule, at seconds: Int64, _ library: [String: LibraryEntry]) -> [Int: Timeline] {
    var timelines: [Int: Timeline] = [:]
    for (index, rule) in schedule.rules.enumerated() {
      guard let name = rule.calendar else { continue }
      guard case .calendar(let calendar) = library[name]?.scene.content else {
        timelines[index] = Timeline([])
        continue
      }
      timelines[index] = events.entry(of: calendar, at: seconds, self).timeline
    }
    return timelines
  }

  /// Returns the mistakes in a schedule or a calendar that do not prevent it from being shown.
  ///
  /// - Parameters:
  ///   - scene: The scene; scenes inside it are not looked at.
  ///   - seconds: Unix time, from which on the rules and the events count.
  ///   - library: The library entries, of which rules can name calendars.
  /// - Returns: One sentence for each mistake.
  package func warnings(about scene: Scene, at seconds: Int64, _ library: [String: LibraryEntry]) -> [String] {
    switch scene.content {
    case .schedule(let schedule):
      return schedule.warnings(
        at: seconds, in: self[schedule.zone].zone, events: timelines(of: schedule, at: seconds, library))
    case .calendar(let calendar):
      let entry = events.entry(of: calendar, at: seconds, self)
      let isOver = !entry.timeline.isBusy(at: seconds) && entry.timeline.nextChange(after: seconds) == nil
      let over = isOver ? ["no event takes place within 400 days; import a newer calendar"] : []
      return [entry.warning].compactMap(\.self) + over
    default: return []
    }
  }
}
