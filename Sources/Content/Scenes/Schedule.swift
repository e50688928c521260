package import Calendars
package import Schedules

/// Scenes that are shown at certain times.
///
/// At each time, one rule applies: of those whose times include it, the one with the highest priority, and of several
/// with the same priority the first. If there is none, the schedule shows `otherwise`.
package struct Schedule: Hashable, Sendable {
  /// The IANA name of the time zone of all times; nil for the host's own zone.
  package var zone: String?
  /// The rules.
  package var rules: [Rule]
  /// The scene to show while no rule applies; nil for the plain background.
  package var otherwise: Scene?

  /// A scene, and the times at which it is shown.
  package struct Rule: Hashable, Sendable {
    /// A name for people; nil for none.
    package var name: String?
    /// The hours, in the form of display hours; nil for all day.
    package var hours: DisplayHours?
    /// The library entry with a calendar, at whose events alone the rule applies; nil for all times.
    package var calendar: String?
    /// The first time at which the rule applies; nil for no limit.
    package var from: DateTime?
    /// The first time at which the rule no longer applies; nil for no limit.
    package var until: DateTime?
    /// The priority; a rule with a higher one comes before those with lower ones.
    package var priority: Int
    /// The scene to show; nil for that of the calendar.
    package var show: Scene?

    /// The scene that is shown.
    package var shown: Scene { show ?? calendar.map { Scene(.entry($0)) } ?? .blank }

    /// Creates a rule from its parts.
    package init(
      _ show: Scene?, name: String? = nil, hours: DisplayHours? = nil, calendar: String? = nil, from: DateTime? = nil,
      until: DateTime? = nil, priority: Int = 0
    ) {
      self.show = show
      self.name = name
      self.hours = hours
      self.calendar = calendar
      self.from = from
      self.until = until
      self.priority = priority
    }
  }

  /// The allowed priorities of rules.
  package static let priorities = -100...100

  /// Creates a schedule from its parts.
  package init(_ rules: [Rule], zone: String? = nil, otherwise: Scene? = nil) {
    self.rules = rules
    self.zone = zone
    self.otherwise = otherwise
  }

  // MARK: Evaluation

  /// The rule of a schedule that applies at a point in time.
  package struct Choice: Hashable, Sendable {
    /// The index of the rule that applies; nil for none.
    package var rule: Int?
    /// The time at which another rule applies, as Unix time; nil if there is none within 400 days.
    package var until: Int64?
  }

  /// Returns the rule that applies at a point in time, and for how long.
  ///
  /// - Parameters:
  ///   - seconds: Unix time.
  ///   - zone: The zone of the schedule's times.
  ///   - events: The times of the calendars that rules name, by the indices of the rules.
  /// - Returns: The choice. Its end is exact: it is the first time at which another rule applies.
  package func choice(at seconds: Int64, in zone: Zone, events: [Int: Timeline] = [:]) -> Choice {
    let ranked = ranked
    let time = zone.civil(atSeconds: seconds)
    let place = ranked.firstIndex { rules[$0].applies(at: seconds, time, in: zone, events[$0]) }
    // Rules that come after the one that applies cannot end it.
    let others = ranked[..<(place ?? ranked.count)]
    func next(before limit: Int64?) -> Int64? {
      var next = place.map { ranked[$0] }
        .flatMap { rules[$0].end(after: seconds, time, in: zone, before: limit, events[$0]) }
      for index in others {
        next = rules[index].start(after: seconds, time, in: zone, before: next ?? limit, events[index]) ?? next
      }
      return next
    }
    // The near future first: most rules have nothing in it, and the first change limits the search among the others.
    let soon = ([2, 8, 64] as [Int64]).lazy.compactMap { next(before: seconds + $0 * 86_400) }.first
    return Choice(rule: place.map { ranked[$0] }, until: soon ?? next(before: nil))
  }

  /// The indices of the rules, the one that comes first in front.
  private var ranked: [Int] {
    rules.indices.sorted { (-rules[$0].priority, $0) < (-rules[$1].priority, $1) }
  }

  /// The name of a rule for people, such as `lunch` or `rule 2`.
  ///
  /// - Parameter rule: The index of the rule; nil for the scene that is shown otherwise.
  /// - Returns: Its name, or its place.
  package func name(of rule: Int?) -> String {
    guard let rule else { return "otherwise" }
    return rules[rule].name ?? "rule \(rule + 1)"
  }

  // MARK: Mistakes

  /// Returns the rules that never apply, or that others hide, in the year from a point in time.
  ///
  /// - Parameters:
  ///   - seconds: Unix time.
  ///   - zone: The zone of the schedule's times.
  ///   - events: The times of the calendars that rules name, by the indices of the rules.
  /// - Returns: One sentence for each of these rules.
  package func warnings(at seconds: Int64, in zone: Zone, events: [Int: Timeline] = [:]) -> [String] {
    let allEvents = events
    let seen = chosen(from: seconds, in: zone, allEvents)
    return rules.indices.filter { !seen.contains($0) }.map { index in
      let (rule, events) = (rules[index], events[index])
      let time = zone.civil(atSeconds: seconds)
      let start =
        rule.applies(at: seconds, time, in: zone, events)
        ? seconds : rule.start(after: seconds, time, in: zone, before: nil, events)
      guard let start else {
        let isOver = rule.until.map { zone.seconds(of: $0) <= seconds } ?? false
        let reason = isOver ? "it ended at \(rule.until?.description ?? "")" : "no time within a year is in it"
        return "\(name(of: index)) never applies: \(reason); change its times or remove it"
      }
      let other = choice(at: start, in: zone, events: allEvents).rule
      return "\(name(of: index)) is never shown: \(name(of: other)) comes first at its times; "
        + "give it a higher priority or other times"
    }
  }

  /// The longest time for which a choice can be valid, in seconds: hours are searched for 400 days.
  static let horizon: Int64 = 400 * 86_400

  /// Returns the rules that apply at some time in the year from a point in time.
  private func chosen(from seconds: Int64, in zone: Zone, _ events: [Int: Timeline]) -> Set<Int> {
    var seen: Set<Int> = []
    var moment = seconds
    // The limit keeps the work bounded for a schedule with very many changes.
    for _ in 0..<20_000 where seen.count < rules.count && moment < seconds + 366 * 86_400 {
      let choice = choice(at: moment, in: zone, events: events)
      if let rule = choice.rule { seen.insert(rule) }
      guard let until = choice.until else { break }
      moment = until
    }
    return seen
  }
}

extension Schedule.Rule {
  /// Returns whether the rule's times include a point in time, at which clocks show a local time.
  fileprivate func applies(at seconds: Int64, _ time: CivilTime, in zone: Zone, _ events: Timeline?) -> Bool {
    if let from, seconds < zone.seconds(of: from) { return false }
    if let until, seconds >= zone.seconds(of: until) { return false }
    return hours?.isOpen(at: time) ?? true && events?.isBusy(at: seconds) ?? true
  }

  /// Returns the end of the rule that applies at a point in time; nil if it does not end before a limit.
  fileprivate func end(
    after seconds: Int64, _ time: CivilTime, in zone: Zone, before limit: Int64?, _ events: Timeline?
  ) -> Int64? {
    var end = limit
    for next in [until.map(zone.seconds(of:)), events?.nextChange(after: seconds)].compactMap(\.self) {
      if next < end ?? .max { end = next }
    }
    let isLimit = end == limit
    return hours?.nextChange(after: seconds, at: time, in: zone, before: end) ?? (isLimit ? nil : end)
  }

  /// Returns the first time after a point in time, at which the rule does not apply, at which it does; nil if there is
  /// none before a limit.
  fileprivate func start(
    after seconds: Int64, _ time: CivilTime, in zone: Zone, before limit: Int64?, _ events: Timeline?
  ) -> Int64? {
    var (moment, time) = (seconds, time)
    func move(to next: Int64) { (moment, time) = (next, zone.civil(atSeconds: next)) }
    if let from = from.map(zone.seconds(of:)), from > seconds { move(to: from) }
    let end = min(until.map(zone.seconds(of:)) ?? .max, limit ?? .max)
    // Each turn skips a time at which the hours are closed or no event takes place.
    while moment < end {
      if let hours, !hours.isOpen(at: time) {
        guard let next = hours.nextChange(after: moment, at: time, in: zone, before: end) else { return nil }
        move(to: next)
      } else if let events, !events.isBusy(at: moment) {
        guard let next = events.nextChange(after: moment) else { return nil }
        move(to: next)
      } else {
        return moment > seconds ? moment : nil
      }
    }
    return nil
  }
}
