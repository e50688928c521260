import Calendars
import Geometry
import ICalendar
import JSON

/// A kind of scene: the reader, the writer and the JSON Schema of its documents.
struct SceneKind: Sendable {
  /// The value of the field `kind` in its documents.
  let name: String
  /// The JSON Schema of its documents.
  let schema: JSONValue
  /// Reads a document of this kind.
  let read: @Sendable (JSONValue) throws(DocumentError) -> Scene
  /// Writes a scene as a document; returns nil for a scene of another kind.
  let write: @Sendable (Scene) -> JSONValue?

  /// The quoted names of all kinds, separated by commas.
  static var names: String { all.map { "`\($0.name)`" }.joined(separator: ", ") }
}

// The table of kinds. Each line describes one field: its key, its key path in the payload, its codec, an optional
// default (`or:`), and its meaning. Without a default, a missing optional field is nil.

extension SceneKind {
  static let all: [SceneKind] = [
    SceneKind(
      "banner", "one message, as large as the safe area allows", of: "",
      [
        .required("text", \.self, .words, "the message; an empty text leaves the plain background")
      ], { .banner($0) }, { if case .banner(let text) = $0 { text } else { nil } }),
    SceneKind(
      "markdown", "a page of Markdown", of: MarkdownText(""),
      [
        .required("text", \.text, .words, "CommonMark with tables, task lists, strikethrough and bare links"),
        .optional("folder", \.folder, .path, "the folder that relative image paths start from"),
        .optional("size", \.size, .number(in: 20...400), "text size; a display's shorter side has 1080 units"),
        .optional("flow", \.flow, .choice, or: .pages, "page by page, or freely scrolled"),
        .optional(
          "seconds_per_page", \.secondsPerPage, .integer(in: 0...86400),
          "seconds until the next page, 0 for never; by default \(MarkdownText.usualSecondsPerPage) in pages until "
            + "a client scrolls"),
      ], { .markdown($0) }, { if case .markdown(let text) = $0 { text } else { nil } }),
    SceneKind(
      "ticker", "a line that scrolls continuously", of: Ticker(""),
      [
        .required("text", \.text, .words, "the text; several lines are joined into one"),
        .optional(
          "speed", \.speed, .integer(in: Ticker.speeds), or: Ticker.usualSpeed,
          "logical pixels per second, rounded to whole pixels per frame"),
      ], { .ticker($0) }, { if case .ticker(let ticker) = $0 { ticker } else { nil } }),
    SceneKind(
      "card", "a title with text below it", of: Card(), cardFields,
      { .card($0) }, { if case .card(let card) = $0 { card } else { nil } }),
    SceneKind(
      "board", "columns of cards", of: Board(columns: []),
      [
        .optional("title", \.title, .words, "the title above the columns"),
        .required("columns", \.columns, .list(of: column, most: 12), "the columns in reading direction"),
      ], { .board($0) }, { if case .board(let board) = $0 { board } else { nil } }),
    SceneKind(
      "table", "rows of cells below the titles of their columns, such as departures", of: DataTable(columns: []),
      [
        .optional("title", \.title, .words, "the title above the table"),
        .required("columns", \.columns, .list(of: tableColumn, most: 20), "the columns in reading direction"),
        .optional(
          "rows", \.rows, .list(of: .list(of: .cell, most: 20), most: 1000), or: [],
          "the rows, each a list of texts and numbers"),
        .optional("value", \.value, .name, "the live value with the rows, which replace `rows` once it exists"),
        .optional(
          "highlight", \.highlight, .list(of: .text(1...200), most: 20), or: [],
          "words; a row with a cell that begins with one of them is highlighted"),
        .optional("empty", \.empty, .words, "the text while there are no rows"),
        .optional(
          "seconds_per_page", \.secondsPerPage, .integer(in: 0...86400),
          "seconds until the next page, 0 for never; by default \(DataTable.usualSecondsPerPage)"),
      ], { .table($0) }, { if case .table(let table) = $0 { table } else { nil } }),
    SceneKind(
      "now", "the current item, such as a track, a talk or an order", of: NowPlaying(title: ""),
      [
        .required("title", \.title, .words, "the largest line"),
        .optional("subtitle", \.subtitle, .words, "the second line"),
        .optional("detail", \.detail, .words, "the smallest line"),
        .optional("image", \.image, .path, "a PNG or JPEG file on the machine that runs Placard"),
        .optional("progress", \.progress, .number(in: 0...1), "the completed share, shown as a bar"),
      ], { .now($0) }, { if case .now(let now) = $0 { now } else { nil } }),
    SceneKind(
      "image", "an image over the whole display", of: ImagePanel(path: ""),
      [
        .required("path", \.path, .path, "a PNG or JPEG file on the machine that runs Placard"),
        .optional("fit", \.fit, .choice, or: .fit, "show the whole image, fill the display and crop, or stretch"),
      ], { .image($0) }, { if case .image(let image) = $0 { image } else { nil } }),
    SceneKind(
      "clock", "the time of day", of: Clock(),
      [
        .optional("zone", \.zone, .word, "a time zone, like Europe/Berlin; by default the machine's own"),
        .optional("hours", \.hours, .hours, or: .hours24, "a 12-hour or a 24-hour clock"),
        .optional("seconds", \.hasSeconds, .bool, or: false, "whether to show seconds"),
        .optional("date", \.hasDate, .bool, or: true, "whether to show the date"),
        .optional("caption", \.caption, .words, "a caption, such as the name of a city"),
      ], { .clock($0) }, { if case .clock(let clock) = $0 { clock } else { nil } }),
    SceneKind(
      "countdown", "the time left until a moment", of: Countdown(to: .epoch),
      [
        .required("to", \.moment, .moment, "the moment, like 2026-12-31T23:59, with +01:00 or in the zone"),
        .optional("zone", \.zone, .word, "a time zone, like Europe/Berlin; by default the machine's own"),
        .optional("title", \.title, .words, "the name of the event"),
        .optional("seconds", \.hasSeconds, .bool, or: true, "whether to show seconds"),
        .optional("then", \.then, .scene, "the scene to show from that moment on; by default, zeros"),
      ], { .countdown($0) }, { if case .countdown(let countdown) = $0 { countdown } else { nil } }),
    SceneKind(
      "qr", "a QR code", of: QRPanel(text: ""),
      [
        // The capacity of the largest code (ISO/IEC 18004, table 7, version 40, level L).
        .required("text", \.text, .words(1...2953), "the text in the code"),
        .optional("caption", \.caption, .words, "the caption of the code"),
      ], { .qr($0) }, { if case .qr(let code) = $0 { code } else { nil } }),
    SceneKind("blank", "the plain background", .blank),
    SceneKind(
      "pattern", "a test pattern for adjusting a display", of: TestPattern.bars,
      [
        .required("pattern", \.self, .choice, "color bars; a grid with edges and sizes; gradients")
      ], { .pattern($0) }, { if case .pattern(let pattern) = $0 { pattern } else { nil } }),
    SceneKind(
      "mirror", "the content of another display, scaled as a whole", of: "",
      [
        .required("of", \.self, .word, "the other display's name, like HDMI-A-1")
      ], { .mirror(of: $0) }, { if case .mirror(let display) = $0 { display } else { nil } }),
    SceneKind(
      "entry", "the scene of a library entry", of: "",
      [
        .required("name", \.self, .name, "the entry's name")
      ], { .entry($0) }, { if case .entry(let name) = $0 { name } else { nil } }),
    SceneKind(
      "playlist", "scenes one after the other, again and again", of: Playlist([]),
      [
        .required("items", \.items, .list(of: item, most: 200), "the items in their order"),
        .optional(
          "seconds", \.seconds, .number(in: Playlist.permittedSeconds), or: Playlist.usualSeconds,
          "seconds for which an item without its own time is shown"),
        .optional("shuffle", \.isShuffled, .bool, or: false, "whether each round has a random order"),
        .optional(
          "fade", \.fade, .number(in: Playlist.permittedFades), or: 0,
          "seconds of the cross-fade from item to item; 0 for a cut"),
      ], { .playlist($0) }, { if case .playlist(let playlist) = $0 { playlist } else { nil } }),
    SceneKind(
      "schedule", "scenes at certain times", of: Schedule([]),
      [
        .optional("zone", \.zone, .word, "a time zone, like Europe/Berlin; by default the machine's own"),
        .required("rules", \.rules, .list(of: rule, most: 200), "the rules; of those that apply, one is shown"),
        .optional("otherwise", \.otherwise, .scene, "the scene to show while no rule applies"),
      ], { .schedule($0) }, { if case .schedule(let schedule) = $0 { schedule } else { nil } }),
    SceneKind(
      "calendar", "events, each of which is shown while it takes place", of: EventCalendar([]),
      [
        .optional("zone", \.zone, .word, "the time zone of events without their own; by default the machine's own"),
        .required(
          "events", \.events, .list(of: event, most: ICalendarFile.mostEvents),
          "the events; each shows the library entry with its name, or its name as a banner"),
        .optional("otherwise", \.otherwise, .scene, "the scene to show while there is no event"),
      ], { .calendar($0) }, { if case .calendar(let calendar) = $0 { calendar } else { nil } }),
    SceneKind(
      "zones", "several scenes on one display: a main scene, bars and columns beside it, and corners over it",
      of: Zones(.blank, []),
      [
        .required("main", \.main, .scene, "the scene in the room that the zones leave"),
        .required("zones", \.zones, .list(of: zone, most: 8), "the zones, from the outermost to the innermost"),
      ], { .zones($0) }, { if case .zones(let zones) = $0 { zones } else { nil } }),
    SceneKind("start", "the first screen: the host name, and how to send a message", .start),
    SceneKind("controller", "the controller screen: how to reach the machine, and its displays", .controller),
    SceneKind("identify", "the identify screen: the display's name, monitor and mode", .identify),
  ]

  static let cardFields: [Field<Card>] = [
    .optional("id", \.id, .name, "its name on a board, which can open the card by itself"),
    .optional("title", \.title, .words, "the largest line"),
    .optional("content", \.content, .words, "the text below the title"),
    .optional("footer", \.footer, .words, "the smallest line"),
    .optional("accent", \.accent, .color, "the color of the card's edge; by default the style's accent"),
  ]

  static let tableColumn = JSONCodec.object(
    "a column", from: DataTable.Column(),
    [
      .optional("title", \.title, .words, "the title above its cells"),
      .optional("align", \.alignment, .choice, or: .start, "the alignment of its title and cells"),
      .optional(
        "weight", \.weight, .number(in: DataTable.weights), "its share of the width; by default by its content"),
    ])

  static let column = JSONCodec.object(
    "a column", from: Board.Column(cards: []),
    [
      .optional("title", \.title, .words, "the title above its cards"),
      .required(
        "cards", \.cards, .list(of: .object("a card", from: Card(), cardFields), most: 50),
        "the cards from top to bottom"),
    ])

  static let item = JSONCodec.object(
    "an item", from: Playlist.Item(.blank),
    [
      .required("show", \.show, .scene, "the scene"),
      .optional("seconds", \.seconds, .number(in: Playlist.permittedSeconds), "seconds for which it is shown"),
      .optional("times", \.times, .integer(in: 1...1000), "how often it is shown from its start to its end"),
    ])

  static let zone = JSONCodec.object(
    "a zone", from: Zones.Zone(.bottom, .blank),
    [
      .required(
        "at", \.edge, .choice,
        "a bar or a column at an edge, `side` for the right edge of a wide display and the bottom of a tall one, or a "
          + "corner over the main scene"),
      .required("show", \.show, .scene, "the scene"),
      .optional(
        "size", \.size, .percent(in: 5...50), or: Zones.usualSize,
        "the height of a bar or the width of a column, in percent of the display; of both over a corner"),
      .optional(
        "smallest", \.smallest, .integer(in: Zones.permittedSmallest), or: Zones.usualSmallest,
        "logical pixels below which the zone is not shown, and leaves its room to the main scene"),
    ])

  static let event = JSONCodec.object(
    "an event", from: CalendarEvent("", from: .epoch, until: .epoch),
    [
      .required("name", \.summary, .text(0...2000), "the event's name"),
      .required("from", \.from, .moment, "its first start"),
      .required("until", \.until, .moment, "its first end"),
      .optional("zone", \.zone, .word, "a time zone, like Europe/Berlin; by default the calendar's"),
      .optional("rule", \.rule, .text(1...1000), "the rule by which it is repeated, like FREQ=WEEKLY;BYDAY=MO"),
      .optional("except", \.except, .list(of: .moment, most: 1000), or: [], "starts at which it does not take place"),
      .optional("also", \.also, .list(of: .moment, most: 1000), or: [], "further starts"),
    ])

  static let rule = JSONCodec.object(
    "a rule", from: Schedule.Rule(nil),
    [
      .optional("name", \.name, .text(1...100), "a name for people"),
      .optional("hours", \.hours, .openingHours, "when it applies, like Mo-Fr 07:00-19:00; by default at all times"),
      .optional("calendar", \.calendar, .name, "the library entry with a calendar, at whose events alone it applies"),
      .optional("from", \.from, .moment, "the first moment at which it applies"),
      .optional("until", \.until, .moment, "the first moment at which it no longer applies"),
      .optional(
        "priority", \.priority, .integer(in: Schedule.priorities), or: 0,
        "a rule with a higher priority comes before others; otherwise the first rule counts"),
      .optional("show", \.show, .scene, "the scene to show; required without a calendar, by default the calendar's"),
    ]
  ) { rule throws(DocumentError) in
    guard rule.show == nil, rule.calendar == nil else { return }
    throw DocumentError(path: "show", reason: "is missing: it must be a scene, the scene to show")
  }

  static let style = JSONCodec.object(
    "a style", from: StyleChanges(),
    [
      .optional("foreground", \.foreground, .color, "the text color"),
      .optional("background", \.background, .color, "the background color"),
      .optional("accent", \.accent, .color, "the color of bars, rules and progress"),
      .optional("font", \.font, .word, "a fontconfig family or pattern"),
      .optional("safe_area", \.safeArea, .percent(in: 0...45), "the margin without text at each edge, in percent"),
      .optional("weight", \.weight, .integer(in: 1...1000), "the font weight: 400 is regular, 700 is bold"),
      .optional("italic", \.isItalic, .bool, "whether text is italic"),
      .optional("align", \.alignment, .choice, "the alignment of lines"),
      .optional("line_height", \.lineHeight, .number(in: 0.5...4), "the line spacing, relative to the font's own"),
      .optional("language", \.language, .language, "the language of dates, times and numbers, like de or en-GB"),
    ])
}

extension SceneKind {
  /// The contents of a document: the fields of its kind and the fields that all kinds share.
  private struct Record<Payload: Sendable>: Sendable {
    var payload: Payload
    var style = StyleChanges()
  }

  /// Creates a kind whose scenes carry a payload.
  private init<Payload: Sendable>(
    _ name: String, _ meaning: String, of empty: Payload, _ fields: [Field<Payload>],
    _ wrap: @escaping @Sendable (Payload) -> Scene.Content, _ unwrap: @escaping @Sendable (Scene.Content) -> Payload?
  ) {
    // Not read again: the kind was already looked up to select this reader.
    let kind = Field<Record<Payload>>(
      key: "kind", isRequired: true, schema: ["const": .string(name)], read: { _, _ in }, write: { _ in .string(name) })
    let style = Field<Record<Payload>>.optional(
      "style", \.style, SceneKind.style.referred(to: "style"), or: StyleChanges(), "the scene's own style settings")
    let form = JSONCodec.object(
      "a scene of kind `\(name)`", from: Record(payload: empty), [kind] + fields.map { $0.of(\.payload) } + [style])
    self.name = name
    schema = form.schema(meaning: meaning)
    read = { json throws(DocumentError) in
      let record = try form.read(json)
      return Scene(wrap(record.payload), style: record.style)
    }
    write = { scene in unwrap(scene.content).map { form.write(Record(payload: $0, style: scene.style)) } }
  }

  /// Creates a kind whose scenes are all equal.
  private init(_ name: String, _ meaning: String, _ content: Scene.Content) {
    self.init(name, meaning, of: false, [], { _ in content }, { $0 == content ? false : nil })
  }
}

extension JSONCodec<Scene> {
  /// A nested scene; more than 4 levels of nesting are rejected.
  static let scene = JSONCodec(
    name: "a scene", schema: ["$ref": "#/$defs/scene"],
    read: { json throws(DocumentError) in
      let scene = try Scene(kept: json)
      guard scene.depth < 4 else { throw DocumentError(reason: "has scenes nested too deeply (at most 4 levels)") }
      return scene
    },
    write: \.document)
}

extension Scene {
  /// The number of scenes nested inside this one, one in the other.
  fileprivate var depth: Int { children.map { $0.scene.depth + 1 }.max() ?? 0 }
}
