import Calendars
import Geometry
import JSON
import Scenes
import SeededRandom
import Testing

struct DocumentTests {
  @Test(arguments: SeededGenerator.seeds)
  func `A scene survives being written and read`(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      let scene = chance.scene()
      let document = scene.document
      #expect(try Scene(document: document) == scene)
      #expect(document["kind"]?.text == scene.kind)
      #expect(try Scene(parsing: document.encoded) == scene)
    }
  }

  @Test func `A percentage in a document is written back unchanged`() throws {
    for tenths in 1...450 {
      let percent = JSONValue(Double(tenths) / 10)
      let scene = try Scene(document: ["kind": "blank", "style": ["safe_area": percent]])
      #expect(scene.document["style"]?["safe_area"] == percent)
    }
  }

  @Test func `Fields with default values are omitted`() throws {
    let text = #"{"kind":"countdown","to":"2026-12-31T23:59:00+01:00"}"#
    let scene = try Scene(parsing: #"{"kind": "countdown", "to": "2026-12-31 23:59+01", "seconds": true, "style": {}}"#)
    #expect(String(decoding: scene.document.encoded, as: UTF8.self) == text)
    #expect(Scene(.blank).document == ["kind": "blank"])
    #expect(Scene(.clock(Clock())).document == ["kind": "clock"])
  }

  @Test func `A board is read with all its columns, cards and styles`() throws {
    let scene = try Scene(
      parsing: #"""
        {"kind": "board", "title": "Lifts", "columns": [{"title": "East", "cards": [
          {"id": "3", "title": "Lift 3", "content": "until noon", "footer": "10:00", "accent": "#f00"}]}],
         "style": {"background": "#000000", "safe_area": 5, "align": "start", "line_height": 1.5}}
        """#)
    let card = Card(
      id: "3", title: "Lift 3", content: "until noon", footer: "10:00", accent: Color(red: 255, green: 0, blue: 0))
    var style = StyleChanges()
    (style.background, style.safeArea, style.alignment, style.lineHeight) = (.black, 0.05, .start, 1.5)
    let board = Board(title: "Lifts", columns: [Board.Column(title: "East", cards: [card])])
    #expect(scene == Scene(.board(board), style: style))
  }

  @Test(arguments: [
    (#""Welcome""#, #"the scene must be an object like {"kind": "banner", "text": "Welcome"}, but this is a string"#),
    ("{", "the scene is not JSON: Line 1, column 2: expected a key in quotes, found the end."),
    (
      #"{"text": "Welcome"}"#,
      "`kind` is missing: it must be one of `banner`, `markdown`, `ticker`, `card`, `board`, `table`, `now`, "
        + "`image`, `clock`, `countdown`, `qr`, `blank`, `pattern`, `mirror`, `entry`, `playlist`, "
        + "`schedule`, `calendar`, `zones`, `start`, `controller`, `identify`"
    ),
    (#"{"kind": 1}"#, "`kind` must be text, but this is the number 1"),
    (#"{"kind": "bannner"}"#, "`kind` is \"bannner\": did you mean `banner`?"),
    (
      #"{"kind": "banner"}"#,
      "`text` is missing: it must be text, the message; an empty text leaves the plain background"
    ),
    (#"{"kind": "banner", "text": null}"#, "`text` must be text, but this is null"),
    (#"{"kind": "card", "titel": "x"}"#, "`titel` is not a field of a scene of kind `card`: did you mean `title`?"),
    (
      #"{"kind": "blank", "a\n": "x"}"#,
      "`\"a\\n\"` is not a field of a scene of kind `blank`: its fields are `kind`, `style`"
    ),
    (
      #"{"kind": "board", "columns": [{"cards": []}, {"cards": [{}, {"accent": "red"}]}]}"#,
      "`columns[1].cards[1].accent` is \"red\": write a color as #rrggbb or #rgb, like \"#0b1f4b\""
    ),
    (
      #"{"kind": "board", "columns": [{"cards": [{"titl": "x"}]}]}"#,
      "`columns[0].cards[0].titl` is not a field of a card: did you mean `title`?"
    ),
    (#"{"kind": "board", "columns": {}}"#, "`columns` must be an array, but this is an object"),
    (
      #"{"kind": "board", "columns": [{}]}"#,
      "`columns[0].cards` is missing: it must be an array, the cards from top to bottom"
    ),
    (#"{"kind": "blank", "style": {"safe_area": 46}}"#, "`style.safe_area` is 46: it must be a number from 0 to 45"),
    (
      #"{"kind": "blank", "style": {"weight": 1.5}}"#, "`style.weight` is 1.5: it must be a whole number from 1 to 1000"
    ),
    (#"{"kind": "blank", "style": {"align": "centre"}}"#, "`style.align` is \"centre\": did you mean `center`?"),
    (
      #"{"kind": "blank", "style": {"align": 1}}"#,
      "`style.align` must be one of `start`, `center`, `end`, `justify`, but this is the number 1"
    ),
    (
      #"{"kind": "image", "path": "map.png"}"#,
      "`path` is \"map.png\": it must be an absolute path, like \"/srv/signs/map.png\""
    ),
    (
      #"{"kind": "image", "path": "/a\u0000b"}"#,
      "`path` is \"/a\\0b\": it must be an absolute path, like \"/srv/signs/map.png\""
    ),
    (#"{"kind": "now", "title": "x", "progress": 1e400}"#, "`progress` is 1e400: it must be a number from 0 to 1"),
    (#"{"kind": "clock", "hours": 13}"#, "`hours` must be 12 or 24, but this is the number 13"),
    (#"{"kind": "clock", "zone": ""}"#, "`zone` is empty: it must have some text"),
    (#"{"kind": "clock", "seconds": "yes"}"#, "`seconds` must be true or false, but this is a string"),
    (#"{"kind": "countdown", "to": "2026-02-29"}"#, "`to` is \"2026-02-29\": there is no such day"),
    (
      #"{"kind": "countdown", "to": "noon"}"#,
      "`to` is \"noon\": write a date and time like 2026-12-31T23:59, 2026-12-31T23:59:30 or "
        + "2026-12-31T23:59+01:00"
    ),
    (
      #"{"kind": "countdown", "to": "2026-02-28", "then": {"kind": "pattern", "pattern": "grit"}}"#,
      "`then.pattern` is \"grit\": did you mean `grid`?"
    ),
    (#"{"kind": "qr", "text": ""}"#, "`text` is empty: it must have some text"),
  ])
  func `An invalid scene is rejected with the field and the accepted values`(document: String, sentence: String) throws
  {
    let error = try #require(throws: DocumentError.self) { try Scene(parsing: document) }
    #expect(error.description == sentence)
  }

  @Test func `Texts, columns, cards and nested scenes have limits`() throws {
    func scene(_ members: [String: JSONValue]) throws -> Scene { try Scene(document: .object(members)) }
    func text(_ count: Int) -> JSONValue { .string(String(repeating: "a", count: count)) }
    func columns(_ count: Int, cards: Int) -> JSONValue {
      let column: JSONValue = ["cards": .array(Array(repeating: [:], count: cards))]
      return .array(Array(repeating: column, count: count))
    }
    func nested(_ count: Int) -> JSONValue {
      count == 0 ? ["kind": "blank"] : ["kind": "countdown", "to": "2026-12-31", "then": nested(count - 1)]
    }
    _ = try scene(["kind": "banner", "text": text(1 << 16)])
    #expect(throws: DocumentError(path: "text", reason: "has 65537 bytes: it may have at most 65536")) {
      try scene(["kind": "banner", "text": text(1 << 16 + 1)])
    }
    let cards: JSONValue = [["cards": [[:], ["content": text(1 << 16 + 1)]]]]
    #expect(
      throws: DocumentError(path: "columns[0].cards[1].content", reason: "has 65537 bytes: it may have at most 65536")
    ) { try scene(["kind": "board", "columns": cards]) }
    let many: JSONValue = [["cards": .array(Array(repeating: ["content": text(60_000)], count: 5))]]
    #expect {
      try scene(["kind": "board", "columns": many])
    } throws: {
      "\($0)".hasPrefix("the scene has 300")
    }
    // A character that JSON escapes with six bytes counts as six.
    #expect(throws: DocumentError.self) {
      try scene(["kind": "banner", "text": .string(String(repeating: "\u{1}", count: 50_000))])
    }
    _ = try scene(["kind": "board", "columns": columns(12, cards: 50)])
    #expect(throws: DocumentError(path: "columns", reason: "has 13 elements: it may have at most 12")) {
      try scene(["kind": "board", "columns": columns(13, cards: 0)])
    }
    #expect(throws: DocumentError(path: "columns[0].cards", reason: "has 51 elements: it may have at most 50")) {
      try scene(["kind": "board", "columns": columns(1, cards: 51)])
    }
    _ = try Scene(document: nested(4))
    #expect(throws: DocumentError(path: "then", reason: "has scenes nested too deeply (at most 4 levels)")) {
      try Scene(document: nested(5))
    }
    #expect(throws: DocumentError.self) { try Scene(document: nested(60)) }
    #expect(throws: DocumentError(reason: "has 8388609 bytes: it may have at most 8388608")) {
      try Scene(parsing: repeatElement(UInt8(ascii: " "), count: 8 << 20 + 1))
    }
  }

  @Test(arguments: SeededGenerator.seeds)
  func `A randomly changed document is either a valid scene or rejected`(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      var bytes = chance.scene().document.encoded
      for _ in 0...chance.below(3) { bytes[chance.below(bytes.count)] = UInt8(chance.below(256)) }
      guard let scene = try? Scene(parsing: bytes) else { continue }
      #expect(try Scene(document: scene.document) == scene)
    }
  }

  @Test(arguments: [
    (Scene.banner("Lift 3\nis out  of order"), "banner", "Lift 3 is out of order"),
    (.banner("Gate 17: now!"), "banner", "Gate 17: now!"), (.banner("- milk"), "banner", "milk"),
    (.banner(" milk "), "banner", "milk"), (.banner("#1 of 3"), "banner", "#1 of 3"),
    (.banner("a\u{85}b\u{7F}c"), "banner", "a b c"), (.banner(""), "banner", "nothing"),
    (.banner("\u{1B}[2Jgone\u{7}"), "banner", "[2Jgone"),
    (.banner(String(repeating: "ab ", count: 40)), "banner", String(repeating: "ab ", count: 25) + "ab..."),
    (Scene(.markdown(MarkdownText("\n## First *steps*\n\nText"))), "markdown", "First *steps*"),
    (Scene(.ticker(Ticker("\nLift 3 is out of order\nLift 4 works"))), "ticker", "Lift 3 is out of order Lift 4 works"),
    (Scene(.card(Card(title: "", content: "until noon"))), "card", "until noon"),
    (Scene(.board(Board(columns: [.init(cards: [Card(), Card()])]))), "board", "1 column, 2 cards"),
    (Scene(.now(NowPlaying(title: "Etude", subtitle: "Chopin"))), "now", "Etude - Chopin"),
    (Scene(.clock(Clock(zone: "Asia/Tokyo"))), "clock", "Asia/Tokyo"),
    (Scene(.table(DataTable(columns: [], rows: [[.text("a")]]))), "table", "1 row"),
    (Scene(.table(DataTable(columns: [], value: "trains"))), "table", "trains"),
    (Scene(.countdown(Countdown(to: .epoch))), "countdown", "until 1970-01-01T00:00:00Z"),
    (Scene(.qr(QRPanel(text: "https://example.org"))), "qr", "https://example.org"),
    (Scene(.mirror(of: "DP-1")), "mirror", "DP-1"),
  ])
  func `A scene has a kind and a one-line summary`(scene: Scene, kind: String, summary: String) {
    #expect(scene.kind == kind)
    #expect(scene.summary == summary)
  }

  @Test(arguments: SeededGenerator.seeds)
  func `A summary is one line of at most 80 characters`(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      let summary = chance.scene().summary
      #expect((1...80).contains(summary.count))
      #expect(!summary.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }
}
