import Calendars
import Primitives

/// The scene that library entries and schedules lead to at a point in time.
package struct PlannedScene: Hashable, Sendable {
  /// The scene, which is neither a library entry nor a schedule.
  package var scene: Scene
  /// The library entries and schedules that lead to it, outermost first.
  package var sources: [SceneSource]
  /// The time from which it is another one, in milliseconds since 1970; nil if there is none within 400 days.
  package var until: Int64?
}

extension Scene {
  /// Follows library entries, schedules and finished countdowns.
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
        let choice = schedule.choice(at: floorDivide(now, 1000), in: zones[schedule.zone].zone)
        planned.sources.append(choice.rule.map { .rule(schedule.name(of: $0)) } ?? .otherwise)
        planned.scene = choice.rule.map { schedule.rules[$0].show } ?? schedule.otherwise ?? .blank
        end = choice.until.map { $0 * 1000 }
      case .countdown(let countdown):
        guard let then = countdown.then else { return planned }
        let moment = zones[countdown.zone].zone.seconds(of: countdown.moment) * 1000
        if now < moment {
          planned.until = min(planned.until ?? .max, moment)
          return planned
        }
        planned.scene = then
      default: return planned
      }
      planned.until = [planned.until, end].compactMap(\.self).min()
    }
    return planned
  }
}
