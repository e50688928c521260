import Calendars
import Primitives

/// A scene resolved at one point in time.
package struct ResolvedScene: Hashable, Sendable {
  /// The view to lay out.
  package var view: View
  /// The scene that the view was made from.
  package var seen: ShownScene
  /// The time of the next change of the view, in milliseconds since 1970.
  ///
  /// It is always later than the time that the view was resolved at; nil if time alone changes nothing.
  package var nextChange: Int64?
  /// The steps of playlists and schedules that the view is at.
  package var progress = SceneProgress()
  /// The names of the live values that the view was made from, and of those that it lacks.
  package var values: Set<String> = []
  /// Whether the view shows that a live value does not exist or is too old.
  package var isOutdated = false
  /// The reasons why the view differs from the request, as sentences.
  package var warnings: [String]

  /// Creates a view of a scene that is valid until its next change.
  package init(
    view: View, of seen: ShownScene, nextChange: Int64? = nil, progress: SceneProgress = SceneProgress(),
    warnings: [String] = []
  ) {
    self.view = view
    self.seen = seen
    self.nextChange = nextChange
    self.progress = progress
    self.warnings = warnings
  }
}

extension Scene {
  /// Resolves the scene at a point in time.
  ///
  /// - Parameter context: The time, and the state of the display and the host.
  /// - Returns: The view and the time of its next change.
  package func view(in context: ViewContext) -> ResolvedScene {
    let wording = context.wording(style)
    guard content.mayRefer else { return view(of: content, context, wording) }
    var words = ValueWords(context, wording)
    let content = content.filled(&words)
    var moment = view(of: content, context, wording)
    guard !words.names.isEmpty else { return moment }
    moment.nextChange = [moment.nextChange, words.nextChange].compactMap(\.self).min()
    moment.values.formUnion(words.names)
    moment.isOutdated = moment.isOutdated || words.isOutdated
    moment.warnings += words.warnings + [wording.warning].compactMap(\.self)
    return moment
  }

  /// Resolves the scene with other content, whose texts are final.
  private func view(of content: Content, _ context: ViewContext, _ wording: Wording) -> ResolvedScene {
    switch content {
    case .clock(let clock): moment(of: clock, context, wording)
    case .countdown(let countdown): moment(of: countdown, context, wording)
    case .markdown(let text): moment(of: text, context)
    case .mirror(let display): moment(ofMirror: display, context)
    case .entry(let name): moment(ofEntry: name, context)
    case .playlist(let playlist): moment(of: playlist, context)
    case .schedule(let schedule): moment(of: schedule, context)
    case .calendar(let calendar): moment(of: calendar, context)
    case .zones(let zones): moment(of: zones, context)
    case .start: moment(.controller(context.controller.start), context)
    case .controller: moment(.controller(context.controller), context)
    case .identify: moment(.identify(context.identity()), context)
    case .banner(let text): moment(.banner(text), context)
    case .ticker(let ticker): moment(.ticker(ticker), context)
    case .card(let card): moment(.card(card), context)
    case .board(let board): moment(.board(board), context)
    case .table(let table): moment(of: table, context, wording)
    case .now(let now): moment(.now(now), context)
    case .image(let image): moment(.image(image), context)
    case .qr(let code): moment(.qr(code), context)
    case .blank: moment(.blank, context)
    case .pattern(let pattern): moment(.pattern(pattern), context)
    }
  }

  func moment(
    _ content: View.Content, _ context: ViewContext, nextChange: Int64? = nil, warnings: [String] = []
  ) -> ResolvedScene {
    let style = style.applied(to: context.style)
    let warnings = warnings + contrastWarnings(in: style)
    return ResolvedScene(
      view: View(content, style: style), of: ShownScene(self), nextChange: nextChange,
      progress: SceneProgress(context.steps),
      warnings: warnings
    )
    .movedAgainstBurnIn(at: context.now)
  }

  private func moment(of clock: Clock, _ context: ViewContext, _ wording: Wording) -> ResolvedScene {
    let second = floorDivide(ViewContext.bounded(context.now), 1000)
    let entry = context.zones[clock.zone]
    let time = entry.zone.civil(atSeconds: second)
    let face = ClockFace(
      time: wording.clock(time, clock.hours, seconds: clock.hasSeconds), date: clock.hasDate ? wording.date(time) : nil,
      caption: clock.caption)
    let next = clock.hasSeconds ? second + 1 : entry.zone.nextMinute(after: second)
    return moment(
      .clock(face), context, nextChange: next * 1000, warnings: [entry.warning, wording.warning].compactMap(\.self))
  }

  private func moment(of countdown: Countdown, _ context: ViewContext, _ wording: Wording) -> ResolvedScene {
    let entry = countdown.moment.utcOffset == nil ? context.zones[countdown.zone] : nil
    let warnings = [entry?.warning, wording.warning].compactMap(\.self)
    let end = (entry?.zone ?? .utc).seconds(of: countdown.moment) * 1000
    let left = end - ViewContext.bounded(context.now)
    if left <= 0, let then = countdown.then {
      var later = context
      later.began = max(context.began, end)
      var moment = then.view(in: later)
      moment.warnings = warnings + moment.warnings
      return moment
    }
    // Rounded up to whole units, so that the countdown reads zero exactly at its moment.
    let unit: Int64 = countdown.hasSeconds ? 1000 : 60_000
    let count = max(0, left + unit - 1) / unit
    let seconds = count * (unit / 1000)
    let words = wording.timeLeft(seconds, hasSeconds: countdown.hasSeconds)
    return moment(
      .countdown(CountdownFace(title: countdown.title, remaining: words)), context,
      nextChange: count > 0 ? end - (count - 1) * unit : nil, warnings: warnings)
  }

  private func moment(of text: MarkdownText, _ context: ViewContext) -> ResolvedScene {
    // A text that a client has scrolled stays where it is.
    let usual = text.flow == .pages && context.place == .start ? MarkdownText.usualSecondsPerPage : 0
    let seconds = text.secondsPerPage ?? context.secondsPerPage ?? usual
    let paging = Paging(seconds, context)
    return moment(.markdown(text, paging.place), context, nextChange: paging.nextChange)
  }

  private func moment(ofMirror display: String, _ context: ViewContext) -> ResolvedScene {
    guard let mirrored = context.mirrored(display) else {
      return explanation("There is no display \(display) to mirror.", context)
    }
    guard context.mirrors.count < 4, !context.mirrors.contains(display) else {
      return explanation("\(display) is part of a mirror loop, or mirrors are nested too deeply.", context)
    }
    var moment = mirrored.scene.view(in: context.inMirror(of: display, mirrored))
    moment.progress = SceneProgress(context.steps)
    moment.seen.mirrors.insert(display, at: 0)
    let view = MirroredView(moment.view, pixels: mirrored.pixels, scale: mirrored.scale)
    let fade = moment.view.fade
    moment.view = View(.mirror(view), style: style.applied(to: context.style))
    moment.view.fade = fade
    return moment.movedAgainstBurnIn(at: context.now)
  }

  /// Returns a sentence to show in place of the scene.
  func explanation(_ text: String, _ context: ViewContext) -> ResolvedScene {
    Scene(.banner(text), style: style).view(in: context)
  }
}
