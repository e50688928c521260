import Calendars
import Geometry
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
        .required("text", \.self, .text(), "the message; an empty one leaves the plain ground")
      ], { .banner($0) }, { if case .banner(let text) = $0 { text } else { nil } }),
    SceneKind(
      "markdown", "a page of Markdown", of: MarkdownText(""),
      [
        .required("text", \.text, .text(), "CommonMark with tables, task lists, strikethrough and bare links"),
        .optional("folder", \.folder, .path, "the folder that pictures' names count from"),
        .optional("size", \.size, .number(in: 20...400), "the size of plain text; a display's short side has 1080"),
        .optional("flow", \.flow, .choice, or: .pages, "page by page, or to any place"),
        .optional("seconds_per_page", \.secondsPerPage, .integer(in: 1...86400), "when the next page comes by itself"),
      ], { .markdown($0) }, { if case .markdown(let text) = $0 { text } else { nil } }),
    SceneKind(
      "ticker", "a line that scrolls for ever", of: Ticker(""),
      [
        .required("text", \.text, .text(), "what it says; lines follow each other in the one that is seen"),
        .optional(
          "speed", \.speed, .integer(in: Ticker.speeds), or: Ticker.usualSpeed,
          "logical pixels a second; as near as whole pixels a picture come to it"),
      ], { .ticker($0) }, { if case .ticker(let ticker) = $0 { ticker } else { nil } }),
    SceneKind(
      "card", "a title with something below it", of: Card(), cardFields,
      { .card($0) }, { if case .card(let card) = $0 { card } else { nil } }),
    SceneKind(
      "board", "columns of cards", of: Board(columns: []),
      [
        .optional("title", \.title, .text(), "above the columns"),
        .required("columns", \.columns, .list(of: column, most: 12), "from the side where reading starts"),
      ], { .board($0) }, { if case .board(let board) = $0 { board } else { nil } }),
    SceneKind(
      "now", "what is played, made or served now", of: NowPlaying(title: ""),
      [
        .required("title", \.title, .text(), "the largest line"),
        .optional("subtitle", \.subtitle, .text(), "the second line"),
        .optional("detail", \.detail, .text(), "the small print"),
        .optional("picture", \.picture, .path, "a PNG or JPEG file on the service's machine"),
        .optional("progress", \.progress, .number(in: 0...1), "how much of it is over: a bar shows it"),
      ], { .now($0) }, { if case .now(let now) = $0 { now } else { nil } }),
    SceneKind(
      "image", "a picture over the whole display", of: ImagePanel(path: ""),
      [
        .required("path", \.path, .path, "a PNG or JPEG file on the service's machine"),
        .optional("fit", \.fit, .choice, or: .fit, "all of it, the whole display, or both and distorted"),
      ], { .image($0) }, { if case .image(let image) = $0 { image } else { nil } }),
    SceneKind(
      "clock", "the time of day", of: Clock(),
      [
        .optional("zone", \.zone, .word, "a time zone, like Europe/Berlin; the machine's own where it is left out"),
        .optional("hours", \.hours, .hours, or: .hours24, "how hours are counted"),
        .optional("seconds", \.hasSeconds, .bool, or: false, "whether seconds show"),
        .optional("date", \.hasDate, .bool, or: true, "whether the date shows"),
        .optional("caption", \.caption, .text(), "what stands with it, the name of a city"),
      ], { .clock($0) }, { if case .clock(let clock) = $0 { clock } else { nil } }),
    SceneKind(
      "countdown", "the time that is left until a moment", of: Countdown(to: .epoch),
      [
        .required("to", \.moment, .moment, "the moment, like 2026-12-31T23:59, with +01:00 or in the zone"),
        .optional("zone", \.zone, .word, "a time zone, like Europe/Berlin; the machine's own where it is left out"),
        .optional("title", \.title, .text(), "what is waited for"),
        .optional("seconds", \.hasSeconds, .bool, or: true, "whether seconds show"),
        .optional("then", \.then, .scene, "the scene from the moment on; zeros where it is left out"),
      ], { .countdown($0) }, { if case .countdown(let countdown) = $0 { countdown } else { nil } }),
    SceneKind(
      "qr", "a text as a QR code", of: QRPanel(text: ""),
      [
        // The capacity of the largest code (ISO/IEC 18004, table 7, version 40, level L).
        .required("text", \.text, .text(1...2953), "what a reader gets"),
        .optional("caption", \.caption, .text(), "what people read beside it"),
      ], { .qr($0) }, { if case .qr(let code) = $0 { code } else { nil } }),
    SceneKind("blank", "the plain ground", .blank),
    SceneKind(
      "pattern", "a picture to set a display up with", of: TestPattern.bars,
      [
        .required("pattern", \.self, .choice, "bars of full colours; squares, edges and sizes; gradients")
      ], { .pattern($0) }, { if case .pattern(let pattern) = $0 { pattern } else { nil } }),
    SceneKind(
      "mirror", "what another display shows, as a whole", of: "",
      [
        .required("of", \.self, .word, "the other display's name, like HDMI-A-1")
      ], { .mirror(of: $0) }, { if case .mirror(let display) = $0 { display } else { nil } }),
    SceneKind("start", "the first screen: the host, and how to send it a message", .start),
    SceneKind("controller", "how to reach the machine, and what it shows where", .controller),
    SceneKind("identify", "which display this is: its name, monitor and mode", .identify),
  ]

  static let cardFields: [Field<Card>] = [
    .optional("id", \.id, .name, "what a board calls it, so that it can be opened alone"),
    .optional("title", \.title, .text(), "the largest line"),
    .optional("content", \.content, .text(), "what it says"),
    .optional("footer", \.footer, .text(), "the small print"),
    .optional("accent", \.accent, .color, "the colour of its edge; the style's accent where it is left out"),
  ]

  static let column = Form.object(
    "a column", from: Board.Column(cards: []),
    [
      .optional("title", \.title, .text(), "above its cards"),
      .required("cards", \.cards, .list(of: .object("a card", from: Card(), cardFields), most: 50), "from the top"),
    ])

  static let style = Form.object(
    "a style", from: StyleChanges(),
    [
      .optional("foreground", \.foreground, .color, "the colour of the letters"),
      .optional("background", \.background, .color, "the colour of the ground"),
      .optional("accent", \.accent, .color, "the colour of what stands out"),
      .optional("font", \.font, .word, "a family or pattern of fontconfig"),
      .optional("safe_area", \.safeArea, .percent(in: 0...45), "what stays free of letters at each edge, in percent"),
      .optional("weight", \.weight, .integer(in: 1...1000), "the letters' weight: 400 is regular, 700 bold"),
      .optional("italic", \.isItalic, .bool, "whether letters are slanted"),
      .optional("align", \.alignment, .choice, "where lines stand"),
      .optional("line_height", \.lineHeight, .number(in: 0.5...4), "from line to line, beside what the font says"),
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
      "style", \.style, SceneKind.style.referred(to: "style"), or: StyleChanges(), "how it looks, where it has a wish")
    let form = Form.object(
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

extension Form<Scene> {
  /// A nested scene; more than 4 levels of nesting are rejected.
  static let scene = Form(
    name: "a scene", schema: ["$ref": "#/$defs/scene"],
    read: { json throws(DocumentError) in
      let scene = try Scene(kept: json)
      guard scene.depth < 4 else { throw DocumentError(reason: "has scenes in each other: at most 4 may be") }
      return scene
    },
    write: \.document)
}

extension Scene {
  /// The number of scenes nested inside this one.
  fileprivate var depth: Int {
    guard case .countdown(let countdown) = content, let then = countdown.then else { return 0 }
    return then.depth + 1
  }
}
