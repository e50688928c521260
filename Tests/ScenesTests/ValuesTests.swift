import Calendars
import JSON
import Locales
import Testing

@testable import Scenes

/// Live values: references in texts, their words, and their age.
struct ValuesTests {
  private let zones = ZoneCache { name throws(ZoneError) in try Zone(named: name ?? "Europe/Berlin") }

  /// 2026-11-28 12:00 in UTC, 13:00 in Berlin.
  private static let noon: Int64 = 1_795_867_200_000

  private static let values: [String: LiveValue] = [
    "temperature": LiveValue("temperature", .number("21.50"), unit: "°C", maxAge: 600_000, updated: noon),
    "count": LiveValue("count", .number("1234567"), updated: noon),
    "share": LiveValue("share", .number("0.456"), updated: noon),
    "load": LiveValue("load", .number("45"), unit: "%", updated: noon),
    "turn": LiveValue("turn", .number("-90"), unit: "°", updated: noon),
    "large": LiveValue("large", .number("1.5e3"), updated: noon),
    "doctor": LiveValue("doctor", .text("Dr. *Miller*"), updated: noon),
    "train": LiveValue("train", .text("2026-12-01T08:05"), updated: noon),
    "start": LiveValue("start", .number("1795867200"), updated: noon),
    "rows": LiveValue(
      "rows", .rows([[.text("10:04"), .text("Harbour")], [.text("10:09"), .text("Airport")]]), updated: noon),
    "a.b:c@d-e_f": LiveValue("a.b:c@d-e_f", .text("odd"), updated: noon),
  ]

  private func moment(
    of scene: Scene, language: String? = nil, after milliseconds: Int64 = 0, began: Int64 = Self.noon
  ) -> ResolvedScene {
    var style = Style()
    style.language = language
    var context = ViewContext(now: Self.noon + milliseconds, style: style, zones: zones, began: began)
    context.values = Self.values
    return scene.view(in: context)
  }

  private func words(_ text: String, language: String? = nil, after milliseconds: Int64 = 0) -> String {
    guard case .banner(let words) = moment(of: .banner(text), language: language, after: milliseconds).view.content
    else {
      return ""
    }
    return words
  }

  @Test(
    arguments: [
      ("It is {{temperature}}.", nil, "It is 21.50\u{A0}°C."), ("{{ temperature }}", "de", "21,50\u{A0}°C"),
      ("{{temperature|digits 0}}", "en", "22\u{A0}°C"), ("{{temperature | digits 3}}", "ar-EG", "٢١٫٥٠٠\u{A0}°C"),
      ("{{count}}", nil, "1,234,567"), ("{{count}}", "de", "1.234.567"), ("{{count}}", "en-IN", "12,34,567"),
      ("{{share | percent}}", nil, "46%"), ("{{share | percent}}", "de", "46\u{A0}%"), ("{{share}}", "fr", "0,456"),
      ("{{load}}", nil, "45%"), ("{{load}}", "de", "45\u{A0}%"), ("{{turn}}", nil, "-90°"), ("{{large}}", nil, "1,500"),
      ("{{doctor}}", nil, "Dr. *Miller*"), ("{{train | time}}", nil, "08:05"), ("{{train | time}}", "fi", "8.05"),
      ("{{train | date}}", nil, "Tuesday, 1 December 2026"), ("{{train | date}}", "de", "Dienstag, 1. Dezember 2026"),
      ("{{start | time}}", nil, "13:00"), ("{{count | updated}}", nil, "13:00"), ("{{a.b:c@d-e_f}}", nil, "odd"),
      ("{{none | else nothing here}}", nil, "nothing here"), ("{{none | else}}!", nil, "!"), ("{{none}}", nil, "–"),
      ("{{rows}}", nil, "10:04\u{2003}Harbour\n10:09\u{2003}Airport"), ("{{doctor | digits 1}}", nil, "Dr. *Miller*"),
      ("\\{{temperature}}", nil, "{{temperature}}"), ("{{a b}} {{}} {{ {a} {", nil, "{{a b}} {{}} {{ {a} {"),
      ("{{{temperature}}}", nil, "{21.50\u{A0}°C}"), ("{{tempe\nrature}}", nil, "{{tempe\nrature}}"),
      ("{{load}}{{load}}", nil, "45%45%"),
    ] as [(String, String?, String)])
  func `a text shows the words of the values that it refers to`(text: String, language: String?, expected: String) {
    #expect(words(text, language: language) == expected)
  }

  @Test(arguments: [
    ("{{a | digits}}", "digits"), ("{{a | digits 10}}", "0 to 9"), ("{{a | digits -1}}", "0 to 9"),
    ("{{a | upper}}", "\"upper\" is not one of"), ("{{a|}}", "is not one of"), ("{{a | time 5}}", "is not one of"),
  ])
  func `a filter with a mistake is refused with the next step`(text: String, reason: String) {
    for kind in [["kind": "banner", "text": .string(text)], ["kind": "card", "title": .string(text)]] as [JSONValue] {
      do throws(DocumentError) {
        _ = try Scene(kept: kind)
        Issue.record("\(kind) was accepted")
      } catch {
        #expect("\(error)".contains(reason) && "\(error)".contains(text), "\(error)")
      }
    }
  }

  @Test func `a value that is too old is shown with its time, or is replaced`() {
    let text = "{{temperature}}"
    let fresh = moment(of: .banner(text), after: 599_999)
    #expect(!fresh.isOutdated && fresh.warnings == [] && fresh.values == ["temperature"])
    #expect(fresh.nextChange == Self.noon + 600_000)
    let old = moment(of: .banner(text), after: 600_000)
    #expect(old.view.content == .banner("21.50\u{A0}°C (13:00)"))
    #expect(old.isOutdated && old.warnings == ["the value temperature is too old"])
    // At midnight in Berlin, the date is added.
    #expect(old.nextChange == Self.noon + 11 * 3_600_000)
    let older = moment(of: .banner(text), after: 11 * 3_600_000)
    #expect(older.view.content == .banner("21.50\u{A0}°C (Saturday, 28 November 2026 13:00)"))
    #expect(older.nextChange == nil)
    let replaced = moment(of: .banner("{{temperature | else –}}"), after: 600_000)
    #expect(replaced.view.content == .banner("–") && !replaced.isOutdated && replaced.warnings == [])
    let missing = moment(of: .banner("{{none}} {{none}}"))
    #expect(missing.isOutdated && missing.values == ["none"])
    #expect(missing.warnings == ["there is no value none; `placard set none VALUE` sets it"])
  }

  @Test func `all texts of scenes can refer to values`() {
    let text = "{{load}}"
    let card = Card(title: text, content: text, footer: text)
    let scenes: [Scene] = [
      .banner(text), Scene(.markdown(MarkdownText(text))), Scene(.ticker(Ticker(text))), Scene(.card(card)),
      Scene(.board(Board(title: text, columns: [.init(title: text, cards: [card])]))),
      Scene(.now(NowPlaying(title: text, subtitle: text, detail: text))), Scene(.clock(Clock(caption: text))),
      Scene(.countdown(Countdown(to: .epoch, title: text))), Scene(.qr(QRPanel(text: text, caption: text))),
      Scene(.playlist(Playlist([.init(.banner(text))]))), Scene(.schedule(Schedule([], otherwise: .banner(text)))),
      Scene(.zones(Zones(.blank, [.init(.bottom, .banner(text))]))),
      Scene(.countdown(Countdown(to: .epoch, then: .banner(text)))),
    ]
    for scene in scenes {
      let moment = moment(of: scene)
      #expect(moment.values == ["load"], "\(scene.kind)")
      #expect(!"\(moment.view)".contains("{{") && "\(moment.view)".contains("45"), "\(scene.kind)")
      #expect(moment.seen.summary == self.moment(of: scene, after: 1000).seen.summary)
    }
  }

  @Test func `the words of a value are not markup in Markdown`() {
    let moment = moment(of: Scene(.markdown(MarkdownText("# {{doctor}}\n{{temperature}}, {{turn}}\n{{rows}}"))))
    guard case .markdown(let text, _) = moment.view.content else {
      Issue.record("\(moment.view)")
      return
    }
    #expect(
      text.text
        == "# Dr\\. \\*Miller\\*\n21.50\u{A0}°C, -90°\n10:04\u{2003}Harbour 10:09\u{2003}Airport")
  }

  @Test func `a clock and a countdown follow the language`() {
    func content(_ scene: Scene, _ language: String?) -> View.Content {
      moment(of: scene, language: language).view.content
    }
    let clock = Scene(.clock(Clock(hours: .hours12)))
    #expect(content(clock, nil) == .clock(ClockFace(time: "1:00 pm", date: "Saturday, 28 November 2026")))
    #expect(content(clock, "en-US") == .clock(ClockFace(time: "1:00 PM", date: "Saturday, November 28, 2026")))
    #expect(content(clock, "ja") == .clock(ClockFace(time: "午後1:00", date: "2026年11月28日土曜日")))
    // ICU 72 and 76 have different words for the part of the day.
    let hebrew = ["1:00 אחה״צ", "1:00 PM"].map { ClockFace(time: $0, date: "יום שבת, 28 בנובמבר 2026") }
    #expect(hebrew.map(View.Content.clock).contains(content(clock, "he")))
    var german = Scene(.clock(Clock()))
    german.style.language = "de"
    #expect(content(german, "ja") == .clock(ClockFace(time: "13:00", date: "Samstag, 28. November 2026")))
    let countdown = Scene(.countdown(Countdown(to: DateTime(local: Self.noon / 1000 + 3 * 86400 + 3600 + 61))))
    func left(_ language: String?) -> String {
      if case .countdown(let face) = content(countdown, language) { face.remaining } else { "" }
    }
    #expect(left(nil) == "3 days 00:01:01")
    #expect(left("de") == "3 Tage 00:01:01")
    #expect(left("ru") == "3 дня 00:01:01")
    #expect(left("ar-EG") == "٣ أيام ٠٠:٠١:٠١")
    let unknown = moment(of: countdown, language: "xx")
    #expect(unknown.warnings == ["ICU does not know the language xx; choose another one, like de or en-GB"])
    #expect(moment(of: .banner("{{load}}"), language: "xx").warnings == unknown.warnings)
    #expect(moment(of: countdown, language: "de").warnings == [])
  }

  @Test func `a playlist passes over items whose values are missing or too old`() {
    let items = [Playlist.Item(.banner("a")), .init(.banner("{{temperature}}")), .init(.banner("{{none}}"))]
    let playlist = Scene(.playlist(Playlist(items, seconds: 10)))
    var context = ViewContext(now: Self.noon, zones: zones, began: Self.noon)
    context.values = Self.values
    var seen: [String] = []
    var warnings: Set<String> = []
    for second in stride(from: 0, to: 90, by: 10) {
      context.now = Self.noon + Int64(second) * 1000
      if second == 60 { context.values["temperature"]?.maxAge = 1000 }
      let moment = playlist.view(in: context)
      context.progress = moment.progress
      warnings.formUnion(moment.warnings)
      if case .banner(let text) = moment.view.content { seen.append(text) }
    }
    let degrees = "21.50\u{A0}°C"
    #expect(seen == ["a", degrees, "a", degrees, "a", degrees, "a", "a", "a"])
    #expect(
      warnings == [
        "item 2 of the playlist is skipped: the value temperature is too old",
        "item 3 of the playlist is skipped: there is no value none; `placard set none VALUE` sets it",
      ])
    // If no item can be shown as it should be, the one whose turn it is is shown with its mark.
    let only = Scene(.playlist(Playlist([items[1], items[2]], seconds: 10)))
    (context.progress, context.began) = (SceneProgress(), context.now)
    let moment = only.view(in: context)
    #expect(moment.view.content == .banner(degrees + " (13:00)") && moment.isOutdated)
    #expect(moment.values == ["temperature", "none"], "a new value of either item changes the display")
  }

  @Test func `values without a maximum age are stored, others are not`() throws {
    var model = SessionModel()
    let empty = model
    let rows = LiveValue("rows", .rows([[.text("a"), .number("1.50")], []]))
    for value in [
      LiveValue("n", .number("1.50"), unit: "km"), LiveValue("t", .text("1.50")), rows,
      LiveValue("short", .number("1"), maxAge: 1000),
    ] { model.setValue(value, at: 5) }
    let changes = SessionModel.changes(from: empty, to: model)
    let records = changes.compactMap { if case .put(let record) = $0 { record } else { nil } }
    #expect(records.map(\.key) == ["n", "rows", "t"])
    let (restored, further, warnings) = SessionModel.restored(from: records, at: 10)
    #expect(restored.values == model.values.filter { $0.key != "short" } && further == [] && warnings == [])
    var later = model
    later.setValue(LiveValue("n", .number("2"), maxAge: 1000), at: 6)
    #expect(SessionModel.changes(from: model, to: later) == [.remove(kind: "value", key: "n")])
    try later.removeValue("n")
    #expect(throws: SessionModelError.noValue("n")) { try later.removeValue("n") }
    let broken = Record(kind: "value", key: "n", json: "{\"v\":1,\"updated\":1}")
    #expect(SessionModel.restored(from: [broken], at: 10).warnings.count == 1)
  }

  @Test func `the number and the size of values are limited`() {
    let empty = SessionModel()
    var model = empty
    for number in 0..<SessionModel.mostValues { model.setValue(LiveValue("v\(number)", .text("x")), at: 0) }
    #expect(SessionModel.excess(from: empty, to: model) == nil)
    var full = model
    full.setValue(LiveValue("more", .text("x")), at: 0)
    #expect(SessionModel.excess(from: model, to: full) == .full(.values))
    var large = empty
    for number in 0..<600 {
      let cell = DataTable.Cell.text(String(repeating: "x", count: 1000))
      let cells = [[DataTable.Cell]](repeating: [cell, cell, cell], count: 10)
      large.setValue(LiveValue("v\(number)", .rows(cells)), at: 0)
    }
    #expect(SessionModel.excess(from: empty, to: large) == .full(.bytes))
  }

  @Test func `a backup replaces stored values, and leaves those of sources that repeat them`() {
    var (model, backup) = (SessionModel(), SessionModel())
    for value in [LiveValue("a", .text("old")), LiveValue("b", .text("old"))] { model.setValue(value, at: 1) }
    model.setValue(LiveValue("sensor", .number("1"), maxAge: 1000), at: 2)
    backup.setValue(LiveValue("a", .text("new")), at: 3)
    model.replace(by: backup, with: [], at: 4)
    #expect(model.values.mapValues(\.content) == ["a": .text("new"), "sensor": .number("1")])
  }

  @Test func `a value keeps its age when the clock is set`() {
    var model = SessionModel()
    model.setValue(LiveValue("a", .number("1"), maxAge: 10_000), at: 1000)
    model.setValue(LiveValue("b", .number("1")), at: 1000)
    model.setClock(by: 50_000, to: 55_000, timed: [])
    #expect(model.values["a"]?.updated == 51_000 && model.values["b"]?.updated == 1000)
  }
}
