import Calendars
import ICalendar
import Primitives
import Schedules

/// The step that a playlist, a schedule or a calendar is at.
package struct SceneStep: Hashable, Sendable {
  /// The number of items that a playlist showed before, or the index of a schedule's rule or a calendar's event; -1 for
  /// none.
  package var number: Int
  /// The time when the step began, in milliseconds since 1970.
  package var began: Int64
  /// Whether it is an item of a playlist.
  package var isItem: Bool
  /// Whether it is a zone, whose scene begins with all others.
  package private(set) var isZone = false

  /// Creates the step of a zone, 0 for the main scene.
  init(zone: Int) {
    self.init(number: zone, began: 0)
    isZone = true
  }

  /// Creates a step from its parts.
  package init(number: Int, began: Int64, isItem: Bool = false) {
    self.number = number
    self.began = began
    self.isItem = isItem
  }
}

/// An item of a playlist that is not shown when its turn comes, because its image cannot be.
package struct SkippedStep: Hashable, Sendable {
  /// The steps that lead to the playlist.
  package var steps: [SceneStep]
  /// The number of the playlist's step.
  package var number: Int
  /// The reason, as a sentence.
  package var reason: String

  /// Creates a skipped step: the innermost item of a playlist in these steps. Fails if there is none.
  ///
  /// - Parameters:
  ///   - progress: The steps that lead to the scene.
  ///   - reason: The reason.
  package init?(_ progress: [SceneStep], _ reason: String) {
    guard let index = progress.lastIndex(where: \.isItem) else { return nil }
    (steps, number, self.reason) = (Array(progress.prefix(index)), progress[index].number, reason)
  }
}

/// A playlist, a schedule, a calendar or a library entry that led to the visible scene.
package enum SceneSource: Hashable, Sendable {
  /// The library entry with this name.
  case entry(String)
  /// An item of a playlist: its place, counted from 1, and the number of items.
  case item(Int, of: Int)
  /// The rule of a schedule with this name.
  case rule(String)
  /// The scene that a schedule shows while no rule applies.
  case otherwise
  /// The event of a calendar with this name.
  case event(String)
  /// The scene that a calendar shows while there is no event.
  case noEvent
  /// The main scene of one with this number of zones.
  case zones(Int)
}

extension SceneSource: CustomStringConvertible {
  /// The source as words, such as `item 2 of 5 of its playlist`.
  package var description: String {
    switch self {
    case .entry(let name): "the library entry \(name)"
    case .item(let place, let count): "item \(place) of \(count) of its playlist"
    case .rule(let name): "\(name.hasPrefix("rule ") ? name : "the rule \(name)") of its schedule"
    case .otherwise: "no rule of its schedule applies"
    case .event(let name): "the event \(name.isEmpty ? "without a name" : name) of its calendar"
    case .noEvent: "no event of its calendar takes place"
    case .zones(let count): "the main scene beside \(count) \(count == 1 ? "zone" : "zones")"
    }
  }
}

extension ViewContext {
  /// The number of pages of the text; 1 if the counted pages are those of other steps.
  var knownPages: Int { pagedAt == steps ? pages : zonePages[steps] ?? 1 }

  /// The step that the next playlist or schedule was at; nil if it has just begun.
  fileprivate var step: SceneStep? { progress.step(after: steps) }

  /// Returns the context of the scene at the step with a number, which began when it was first shown.
  fileprivate func at(number: Int) -> ViewContext {
    let now = ViewContext.bounded(now)
    let start = step?.number == number ? step?.began : step == nil ? began : now
    return at(SceneStep(number: number, began: start ?? now))
  }

  /// Returns the context of the scene at a step. If it is another step than before, what is inside begins with it.
  fileprivate func at(_ step: SceneStep) -> ViewContext {
    var context = self
    if self.step != step { context.progress = SceneProgress(steps + [step]) }
    context.steps.append(step)
    context.began = step.began
    return context
  }
}

extension Scene {
  /// The number of library entries, one in the other, that are followed to a scene.
  private static let mostEntries = 8

  /// Resolves the scene of a library entry.
  func moment(ofEntry name: String, _ context: ViewContext) -> ResolvedScene {
    guard let entry = context.library[name] else {
      return explanation("There is no library entry \(name).", context)
        .adding("there is no library entry \(name); `placard library` lists them")
    }
    guard !context.entries.contains(name), context.entries.count < Self.mostEntries else {
      return explanation("The library entry \(name) contains itself, or entries are nested too deeply.", context)
    }
    var inside = context
    inside.entries.append(name)
    inside.style = style.applied(to: context.style)
    return entry.scene.view(in: inside).from(.entry(name))
  }

  /// Resolves a schedule: the scene of the rule that applies.
  func moment(of schedule: Schedule, _ context: ViewContext) -> ResolvedScene {
    let entry = context.zones[schedule.zone]
    let second = floorDivide(ViewContext.bounded(context.now), 1000)
    let choice = context.zones.choice(of: schedule, at: second, context.library)
    var inside = context.at(number: choice.rule ?? -1)
    inside.style = style.applied(to: context.style)
    let scene = choice.rule.map { schedule.rules[$0].shown } ?? schedule.otherwise ?? .blank
    let hasDates = schedule.rules.contains { $0.calendar != nil || $0.hours?.horizon(after: second) != nil }
    let end = choice.until ?? (hasDates ? second + Schedule.horizon : nil)
    var moment = scene.view(in: inside).changing(at: end.map { $0 * 1000 })
    if let warning = entry.warning { moment = moment.adding(warning) }
    return moment.from(choice.rule.map { .rule(schedule.name(of: $0)) } ?? .otherwise)
  }

  /// Resolves a calendar: the scene of the event that takes place.
  func moment(of calendar: EventCalendar, _ context: ViewContext) -> ResolvedScene {
    let second = floorDivide(ViewContext.bounded(context.now), 1000)
    let entry = context.zones.events.entry(of: calendar, at: second, context.zones)
    let (index, until) = entry.event(at: second)
    let event = index.map { calendar.events[$0] }
    var inside = context.at(number: index ?? -1)
    inside.style = style.applied(to: context.style)
    let scene = event.map { $0.scene(context.library, without: context.entries) } ?? calendar.otherwise ?? .blank
    var moment = scene.view(in: inside).changing(at: until.map { $0 * 1000 })
    if let warning = entry.warning { moment = moment.adding(warning) }
    return moment.from(event.map { .event($0.summary) } ?? .noEvent)
  }

  /// Resolves a playlist: the scene of the item whose turn it is.
  func moment(of playlist: Playlist, _ context: ViewContext) -> ResolvedScene {
    guard !playlist.items.isEmpty else {
      return explanation("The playlist has no items.", context).adding("the playlist has no items")
    }
    var step = context.step ?? SceneStep(number: 0, began: context.began, isItem: true)
    let now = ViewContext.bounded(context.now)
    if playlist.items.count > 1, let end = playlist.end(of: step, self, context), end <= now {
      step = SceneStep(number: step.number + 1, began: end, isItem: true)
      // After a pause, such as a sleep of the display, the next item begins now: those in between are not shown.
      if playlist.end(of: step, self, context).map({ $0 <= now }) ?? false { step.began = now }
    }
    let skipped = context.skipped.filter { $0.steps == context.steps }
    let numbers = Set(skipped.map(\.number))
    if numbers.contains(step.number),
      // If no item can be shown, the one whose turn it is says why.
      let next = (1..<playlist.items.count).map({ step.number + $0 }).first(where: { !numbers.contains($0) })
    {
      step = SceneStep(number: next, began: max(step.began, context.step == step ? now : step.began), isItem: true)
    }
    var moment = shown(at: step, of: playlist, context)
    if moment.isOutdated {
      // An item whose values are missing or too old is passed over, unless those of all items are.
      let later = (1..<max(playlist.items.count, 1)).map { step.number + $0 }.filter { !numbers.contains($0) }
      for number in later {
        let start = max(step.began, context.step == step ? now : step.began)
        let other = SceneStep(number: number, began: start, isItem: true)
        var next = shown(at: other, of: playlist, context)
        guard next.isOutdated else {
          for warning in moment.warnings {
            next = next.adding(
              "item \((playlist.item(atStep: step.number) ?? 0) + 1) of the playlist is skipped: \(warning)")
          }
          (moment, step) = (next, other)
          break
        }
        moment.values.formUnion(next.values)
      }
    }
    let index = playlist.item(atStep: step.number) ?? 0
    // The items of a playlist inside of this one have their own cross-fades.
    let fade = Self.boundedFade(playlist.fade)
    if fade > 0, moment.view.fade == nil {
      moment.view.fade = Fade(to: context.steps + [step], milliseconds: fade)
    }
    for skip in skipped.reversed() {
      let place = (playlist.item(atStep: skip.number) ?? 0) + 1
      moment = moment.adding("item \(place) of the playlist is skipped: \(skip.reason)")
    }
    return moment.from(.item(index + 1, of: playlist.items.count))
  }

  /// Resolves the item of a playlist at a step.
  private func shown(at step: SceneStep, of playlist: Playlist, _ context: ViewContext) -> ResolvedScene {
    let item = playlist.items[playlist.item(atStep: step.number) ?? 0]
    return item.show.view(in: inside(context, at: step, item))
      .changing(at: playlist.items.count > 1 ? playlist.end(of: step, self, context) : nil)
  }

  /// Returns a number of seconds within the range that items can have. Stored playlists are not checked.
  fileprivate static func bounded(_ seconds: Double) -> Double {
    let range = Playlist.permittedSeconds
    return seconds.isFinite ? min(max(seconds, range.lowerBound), range.upperBound) : Playlist.usualSeconds
  }

  /// Returns the time of a cross-fade in milliseconds, within the allowed range. Stored playlists are not checked.
  private static func boundedFade(_ seconds: Double) -> Int {
    let range = Playlist.permittedFades
    return seconds.isFinite ? Int((min(max(seconds, range.lowerBound), range.upperBound) * 1000).rounded()) : 0
  }

  /// Returns the context of an item of the playlist at a step.
  fileprivate func inside(_ context: ViewContext, at step: SceneStep, _ item: Playlist.Item) -> ViewContext {
    var inside = context.at(step)
    // The pages of a text that is shown to its end turn by themselves.
    inside.secondsPerPage =
      item.times == nil ? nil : Int(Self.bounded(item.seconds ?? Playlist.usualSeconds).rounded(.up))
    inside.style = style.applied(to: context.style)
    return inside
  }
}

extension CalendarEvent {
  /// Returns the scene of the event: the library entry with its name, or its name as a banner.
  ///
  /// - Parameters:
  ///   - library: The library entries, by name.
  ///   - names: The library entries that lead to the calendar, which the event cannot show.
  /// - Returns: The scene.
  func scene(_ library: [String: LibraryEntry], without names: [String]) -> Scene {
    library[summary] != nil && !names.contains(summary) ? Scene(.entry(summary)) : .banner(summary)
  }
}

extension Playlist {
  /// Returns the time at which a step ends, in milliseconds since 1970; nil if it has no end.
  fileprivate func end(of step: SceneStep, _ scene: Scene, _ context: ViewContext) -> Int64? {
    guard let index = item(atStep: step.number) else { return nil }
    let item = items[index]
    let fixed = Int64((Scene.bounded(item.seconds ?? seconds) * 1000).rounded())
    let began = ViewContext.bounded(step.began)
    guard let times = item.times else { return began + fixed }
    let inside = scene.inside(context, at: step, item)
    let pass = item.show.pass(in: inside, from: step.began) ?? fixed
    // A countdown ends once.
    if item.show.isCountdown(in: inside) { return began + min(max(pass, 1000), 1 << 45) }
    // A thousand years at most, so that nothing overflows.
    return began + Int64(times) * min(max(pass, 1000), 1 << 45)
  }
}

extension Scene {
  /// Returns whether the scene, or that of the library entry it refers to, is a countdown.
  fileprivate func isCountdown(in context: ViewContext) -> Bool {
    switch content {
    case .countdown: return true
    case .entry(let name):
      guard let entry = context.library[name], !context.entries.contains(name) else { return false }
      var inside = context
      inside.entries.append(name)
      return entry.scene.isCountdown(in: inside)
    default: return false
    }
  }

  /// Returns the time that the scene takes from its start to its end, in milliseconds; nil if it has no end of its own.
  fileprivate func pass(in context: ViewContext, from start: Int64) -> Int64? {
    switch content {
    case .markdown(let text):
      let seconds = text.secondsPerPage ?? context.secondsPerPage
      return seconds.flatMap { $0 > 0 ? Int64(min($0, 86400)) * 1000 * Int64(context.knownPages) : nil }
    case .table(let table):
      let seconds = table.secondsPerPage ?? context.secondsPerPage ?? DataTable.usualSecondsPerPage
      return seconds > 0 ? Int64(min(seconds, 86400)) * 1000 * Int64(context.knownPages) : nil
    case .ticker: return context.pagedAt == context.steps ? context.pass : nil
    case .countdown(let countdown):
      let zone = context.zones[countdown.zone].zone
      return max(zone.seconds(of: countdown.moment) * 1000 - ViewContext.bounded(start), 0)
    case .entry(let name):
      guard let entry = context.library[name], !context.entries.contains(name) else { return nil }
      var inside = context
      inside.entries.append(name)
      return entry.scene.pass(in: inside, from: start)
    default: return nil
    }
  }
}

extension ResolvedScene {
  /// Returns the view with an additional warning.
  fileprivate func adding(_ warning: String) -> ResolvedScene {
    var moment = self
    moment.warnings.insert(warning, at: 0)
    return moment
  }

  /// Returns the view with an earlier next change.
  fileprivate func changing(at time: Int64?) -> ResolvedScene {
    var moment = self
    moment.nextChange = [nextChange, time].compactMap(\.self).min()
    return moment
  }

  /// Returns the view with another outermost source.
  fileprivate func from(_ source: SceneSource) -> ResolvedScene {
    var moment = self
    moment.seen.sources.insert(source, at: 0)
    return moment
  }
}
