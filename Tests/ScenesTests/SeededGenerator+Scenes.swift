import Calendars
import Geometry
import ICalendar
import JSON
import Scenes
import Schedules
import SeededRandom

extension SeededGenerator {
  static let seeds = (0..<40).map { _ in UInt64.random(in: 0...UInt64.max) }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// Returns true with a probability of one in `times`.
  mutating func once(in times: Int) -> Bool { below(times) == 0 }

  mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }

  mutating func flip() -> Bool { Bool.random(using: &self) }

  /// Returns a value or nil with equal probability.
  mutating func maybe<Value>(_ value: (inout SeededGenerator) -> Value) -> Value? { flip() ? value(&self) : nil }

  mutating func one<Value>(of values: [Value], or other: Value) -> Value { values.randomElement(using: &self) ?? other }

  mutating func share(_ range: ClosedRange<Double>) -> Double {
    // Covers both rounded numbers, as people write them, and computed ones.
    let number = Double.random(in: range, using: &self)
    return flip() ? number : min(max((number * 100).rounded() / 100, range.lowerBound), range.upperBound)
  }
}

extension SeededGenerator {
  mutating func text() -> String {
    let pieces = ["", "Welcome", "\n", " ", "#", "\"", "\\", "\u{0}", "\u{1B}[0m", "é", "🎉", "日本", "\u{2028}", "**x**"]
    return (0..<below(6)).map { _ in one(of: pieces, or: "") }.joined()
  }

  mutating func word() -> String { one(of: ["a", "DejaVu Sans", "HDMI-A-1", "ünï"], or: "") }

  mutating func path() -> String { "/" + text().filter { $0 != "\0" } }

  mutating func color() -> Color {
    Color(red: UInt8(below(256)), green: UInt8(below(256)), blue: UInt8(below(256)))
  }

  mutating func zone() -> String? {
    maybe {
      $0.one(of: ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "Mars/Base"], or: "")
    }
  }

  mutating func moment() -> DateTime {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "20\(two(below(100)))-\(two(1 + below(12)))-\(two(1 + below(28)))"
    let time = "\(two(below(24))):\(two(below(60))):\(two(below(60)))"
    let offset = one(of: ["", "Z", "+01:00", "-03:30", "+14", "-0959", "-00:30"], or: "")
    return (try? DateTime("\(day)T\(time)\(offset)")) ?? .epoch
  }

  mutating func style() -> StyleChanges {
    var style = StyleChanges()
    style.foreground = maybe { $0.color() }
    style.background = maybe { $0.color() }
    style.accent = maybe { $0.color() }
    style.font = maybe { $0.word() }
    style.safeArea = maybe { Double.random(in: 0...45, using: &$0) / 100 }
    style.weight = maybe { 1 + $0.below(1000) }
    style.isItalic = maybe { $0.flip() }
    style.alignment = maybe { $0.one(of: Alignment.allCases, or: .start) }
    style.lineHeight = maybe { $0.share(0.5...4) }
    return style
  }

  mutating func card() -> Card {
    Card(
      id: maybe { $0.one(of: ["a", "lift-2", "HDMI-A-1", "a.b:c_d@e"], or: "") }, title: maybe { $0.text() },
      content: maybe { $0.text() }, footer: maybe { $0.text() }, accent: maybe { $0.color() })
  }

  mutating func cards(_ most: Int) -> [Card] { (0..<below(most + 1)).map { _ in card() } }

  mutating func scene(deep: Int = 0) -> Scene { Scene(content(deep), style: flip() ? style() : StyleChanges()) }

  private mutating func content(_ deep: Int) -> Scene.Content {
    switch below(22) {
    case 0: .banner(text())
    case 1:
      .markdown(
        MarkdownText(
          text(), folder: maybe { $0.path() }, size: maybe { $0.share(20...400) },
          flow: one(of: MarkdownText.Flow.allCases, or: .pages), secondsPerPage: maybe { $0.below(86401) }))
    case 2: .card(card())
    case 3:
      .board(
        Board(
          title: maybe { $0.text() },
          columns: (0..<below(4)).map { _ in Board.Column(title: maybe { $0.text() }, cards: cards(3)) }))
    case 4:
      .now(
        NowPlaying(
          title: text(), subtitle: maybe { $0.text() }, detail: maybe { $0.text() }, image: maybe { $0.path() },
          progress: maybe { $0.share(0...1) }))
    case 5: .image(ImagePanel(path: path(), fit: one(of: ImagePanel.Fit.allCases, or: .fit)))
    case 6: .clock(clock())
    case 7: .countdown(countdown(deep))
    case 8: .qr(QRPanel(text: "a" + text(), caption: maybe { $0.text() }))
    case 9: .blank
    case 10: .pattern(one(of: TestPattern.allCases, or: .bars))
    case 11: .mirror(of: word())
    case 12: .controller
    case 13: .ticker(Ticker(text(), speed: flip() ? Ticker.usualSpeed : 10 + below(2991)))
    case 14: .start
    case 15: .entry(one(of: ["a", "menu", "week.2"], or: ""))
    case 16: .playlist(playlist(deep))
    case 17: .schedule(schedule(deep))
    case 18: .calendar(calendar(deep))
    case 19 where deep < 4: .zones(zones(deep))
    case 20: .table(table())
    default: .identify
    }
  }

  private mutating func table() -> DataTable {
    DataTable(
      title: maybe { $0.text() },
      columns: (0..<below(5)).map { _ in
        DataTable.Column(
          title: maybe { $0.text() }, alignment: one(of: Alignment.allCases, or: .start),
          weight: maybe { Double(1 + $0.below(100)) })
      },
      rows: (0..<below(5)).map { _ in (0..<below(5)).map { _ in flip() ? .text(text()) : .number("\(below(1000))") } },
      value: maybe { $0.one(of: ["a", "menu", "week.2"], or: "") },
      highlight: flip() ? ["a" + text()] : [], empty: maybe { $0.text() }, secondsPerPage: maybe { $0.below(86401) })
  }

  mutating func clock() -> Clock {
    Clock(
      zone: zone(), hours: flip() ? .hours12 : .hours24, hasSeconds: flip(), hasDate: flip(),
      caption: maybe { $0.text() })
  }

  private mutating func zones(_ deep: Int) -> Zones {
    let zones = (0..<below(4)).map { _ in
      Zones.Zone(
        one(of: Zones.Edge.allCases, or: .top), scene(deep: deep + 1), size: Double(5 + below(46)) / 100,
        smallest: 16 + below(4081))
    }
    return Zones(scene(deep: deep + 1), zones)
  }

  private mutating func playlist(_ deep: Int) -> Playlist {
    let items = deep < 4 ? (0..<below(4)).map { _ in scene(deep: deep + 1) } : []
    return Playlist(
      items.map { scene in
        Playlist.Item(
          scene, seconds: maybe { Double(1 + $0.below(864_000)) / 10 + 0.1 }, times: maybe { 1 + $0.below(1000) })
      }, seconds: Double(1 + below(86400)), isShuffled: flip(),
      fade: flip() ? 0 : Double(below(21)) / 10)
  }

  private mutating func schedule(_ deep: Int) -> Schedule {
    let scenes = deep < 4 ? (0..<below(4)).map { _ in scene(deep: deep + 1) } : []
    let hours = ["Mo-Fr 07:00-19:00", "Dec 24-26 off; 24/7", "22:00-02:00"].map { try? DisplayHours(parsing: $0) }
    let rules = scenes.map { scene in
      Schedule.Rule(
        scene, name: maybe { "a" + $0.text() }, hours: one(of: hours, or: nil), from: maybe { $0.moment() },
        until: maybe { $0.moment() }, priority: below(201) - 100)
    }
    return Schedule(rules, zone: zone(), otherwise: deep < 4 && flip() ? scene(deep: deep + 1) : nil)
  }

  private mutating func calendar(_ deep: Int) -> EventCalendar {
    let rules = ["FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=DAILY;COUNT=5", "FREQ=MONTHLY;BYDAY=-1FR"]
    let events = (0..<below(4)).map { _ in
      CalendarEvent(
        text(), from: moment(), until: moment(), zone: maybe { "a" + $0.text() },
        rule: maybe { $0.one(of: rules, or: "") }, except: (0..<below(3)).map { _ in moment() },
        also: (0..<below(2)).map { _ in moment() })
    }
    return EventCalendar(events, zone: zone(), otherwise: deep < 4 && flip() ? scene(deep: deep + 1) : nil)
  }

  mutating func countdown(_ deep: Int = 0) -> Countdown {
    let then = deep < 4 && flip() ? scene(deep: deep + 1) : nil
    return Countdown(to: moment(), zone: zone(), title: maybe { $0.text() }, hasSeconds: flip(), then: then)
  }
}
