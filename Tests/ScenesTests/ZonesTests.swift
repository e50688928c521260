import Geometry
import JSON
import Scenes
import Schedules
import Testing

/// Scenes of scenes: how they are resolved.
struct ZonesTests {
  private let zones = ZoneCache()

  private func view(_ moment: ResolvedScene) throws -> ZonedView {
    guard case .zones(let view) = moment.view.content else {
      Issue.record("\(moment.view)")
      throw DocumentError(reason: "has no zones")
    }
    return view
  }

  private func list(_ texts: String..., seconds: Double) -> Scene {
    Scene(.playlist(Playlist(texts.map { .init(.banner($0)) }, seconds: seconds)))
  }

  @Test func `each zone has its own turns, and the next change is the earliest of all`() throws {
    let scene = Scene(
      .zones(
        Zones(
          list("a", "b", "c", seconds: 7),
          [.init(.bottom, list("1", "2", seconds: 5)), .init(.topRight, Scene(.clock(Clock(zone: "UTC"))))])))
    var context = ViewContext(now: 0, zones: zones)
    var time: Int64 = 0
    var seen: [String] = []
    while time < 20_000 {
      context.now = time
      let moment = scene.view(in: context)
      context.progress = moment.progress
      let view = try view(moment)
      seen.append("\(time / 1000) \(view.main.content.text) \(view.zones[0].view.content.text)")
      time = try #require(moment.nextChange)
    }
    #expect(seen == ["0 a 1", "5 a 2", "7 b 2", "10 b 1", "14 c 1", "15 c 2"])
  }

  @Test func `a pause of the display affects all zones, and a jump of the clock none`() throws {
    let scene = Scene(.zones(Zones(list("a", "b", seconds: 7), [.init(.bottom, list("1", "2", seconds: 5))])))
    var context = ViewContext(now: 0, zones: zones)
    context.progress = scene.view(in: context).progress
    var moved = context
    (moved.now, moved.began) = (1_000_003, 1_000_000)
    moved.progress.move(by: 1_000_000)
    let view = try view(scene.view(in: moved))
    #expect(view.main.content.text == "a" && view.zones[0].view.content.text == "1")
    context.now = 1_000_000
    let later = try self.view(scene.view(in: context))
    #expect(later.main.content.text == "b" && later.zones[0].view.content.text == "2")
  }

  @Test func `a display is named after the main scene, and a plan follows it`() throws {
    let inner = Scene(.schedule(Schedule([], otherwise: .banner("Closed"))))
    let scene = Scene(.zones(Zones(inner, [.init(.top, .banner("News")), .init(.left, .blank)])))
    let moment = scene.view(in: ViewContext(now: 0, zones: zones))
    #expect(moment.seen.summary == "Closed")
    #expect(moment.seen.sources == [.zones(2), .otherwise])
    #expect("\(SceneSource.zones(2))" == "the main scene beside 2 zones")
    let planned = scene.planned(at: 0, zones, [:])
    #expect(planned.sources == [.zones(2), .otherwise] && planned.scene == .banner("Closed"))
    #expect(scene.summary == "1 rule" || scene.summary == "0 rules")
  }

  @Test func `scenes in zones inherit the style, and add their warnings`() throws {
    let quiet = Color(red: 40, green: 40, blue: 40)
    var style = StyleChanges()
    style.background = .black
    var dim = StyleChanges()
    dim.foreground = quiet
    let scene = Scene(
      .zones(Zones(.banner("Loud"), [.init(.bottom, Scene(.banner("Dim"), style: dim))])), style: style)
    let moment = scene.view(in: ViewContext(now: 0, zones: zones))
    let view = try view(moment)
    #expect(view.main.style.background == .black && view.zones[0].view.style.background == .black)
    #expect(view.zones[0].view.style.foreground == quiet)
    #expect(moment.warnings.count == 1 && moment.warnings[0].contains("contrast"))
  }

  @Test func `a cross-fade of the main scene is one of the display, unless a line moves`() throws {
    let main = Scene(.playlist(Playlist([.init(.banner("a")), .init(.banner("b"))], seconds: 5, fade: 1)))
    let still = Scene(.zones(Zones(main, [.init(.bottom, .banner("Still"))])))
    let line = Scene(.zones(Zones(main, [.init(.bottom, Scene(.ticker(Ticker("Moves"))))])))
    let around = Scene(.zones(Zones(line, [.init(.top, .banner("Still"))])))
    let context = ViewContext(now: 0, zones: zones)
    #expect(still.view(in: context).view.fade?.milliseconds == 1000)
    #expect(line.view(in: context).view.fade == nil && around.view(in: context).view.fade == nil)
  }

  @Test(arguments: [
    (#"{"kind":"zones","zones":[]}"#, "main", "is missing"),
    (#"{"kind":"zones","main":{"kind":"blank"},"zones":[{"show":{"kind":"blank"}}]}"#, "zones[0].at", "is missing"),
    (
      #"{"kind":"zones","main":{"kind":"blank"},"zones":[{"at":"middle","show":{"kind":"blank"}}]}"#, "zones[0].at",
      "middle"
    ),
    (
      #"{"kind":"zones","main":{"kind":"blank"},"zones":[{"at":"top","size":60,"show":{"kind":"blank"}}]}"#,
      "zones[0].size", "60"
    ),
    (
      #"{"kind":"zones","main":{"kind":"blank"},"zones":[{"at":"top","smallest":0,"show":{"kind":"blank"}}]}"#,
      "zones[0].smallest", "0"
    ),
    (
      #"{"kind":"zones","main":{"kind":"blank"},"zones":[{"at":"top","show":{"kind":"no"}}]}"#, "zones[0].show.kind",
      "no"
    ),
  ]) func `a mistake is refused with the field and the value`(text: String, path: String, word: String) throws {
    let json = try JSONValue(parsing: Array(text.utf8))
    do throws(DocumentError) {
      let scene = try Scene(document: json)
      Issue.record("\(scene)")
    } catch {
      #expect(error.path == path && "\(error)".contains(word), "\(error)")
    }
  }
}

extension View.Content {
  /// The text of a banner; empty for other content.
  fileprivate var text: String { if case .banner(let text) = self { text } else { "" } }
}
