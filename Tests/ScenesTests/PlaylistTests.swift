import Calendars
import Scenes
import SeededRandom
import Testing

/// Playlists: which item is shown when.
struct PlaylistTests {
  private let zones = ZoneCache()

  /// A display that shows a scene, and remembers the steps and pages as the service does.
  private struct Screen {
    var context: ViewContext
    let scene: Scene
    /// The number of pages of the texts, once they are on screen.
    var pages: [String: Int] = [:]
    var seen: [String] = []

    init(_ scene: Scene, _ zones: ZoneCache, library: [LibraryEntry] = []) {
      let entries = Dictionary(uniqueKeysWithValues: library.map { ($0.name, $0) })
      context = ViewContext(now: 0, zones: zones, began: 0, library: entries)
      self.scene = scene
    }

    /// Shows the scene at a time, in seconds, and returns what is visible.
    @discardableResult
    mutating func show(at seconds: Int64) -> ResolvedScene {
      context.now = seconds * 1000
      let moment = scene.view(in: context)
      context.progress = moment.progress
      context.pagedAt = moment.progress.main
      context.pages = pages[moment.seen.summary] ?? 1
      return moment
    }

    /// Shows the scene until a time, at each of its changes, and returns the times in seconds and what is visible.
    mutating func run(until end: Int64) -> [String] {
      var time: Int64 = 0
      var lines: [String] = []
      while time <= end {
        show(at: time)
        // The number of pages is known only now.
        let moment = show(at: time)
        lines.append("\(time) \(moment.seen.summary)")
        guard let next = moment.nextChange else { break }
        time = next / 1000
      }
      return lines
    }
  }

  @Test func `items are shown for their times, again and again`() {
    let playlist = Playlist([.init(.banner("a")), .init(.banner("b"), seconds: 3), .init(.banner("c"))], seconds: 5)
    var screen = Screen(Scene(.playlist(playlist)), zones)
    #expect(screen.run(until: 20) == ["0 a", "5 b", "8 c", "13 a", "18 b"])
    let moment = screen.show(at: 19)
    #expect(moment.seen.sources == [.item(2, of: 3)])
    #expect(moment.nextChange == 21_000)
  }

  @Test func `each showing of an item has a cross-fade of its own, and its views share it`() throws {
    let clock = Scene(.clock(Clock(hasSeconds: true)))
    let playlist = Playlist([.init(.banner("a")), .init(clock)], seconds: 5, fade: 0.4)
    var screen = Screen(Scene(.playlist(playlist)), zones)
    let first = try #require(screen.show(at: 0).view.fade)
    #expect(first.milliseconds == 400)
    #expect(screen.show(at: 4).view.fade == first)
    let second = try #require(screen.show(at: 5).view.fade)
    #expect(second != first)
    #expect(screen.show(at: 8).view.fade == second)
    #expect(screen.show(at: 10).view.fade != first, "the item is shown again")
    // A stored playlist is not checked.
    for (seconds, milliseconds) in [(-1.0, nil), (.nan, nil), (1e300, 2000)] as [(Double, Int?)] {
      let odd = Scene(.playlist(Playlist([.init(.banner("a"))], fade: seconds)))
      #expect(odd.view(in: screen.context).view.fade?.milliseconds == milliseconds)
    }
  }

  @Test func `a playlist inside of another has its own cross-fades, or the other's as a whole`() throws {
    let inner = Playlist([.init(.banner("a")), .init(.banner("b"))], seconds: 5)
    func screen(_ innerFade: Double, _ fade: Double) -> Screen {
      var inner = inner
      inner.fade = innerFade
      let items = [Playlist.Item(Scene(.playlist(inner)), seconds: 10), Playlist.Item(.banner("c"))]
      return Screen(Scene(.playlist(Playlist(items, fade: fade))), zones)
    }
    var cut = screen(0, 1)
    let first = try #require(cut.show(at: 0).view.fade)
    #expect(cut.show(at: 5).view.fade == first)
    #expect(cut.show(at: 10).view.fade != first)
    var both = screen(0.5, 1)
    let inside = try #require(both.show(at: 0).view.fade)
    #expect(inside.milliseconds == 500)
    #expect(both.show(at: 5).view.fade != inside)
    #expect(both.show(at: 10).view.fade?.milliseconds == 1000)
    var none = screen(0, 0)
    #expect(none.show(at: 0).view.fade == nil)
  }

  @Test func `a text is shown page by page to its end, as often as it is wanted`() {
    let text = Scene(.markdown(MarkdownText("text")))
    let playlist = Playlist([.init(text, seconds: 4, times: 2), .init(.banner("b"))], seconds: 5)
    var screen = Screen(Scene(.playlist(playlist)), zones)
    screen.pages["text"] = 3
    let lines = screen.run(until: 40)
    #expect(lines.prefix(7) == ["0 text", "4 text", "8 text", "12 text", "16 text", "20 text", "24 b"])
    #expect(lines.dropFirst(7).first == "29 text")
  }

  @Test func `a countdown is shown until its end, and the one pass of a ticker until it is over`() throws {
    let countdown = Scene(.countdown(Countdown(to: try DateTime("1970-01-01T00:00:09Z"), hasSeconds: false)))
    let ticker = Scene(.ticker(Ticker("news")))
    let playlist = Playlist([.init(countdown, times: 3), .init(ticker, times: 1)])
    var screen = Screen(Scene(.playlist(playlist)), zones)
    screen.context.pass = 7000
    #expect(screen.show(at: 0).nextChange == 9000)
    #expect(screen.show(at: 9).seen.summary == "news")
    #expect(screen.show(at: 9).nextChange == 16_000)
    #expect(screen.show(at: 16).seen.kind == "countdown")
  }

  @Test func `skipped items are passed over, and if all are skipped, the current one stays`() {
    let items = ["a", "b", "c"].map { Playlist.Item(.banner($0)) }
    let scene = Scene(.playlist(Playlist(items, seconds: 5)))
    func step(_ number: Int, began: Int64) -> SceneStep { SceneStep(number: number, began: began, isItem: true) }
    func skip(_ number: Int) -> SkippedStep? { SkippedStep([step(number, began: 0)], "gone") }
    var context = ViewContext(now: 5000, zones: zones, began: 0, progress: SceneProgress([step(0, began: 0)]))
    context.skipped = [skip(1)].compactMap(\.self)
    let moment = scene.view(in: context)
    #expect(moment.seen.summary == "c" && moment.nextChange == 10_000)
    #expect(moment.warnings == ["item 2 of the playlist is skipped: gone"])
    context.skipped = (0...5).compactMap(skip)
    let stuck = scene.view(in: context)
    #expect(stuck.seen.summary == "b" && stuck.nextChange == 10_000)
    // The current item is skipped at once.
    context.now = 2000
    context.skipped = [skip(0)].compactMap(\.self)
    let next = scene.view(in: context)
    #expect(next.seen.summary == "b" && next.nextChange == 7000)
  }

  @Test func `after a pause, the next item begins, and none in between is shown`() {
    let items = ["a", "b", "c"].map { Playlist.Item(.banner($0)) }
    var screen = Screen(Scene(.playlist(Playlist(items, seconds: 5))), zones)
    screen.show(at: 0)
    let moment = screen.show(at: 10_000)
    #expect(moment.seen.summary == "b")
    #expect(moment.nextChange == 10_005_000)
  }

  @Test func `in a random order, each round shows each item once, and no item is shown twice in a row`() throws {
    let playlist = Playlist((0..<7).map { .init(.banner("\($0)")) }, isShuffled: true)
    let order = try (0..<700).map { try #require(playlist.item(atStep: $0)) }
    let rounds = (0..<100).map { Array(order[$0 * 7..<$0 * 7 + 7]) }
    for round in rounds { #expect(Set(round) == Set(0..<7)) }
    #expect(zip(order, order.dropFirst()).allSatisfy { $0 != $1 })
    #expect(Set(rounds).count > 80)
    #expect(Playlist([.init(.blank)], isShuffled: true).item(atStep: 5) == 0)
  }

  @Test func `a playlist in a playlist continues only while its item is shown`() {
    let inner = LibraryEntry("inner", Scene(.playlist(Playlist(["x", "y"].map { .init(.banner($0)) }, seconds: 2))))
    let outer = Playlist([.init(Scene(.entry("inner")), seconds: 5), .init(.banner("z"), seconds: 1)])
    var screen = Screen(Scene(.playlist(outer)), zones, library: [inner])
    #expect(screen.run(until: 9) == ["0 x", "2 y", "4 x", "5 z", "6 x", "8 y"])
    #expect(screen.show(at: 10).seen.sources == [.item(1, of: 2), .entry("inner"), .item(1, of: 2)])
  }

  @Test func `one item never changes by itself, and an empty playlist says so`() {
    var one = Screen(Scene(.playlist(Playlist([.init(.banner("a"))]))), zones)
    #expect(one.show(at: 0).nextChange == nil)
    var none = Screen(Scene(.playlist(Playlist([]))), zones)
    #expect(none.show(at: 0).warnings == ["the playlist has no items"])
    #expect(none.show(at: 0).nextChange == nil)
  }

  @Test(arguments: SeededGenerator.seeds)
  func `any scene has a next change after the present, at any time`(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    let library = ["a", "menu"].map { LibraryEntry($0, chance.scene()) }
    var screen = Screen(chance.scene(), zones, library: library)
    for _ in 0..<40 {
      screen.context.now = chance.pick([0, 1000, Int64.random(in: -1 << 50...1 << 50, using: &chance), .min, .max])
      let now = screen.context.now
      let moment = screen.scene.view(in: screen.context)
      screen.context.progress = moment.progress
      guard now.magnitude < 1 << 59 else { continue }
      let next = moment.nextChange ?? now + 1_000_000
      #expect(next > now, "seed \(seed)")
      // A change of the steps alone, from an item to an equal one, is a change as well.
      screen.context.now = Int64.random(in: now..<max(next, now + 1), using: &chance)
      let later = screen.scene.view(in: screen.context)
      #expect(
        later.view == moment.view && later.seen == moment.seen && later.progress == moment.progress, "seed \(seed)")
      // Hours with dates and without a change in sight are looked at again after 400 days, which is later then.
      #expect(later.nextChange ?? .max >= moment.nextChange ?? .max, "seed \(seed)")
    }
  }
}
