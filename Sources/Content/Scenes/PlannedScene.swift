import Calendars
import ICalendar
import Primitives

/// The scene that library entries and schedules lead to at a point in time.
package struct PlannedScene: Hashable, Sendable {
  /// The scene, which is neither a library entry nor a schedule or a calendar.
  package var scene: Scene
  /// The library entries, schedules and calendars that lead to it, outermost first.
  package var sources: [SceneSource]
  /// The time from which it is another one, in milliseconds since 1970; nil if there is none within 400 days.
  package var until: Int64?

  /// The library entry with the calendar that leads to the scene; nil without one.
  package var calendar: String? {
    guard
      let place = sources.firstIndex(where: {
        switch $0 {
        case .event, .noEvent: true
        default: false
        }
      }), place > 0, case .entry(let name) = sources[place - 1]
    else { return nil }
    return name
  }
}

extension Scene {
  /// Follows library entries, schedules, calendars and finished countdowns.
  ///
  /// - Parameters:
  ///   - now: The point in time, in milliseconds since 1970.
  ///   - zones: The time zones.
  ///   - library: The library entries, by name.
  /// - Returns: The scene, its sources and its end.
  package func planned(at now: Int64, _ zones: ZoneCache, _ library: [String: LibraryEntry]) -> PlannedScene {
    var planned = PlannedScene(scene: self, sources: [], until: nil)
    let now = ViewContext.bounded(now)
    // Scenes in scenes and entries in entries are limited, so that an entry that contains itself ends here as well.
    for _ in 0..<64 {
      var end: Int64?
      switch planned.scene.content {
      case .entry(let name):
        planned.sources.append(.entry(name))
        guard let entry = library[name] else { return planned }
        planned.scene = entry.scene
      case .schedule(let schedule):
        let choice = zones.choice(of: schedule, at: floorDivide(now, 1000), library)
        planned.sources.append(choice.rule.map { .rule(schedule.name(of: $0)) } ?? .otherwise)
        planned.scene = choice.rule.map { schedule.rules[$0].shown } ?? schedule.otherwise ?? .blank
        end = choice.until.map { $0 * 1000 }
      case .calendar(let calendar):
        let second = floorDivide(now, 1000)
        let (index, until) = zones.events.entry(of: calendar, at: second, zones).event(at: second)
        let event = index.map { calendar.events[$0] }
        let names = planned.sources.compactMap { if case .entry(let name) = $0 { name } else { nil } }
        planned.sources.append(event.map { .event($0.summary) } ?? .noEvent)
        planned.scene = event.map { $0.scene(library, without: names) } ?? calendar.otherwise ?? .blank
        end = until.map { $0 * 1000 }
      case .countdown(let countdown):
        guard let then = countdown.then else { return planned }
        let moment = zones[countdown.zone].zone.seconds(of: countdown.moment) * 1000
        if now < moment {
          planned.until = min(planned.until ?? .max, moment)
          return planned
        }
        planned.scene = then
      case .zones(let zones):
        planned.sources.append(.zones(zones.zones.count))
        planned.scene = zones.main
      default: return planned
      }
      planned.until = [planned.until, end].compactMap(\.self).min()
    }
    return planned
  }
}
