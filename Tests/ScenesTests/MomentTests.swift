import Calendars
import Geometry
import Scenes
import SeededRandom
import Testing

struct MomentTests {
  private let zones = ZoneCache()
  /// 2026-11-21T13:05:09.250Z, a Saturday.
  private let now: Int64 = 1_795_266_309_250

  @Test func `A clock shows its zone's time until its next minute`() {
    let scene = Scene(.clock(Clock(zone: "Asia/Kathmandu", caption: "Kathmandu")))
    let moment = scene.view(in: ViewContext(now: now, zones: zones))
    let face = ClockFace(time: "18:50", date: "Saturday, 21 November 2026", caption: "Kathmandu")
    #expect(moment == ResolvedScene(view: View(.clock(face)), of: ShownScene(scene), nextChange: 1_795_266_360_000))
  }

  @Test func `A clock with seconds changes every second`() {
    let scene = Scene(.clock(Clock(zone: "UTC", hours: .hours12, hasSeconds: true, hasDate: false)))
    let moment = scene.view(in: ViewContext(now: now, zones: zones))
    let face = ClockFace(time: "1:05:09 pm")
    #expect(moment == ResolvedScene(view: View(.clock(face)), of: ShownScene(scene), nextChange: 1_795_266_310_000))
  }

  @Test(arguments: [
    (0, true, "00:00:10", Int64(1000)), (1, true, "00:00:10", 1000), (999, true, "00:00:10", 1000),
    (1000, true, "00:00:09", 2000), (9999, true, "00:00:01", 10000), (10000, true, "00:00:00", nil),
    (99999, true, "00:00:00", nil), (-50000, false, "00:01", 10000), (-50001, false, "00:02", -50000),
    (0, false, "00:01", 10000),
    (10000, false, "00:00", nil), (-86_400_000, true, "1 day 00:00:10", -86_399_000),
  ])
  func `A countdown changes with its unit and ends at its moment`(
    now: Int64, hasSeconds: Bool, remaining: String, next: Int64?
  ) throws {
    let scene = Scene(.countdown(Countdown(to: try DateTime("1970-01-01T00:00:10Z"), hasSeconds: hasSeconds)))
    let moment = scene.view(in: ViewContext(now: now, zones: zones))
    let face = CountdownFace(remaining: remaining)
    #expect(moment == ResolvedScene(view: View(.countdown(face)), of: ShownScene(scene), nextChange: next))
  }

  @Test func `A countdown is followed by its next scene, whose pages start at the moment`() throws {
    let text = MarkdownText("text", secondsPerPage: 5)
    let then = Scene(.markdown(text))
    let scene = Scene(.countdown(Countdown(to: try DateTime("1970-01-01T00:00:10Z"), then: then)))
    var context = ViewContext(now: 10_000, zones: zones, pages: 3)
    let first = ResolvedScene(view: View(.markdown(text, .start)), of: ShownScene(then), nextChange: 15_000)
    #expect(scene.view(in: context) == first)
    context.now = 16_000
    let second = ResolvedScene(view: View(.markdown(text, .share(0.5))), of: ShownScene(then), nextChange: 20_000)
    #expect(scene.view(in: context) == second)
    context.now = 9_999
    #expect(scene.view(in: context).seen == ShownScene(scene))
  }

  @Test func `pages turn by themselves until a client scrolls, unless they are stopped`() {
    func next(_ text: MarkdownText, at place: Place = .start, pages: Int = 3) -> Int64? {
      Scene(.markdown(text)).view(in: ViewContext(now: 0, zones: zones, place: place, pages: pages)).nextChange
    }
    #expect(next(MarkdownText("text")) == 20_000)
    #expect(next(MarkdownText("text"), pages: 1) == nil)
    #expect(next(MarkdownText("text"), at: .share(0.5)) == nil)
    #expect(next(MarkdownText("text", secondsPerPage: 0)) == nil)
    #expect(next(MarkdownText("text", flow: .scroll)) == nil)
    #expect(next(MarkdownText("text", secondsPerPage: 7), at: .share(0.5)) == 7000)
  }

  @Test func `Pages advance from the current place and start over after the last one`() {
    let scene = Scene(.markdown(MarkdownText("text", secondsPerPage: 10)))
    func places(from place: Place, pages: Int) -> [View.Content] {
      (0..<4).map { turn in
        let context = ViewContext(
          now: 1000 + Int64(turn) * 10_000, zones: zones, place: place, pages: pages, began: 500)
        return scene.view(in: context).view.content
      }
    }
    func expected(_ places: Place...) -> [View.Content] {
      places.map { .markdown(MarkdownText("text", secondsPerPage: 10), $0) }
    }
    #expect(places(from: .start, pages: 3) == expected(.share(0), .share(0.5), .share(1), .share(0)))
    #expect(places(from: .share(0.6), pages: 3) == expected(.share(0.6), .share(1), .share(0), .share(0.5)))
    #expect(places(from: .heading("a"), pages: 2) == expected(.heading("a"), .share(1), .share(0), .share(1)))
    #expect(places(from: .share(0.6), pages: 1) == expected(.share(0.6), .share(0.6), .share(0.6), .share(0.6)))
    for wild in [Double.nan, -.infinity, .infinity, -1, 7] {
      for content in places(from: .share(wild), pages: 2).dropFirst() {
        guard case .markdown(_, .share(let share)) = content else {
          Issue.record("\(content)")
          continue
        }
        #expect((0...1).contains(share))
      }
    }
  }

  @Test func `An unknown zone falls back to UTC with a warning`() {
    let moment = Scene(.clock(Clock(zone: "Mars/Base", hasDate: false))).view(in: ViewContext(now: now, zones: zones))
    #expect(moment.view == View(.clock(ClockFace(time: "13:05"))))
    let warning = "the scene's times are shown in UTC: there is no time zone Mars/Base; use a name like Europe/Berlin"
    #expect(moment.warnings.count == 1 && moment.warnings.first?.hasPrefix(warning) == true)
    let countdown = Scene(.countdown(Countdown(to: .epoch, zone: "Mars/Base")))
    #expect(countdown.view(in: ViewContext(now: now, zones: zones)).warnings.isEmpty)
  }

  @Test func `A scene's style overrides the display's style`() {
    var changes = StyleChanges()
    changes.accent = .white
    let style = Style(background: .black)
    let view = Scene(.blank, style: changes).view(in: ViewContext(now: now, style: style, zones: zones)).view
    #expect(view.style == changes.applied(to: style) && view.style.accent == .white && view.style.background == .black)
  }

  @Test func `A mirror shows the other display's scene in its style and changes with it`() {
    let clock = Scene(.clock(Clock(zone: "UTC", hasDate: false)))
    let other = MirroredScene(clock, style: Style(background: .black), pixels: Size(800, 480), scale: 1)
    let context = ViewContext(now: now, zones: zones) { $0 == "DP-1" ? other : nil }
    let face = View(.clock(ClockFace(time: "13:05")), style: Style(background: .black))
    let view = View(.mirror(MirroredView(face, pixels: Size(800, 480), scale: 1)))
    let moment = Scene(.mirror(of: "DP-1")).view(in: context)
    var seen = ShownScene(clock)
    seen.mirrors = ["DP-1"]
    #expect(moment == ResolvedScene(view: view, of: seen, nextChange: 1_795_266_360_000))
    #expect((seen.kind, seen.summary, seen.words) == ("mirror", "mirror of DP-1: UTC", "mirror of DP-1: UTC"))
    let missing = Scene(.mirror(of: "DP-2")).view(in: context)
    let explanation = "There is no display DP-2 to mirror."
    #expect(missing == ResolvedScene(view: View(banner: explanation), of: ShownScene(.banner(explanation))))
  }

  @Test func `Mirrors of each other end with an explanation`() {
    let context = ViewContext(now: now, zones: zones) { name in
      MirroredScene(Scene(.mirror(of: name == "DP-1" ? "DP-2" : "DP-1")), pixels: Size(800, 480), scale: 1)
    }
    #expect(
      words(Scene(.mirror(of: "DP-1")).view(in: context).view) == [
        "mirror", "mirror", "DP-1 is part of a mirror loop, or mirrors are nested too deeply.",
      ])
    let endless = ViewContext(now: now, zones: zones) { name in
      MirroredScene(Scene(.mirror(of: name + "'")), pixels: Size(800, 480), scale: 1)
    }
    #expect(words(Scene(.mirror(of: "DP-1")).view(in: endless).view).count == 5)
  }

  /// Returns the kinds from the outermost mirror to the text at the end.
  private func words(_ view: View) -> [String] {
    switch view.content {
    case .mirror(let mirrored): ["mirror"] + words(mirrored.view)
    case .banner(let text): [text]
    default: []
    }
  }

  @Test(arguments: SeededGenerator.seeds)
  func `A view stays the same until its next change and then differs`(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let scene = timed(&chance)
      let began = now + Int64(chance.below(10_000_000))
      let pages = 1 + chance.below(4)
      func moment(at time: Int64) -> ResolvedScene {
        let context = ViewContext(now: time, zones: zones, pages: pages, began: began) { name in
          name == "DP-1" ? MirroredScene(scene, pages: pages, began: began, pixels: Size(8, 8), scale: 1) : nil
        }
        return (seed % 2 == 0 ? scene : Scene(.mirror(of: "DP-1"))).view(in: context)
      }
      // Times within a century around the countdowns' moments.
      let start = Int64.random(in: 900_000_000_000...4_200_000_000_000, using: &chance)
      let first = moment(at: start)
      let end = first.nextChange ?? start + 400_000_000_000
      #expect(end > start)
      let inside = [end - 1, start + 1] + (0..<5).map { _ in Int64.random(in: start..<end, using: &chance) }
      for time in inside where time < end { #expect(moment(at: time) == first, "\(scene) at \(start), \(time)") }
      // A calendar is looked at again after some time, even if nothing takes place then.
      let hasCalendar = scene.tree.contains { $0.kind == "calendar" }
      if first.nextChange != nil, !hasCalendar {
        #expect(moment(at: end).view != first.view, "\(scene) at \(start), \(end)")
      }
    }
  }

  // MARK: Against burn-in

  /// Returns the moment of a scene on a display that shifts it by `step` pixels each minute.
  private func moved(_ scene: Scene, by step: Int, at now: Int64) -> ResolvedScene {
    var style = Style()
    style.burnInShift = step
    return scene.view(in: ViewContext(now: now, style: style, zones: zones))
  }

  @Test(arguments: [1, 4, 24])
  func `Burn-in protection moves a scene by one step per minute over a whole square and back`(step: Int) {
    let start = now / 60_000 * 60_000
    let shifts = (0...192).map { moved(.banner("a"), by: step, at: start + $0 * 60_000 + 59_999).view.shift }
    for (before, after) in zip(shifts, shifts.dropFirst()) {
      #expect(abs(after.x - before.x) + abs(after.y - before.y) == step)
    }
    #expect(Set(shifts).count == 49 && shifts[0] == shifts[96] && shifts[0] == shifts[192])
    #expect(shifts.allSatisfy { abs($0.x) <= 3 * step && abs($0.y) <= 3 * step })
  }

  @Test func `A shift lasts one minute, unless the scene itself changes earlier`() {
    let still = moved(.banner("a"), by: 2, at: now)
    #expect(still.nextChange == 1_795_266_360_000 && moved(.banner("a"), by: 2, at: 1_795_266_359_999) == still)
    #expect(moved(.banner("a"), by: 2, at: 1_795_266_360_000).view.shift != still.view.shift)
    let clock = Scene(.clock(Clock(zone: "UTC", hasSeconds: true)))
    #expect(moved(clock, by: 2, at: now).nextChange == 1_795_266_310_000)
  }

  @Test func `Tickers, blank scenes and test patterns are not shifted`() {
    for scene in [Scene(.ticker(Ticker("a"))), Scene(.blank), Scene(.pattern(.grid))] {
      let moment = moved(scene, by: 24, at: now)
      #expect(moment.view.shift == .none && moment.nextChange == nil)
    }
    for (inner, isMoved) in [(Scene.banner("a"), true), (Scene(.ticker(Ticker("a"))), false)] {
      var style = Style()
      style.burnInShift = 24
      let context = ViewContext(now: now, style: style, zones: zones) { _ in
        MirroredScene(inner, style: Style(), place: .start, pages: 1, began: 0, pixels: Size(1, 1), scale: 1)
      }
      #expect((Scene(.mirror(of: "a")).view(in: context).view.shift != .none) == isMoved)
    }
    #expect(moved(.banner("a"), by: 0, at: now) == ResolvedScene(view: View(banner: "a"), of: ShownScene(.banner("a"))))
  }

  @Test(arguments: [Int64.min, -1, 0, Int64.max])
  func `Moments at the limits of Int64 do not trap`(now: Int64) throws {
    for seed in SeededGenerator.seeds {
      var chance = SeededGenerator(seed: seed)
      let context = ViewContext(now: now, zones: zones, pages: .max, began: chance.flip() ? .min : .max)
      _ = timed(&chance).view(in: context)
      let shift = moved(.banner("a"), by: 24, at: now).view.shift
      #expect(abs(shift.x) <= 72 && abs(shift.y) <= 72)
    }
  }

  /// Returns a scene that changes by itself, without playlists and schedules, which depend on what was shown before.
  private func timed(_ chance: inout SeededGenerator) -> Scene {
    while true {
      let scene = anyTimed(&chance)
      let hasSteps = scene.tree.contains { ["playlist", "schedule", "entry"].contains($0.kind) }
      if !hasSteps { return scene }
    }
  }

  private func anyTimed(_ chance: inout SeededGenerator) -> Scene {
    switch chance.below(3) {
    case 0: Scene(.clock(chance.clock()))
    case 1: Scene(.countdown(chance.countdown()))
    default: Scene(.markdown(MarkdownText("text", secondsPerPage: chance.maybe { 1 + $0.below(86400) })))
    }
  }
}
